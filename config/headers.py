"""What browsers are told with every answer: where the parts of a page come from, what it asks of the device.

Each page is made of files of this installation, fetched or, by their digests, written into it. So whatever
somebody else got written into one runs no script, loads nothing, and sends nothing elsewhere. Django adds
``nosniff`` and ``Referrer-Policy: same-origin``: addresses with a table's code or a secret are told to no
other site.
"""

from functools import cache
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from web.device_access import RUNS_COMPILED, USES_CAMERA

from .inline_assets import SCRIPTS, SHEETS, csp_digest, is_opened_from_a_link

SELF, NONE = "'self'", "'none'"
COMPILED = "'wasm-unsafe-eval'"
"""Programs for WebAssembly, of which a policy cannot say whose; scripts stay ours."""
SOURCES = {
    "default-src": NONE,
    "script-src": SELF,
    "style-src": SELF,
    "img-src": SELF,
    "connect-src": SELF,
    "manifest-src": SELF,
    "worker-src": SELF,
    "frame-src": SELF,  # the desk shows what other sites will frame
    "form-action": SELF,
    "base-uri": NONE,
}
FRAMED_BY = {"frame-ancestors": NONE}
"""Said where Django says ``X-Frame-Options`` too: of all but the pages made for other sites."""
NOT_ASKED_FOR = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
    *("microphone", "midi", "payment", "usb"),
)
"""Of the device. Passkeys and the clipboard are used; browsers give both to the page itself only."""

ASKED_EACH_TIME = "no-cache, private"
"""Said where a page says nothing of caches itself: what is not public any more is in none of them."""

PERMISSIONS = ", ".join(f"{name}=()" for name in NOT_ASKED_FOR)
WITH_CAMERA = PERMISSIONS.replace("camera=()", "camera=(self)")
"""Of the pages that read codes."""


@cache
def policy(*, is_framed: bool, is_page: bool, has_style: bool, runs_compiled: bool) -> str:
    """The value of ``Content-Security-Policy``."""
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
            return response  # the browser has the page, and what it was told of it
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
        return response


def _is_a_page(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")
