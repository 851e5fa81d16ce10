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

from .inline_assets import SCRIPTS, SHEETS, csp_digest, is_opened_from_a_link

SELF, NONE = "'self'", "'none'"
SOURCES = {
    "default-src": NONE,
    "script-src": SELF,
    # Where a match stands in a bracket is a style attribute; style sheets are files. A browser that does not
    # know the difference (Safari before 15.4) takes the first of the two.
    "style-src": f"{SELF} 'unsafe-inline'",
    "style-src-elem": SELF,
    "img-src": SELF,
    "connect-src": SELF,
    "manifest-src": SELF,
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


@cache
def policy(*, is_framed: bool, is_page: bool, has_style: bool) -> str:
    """The value of ``Content-Security-Policy``."""
    sources = SOURCES if is_framed else SOURCES | FRAMED_BY
    if is_page:
        sources |= {"script-src": " ".join((SELF, *map(csp_digest, SCRIPTS)))}
    if has_style:
        sources |= {"style-src-elem": " ".join((SELF, *map(csp_digest, SHEETS)))}
    return "; ".join(f"{name} {values}" for name, values in sources.items())


class HeadersMiddleware(MiddlewareMixin):
    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return response  # the browser has the page, and what it was told of it
        response.headers["Content-Security-Policy"] = policy(
            is_framed=getattr(response, "xframe_options_exempt", False),
            is_page=_is_a_page(response),
            has_style=_is_a_page(response) and is_opened_from_a_link(request),
        )
        response.headers["Permissions-Policy"] = PERMISSIONS
        response.headers.setdefault("Cache-Control", ASKED_EACH_TIME)
        return response


def _is_a_page(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")
