"""Responses that may use what others may not: features of the device, images written into a style sheet."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest
from django.http.response import HttpResponseBase

CAMERA_ATTRIBUTE = "uses_camera"
"""An attribute of a response: ``server.headers`` lets its page ask for the camera."""

WASM_ATTRIBUTE = "runs_compiled"
"""An attribute of a response: ``server.headers`` lets this script run WebAssembly."""

HAS_DATA_IMAGES = "has_data_images"
"""An attribute of a response: ``server.headers`` lets its page show ``data:`` images."""


def allow_camera(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let the view's page ask for the camera."""
    return _set_response_attribute(CAMERA_ATTRIBUTE, view)


def allow_webassembly(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let the view's script, as a worker, run WebAssembly."""
    return _set_response_attribute(WASM_ATTRIBUTE, view)


def with_data_images(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let the view's page show images that its style sheet contains."""
    return _set_response_attribute(HAS_DATA_IMAGES, view)


def _set_response_attribute(attribute: str, view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def wrapper(request: HttpRequest, **address: object) -> HttpResponseBase:
        response = view(request, **address)
        setattr(response, attribute, True)
        return response

    return wrapper
