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

from web.device_access import RUNS_COMPILED, USES_CAMERA

from .inline_assets import SCRIPTS, SHEETS, csp_digest, is_opened_from_a_link

SELF, NONE = "'self'", "'none'"
COMPILED = "'wasm-unsafe-eval'"
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
FRAMED_BY = {"frame-ancestors": NONE}
"""Directive that accompanies Django's ``X-Frame-Options``: on all pages but those made for other sites."""
NOT_ASKED_FOR = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
    *("microphone", "midi", "payment", "usb"),
)
"""Features of the device that are turned off. Passkeys and the clipboard are used; browsers give both to the
page itself only."""

ASKED_EACH_TIME = "no-cache, private"
"""Default cache header, for answers without their own: no cache keeps what is no longer public."""
KEPT_NOWHERE = "no-cache, no-store, private"
"""The same for signed-in readers: after signing out, *Back* must not show their pages."""

PERMISSIONS = ", ".join(f"{name}=()" for name in NOT_ASKED_FOR)
WITH_CAMERA = PERMISSIONS.replace("camera=()", "camera=(self)")
"""Permissions of the pages that scan codes."""


@cache
def policy(*, is_framed: bool, is_page: bool, has_style: bool, runs_compiled: bool) -> str:
    """Return the value of ``Content-Security-Policy``."""
    sources = SOURCES if is_framed else SOURCES | FRAMED_BY
    if is_page:
        sources |= {"script-src": " ".join((SELF, *map(csp_digest, SCRIPTS)))}
    if runs_compiled:
        sources |= {"script-src": f"{SELF} {COMPILED}"}
    if has_style:
        sources |= {"style-src": " ".join((SELF, *map(csp_digest, SHEETS)))}
    return "; ".join(f"{name} {values}" for name, values in sources.items())


class HeadersMiddleware(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return response  # the browser keeps the page with its headers
        response.headers["Content-Security-Policy"] = policy(
            is_framed=getattr(response, "xframe_options_exempt", False),
            is_page=_is_a_page(response),
            has_style=_is_a_page(response) and is_opened_from_a_link(request),
            runs_compiled=getattr(response, RUNS_COMPILED, False),
        )
        response.headers["Permissions-Policy"] = (
            WITH_CAMERA if getattr(response, USES_CAMERA, False) else PERMISSIONS
        )
        response.headers.setdefault("Cache-Control", ASKED_EACH_TIME)
        if response.headers["Cache-Control"] == ASKED_EACH_TIME and _is_signed_in(request):
            response.headers["Cache-Control"] = KEPT_NOWHERE
        return response


def _is_signed_in(request: HttpRequest) -> bool:
    """Check without a query: a session that nobody read has put nothing on the page."""
    session = getattr(request, "session", None)
    return session is not None and session.accessed and SESSION_KEY in session


def _is_a_page(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")
