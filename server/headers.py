"""Security headers of every answer: where the parts of a page come from, and which device features it uses.

Each page is made of files of this installation, linked or, by their digests, inlined. So injected content
runs no script, loads nothing, and sends nothing elsewhere. Django adds ``nosniff`` and ``Referrer-Policy:
same-origin``: addresses with a table's code or a secret do not leak to other sites.
"""

from functools import cache
from http import HTTPStatus

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from web.device_access import CAMERA_ATTRIBUTE, HAS_DATA_IMAGES, WASM_ATTRIBUTE

from .inline_assets import SCRIPTS, STYLE_SHEETS, compute_csp_digest, is_link_page

SELF, NONE = "'self'", "'none'"
WASM_SOURCE = "'wasm-unsafe-eval'"
"""Source for WebAssembly programs, whose origin a policy cannot limit; scripts stay ours."""
SOURCES = {
    "default-src": NONE,
    "script-src": SELF,
    "style-src": SELF,
    "img-src": SELF,
    "connect-src": SELF,
    "manifest-src": SELF,
    "worker-src": SELF,
    "frame-src": SELF,  # the desk previews the pages that other sites embed
    "form-action": SELF,
    "base-uri": NONE,
}
FRAME_ANCESTORS = {"frame-ancestors": NONE}
"""Directive that accompanies Django's ``X-Frame-Options``: on all pages but those made for other sites."""
DISABLED_FEATURES = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
    *("microphone", "midi", "payment", "usb"),
)
"""Features of the device that are turned off. Passkeys and the clipboard are used; browsers give both to the
page itself only."""

REVALIDATE = "no-cache, private"
"""Default cache header, for answers without their own: no cache keeps what is no longer public."""
NO_STORE = "no-cache, no-store, private"
"""The same for signed-in readers: after signing out, *Back* must not show their pages."""

PERMISSIONS = ", ".join(f"{name}=()" for name in DISABLED_FEATURES)
CAMERA_PERMISSIONS = PERMISSIONS.replace("camera=()", "camera=(self)")
"""Permissions of the pages that scan codes."""


@cache
def build_policy(*, is_framed: bool, is_page: bool, has_style: bool, runs_wasm: bool, has_data_images: bool) -> str:
    """Return the value of ``Content-Security-Policy``."""
    sources = SOURCES if is_framed else SOURCES | FRAME_ANCESTORS
    if is_page:
        sources |= {"script-src": " ".join((SELF, *map(compute_csp_digest, SCRIPTS)))}
    if runs_wasm:
        sources |= {"script-src": f"{SELF} {WASM_SOURCE}"}
    if has_data_images:
        sources |= {"img-src": f"{SELF} data:"}
    if has_style:
        sources |= {"style-src": " ".join((SELF, *map(compute_csp_digest, STYLE_SHEETS)))}
    return "; ".join(f"{name} {values}" for name, values in sources.items())


class HeadersMiddleware(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return response  # the browser keeps the page with its headers
        response.headers["Content-Security-Policy"] = build_policy(
            is_framed=getattr(response, "xframe_options_exempt", False),
            is_page=_is_page(response),
            has_style=_is_page(response) and is_link_page(request),
            runs_wasm=getattr(response, WASM_ATTRIBUTE, False),
            has_data_images=getattr(response, HAS_DATA_IMAGES, False),
        )
        response.headers["Permissions-Policy"] = (
            CAMERA_PERMISSIONS if getattr(response, CAMERA_ATTRIBUTE, False) else PERMISSIONS
        )
        response.headers.setdefault("Cache-Control", REVALIDATE)
        if response.headers["Cache-Control"] == REVALIDATE and _is_signed_in(request):
            response.headers["Cache-Control"] = NO_STORE
        return response


def _is_signed_in(request: HttpRequest) -> bool:
    """Check without a query: a session that nobody read has put nothing on the page."""
    session = getattr(request, "session", None)
    return session is not None and session.accessed and SESSION_KEY in session


def _is_page(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")
