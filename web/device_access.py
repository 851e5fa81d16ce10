"""Responses that may use features of the device, which others may not."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest
from django.http.response import HttpResponseBase

USES_CAMERA = "uses_camera"
"""An attribute of a response: ``server.headers`` lets its page ask for the camera."""

RUNS_COMPILED = "runs_compiled"
"""An attribute of a response: ``server.headers`` lets this script run WebAssembly."""


def with_camera(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let the view's page ask for the camera."""
    return _with(USES_CAMERA, view)


def with_compiled_programs(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let the view's script, as a worker, run WebAssembly."""
    return _with(RUNS_COMPILED, view)


def _with(asked: str, view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def answer(request: HttpRequest, **address: object) -> HttpResponseBase:
        response = view(request, **address)
        setattr(response, asked, True)
        return response

    return answer
