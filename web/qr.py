"""QR codes, and the addresses to which they lead phones."""

from functools import lru_cache
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string


@lru_cache(maxsize=500)
def render_qr_code(text: str) -> str:
    """Return the QR code of an address or another text as SVG. It is cached, since it takes as long as the
    rest of a page."""
    svg: str = segno.make(text, error="m", micro=False).svg_inline(border=0, omitsize=True, svgclass="qr")
    return svg


def get_phone_origin(request: HttpRequest, *, is_secure: bool | None = None) -> str:
    """Return this server's address for phones: the one chosen for them, else the page's own; on the network,
    if the page is open at localhost. With both http and https, it is the one for cards, or the one requested
    by ``is_secure``."""
    is_secure = settings.CARDS_BY_HTTPS if is_secure is None else is_secure
    page_origin = urlsplit(_replace_scheme(request.build_absolute_uri("/"), is_secure=is_secure))
    phone_origin: str | None = None
    if settings.NAMES.is_hall:
        phone_origin = import_string(settings.PHONE_URL)(
            settings.LISTEN_ADDRESS,
            page_origin.port or 80,
            page_origin.scheme,
            is_chosen=not is_loopback(page_origin.geturl()),
        )
    return phone_origin or page_origin.geturl()


def _replace_scheme(origin: str, *, is_secure: bool) -> str:
    if not settings.HTTPS_PORT:
        return origin
    scheme, port = ("https", settings.HTTPS_PORT) if is_secure else ("http", settings.HTTP_PORT)
    parts = urlsplit(origin)
    return f"{scheme}://{parts.netloc.removesuffix(f':{parts.port}')}:{port}/"


def is_loopback(origin: str) -> bool:
    """Return whether an address leads only to the computer that it is typed on."""
    name = urlsplit(origin).hostname or ""
    return name in {"localhost", "::1"} or name.startswith("127.")
