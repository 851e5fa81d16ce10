"""Answers that ask something of the device they are opened on, which all others do not."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest
from django.http.response import HttpResponseBase

USES_CAMERA = "uses_camera"
"""An answer's attribute: ``config.headers`` lets its page ask for the camera."""

RUNS_COMPILED = "runs_compiled"
"""An answer's attribute: ``config.headers`` lets this script run programs for WebAssembly."""


def with_camera(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """The page may ask for the camera."""
    return _with(USES_CAMERA, view)


def with_compiled_programs(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """The script, as a worker, may run programs for WebAssembly."""
    return _with(RUNS_COMPILED, view)


def _with(asked: str, view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def answer(request: HttpRequest, **address: object) -> HttpResponseBase:
        response = view(request, **address)
        setattr(response, asked, True)
        return response

    return answer
