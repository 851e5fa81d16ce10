"""QR codes, and the addresses to which they lead phones."""

from functools import lru_cache
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string


@lru_cache(maxsize=500)
def square(text: str) -> str:
    """Return the QR code of an address or another text as SVG. It is cached, since it takes as long as the
    rest of a page."""
    svg: str = segno.make(text, error="m", micro=False).svg_inline(border=0, omitsize=True, svgclass="qr")
    return svg


def origin_for_phones(request: HttpRequest, *, is_secure: bool | None = None) -> str:
    """Return this server's address for phones: the one chosen for them, else the page's own; on the network,
    if the page is open at localhost. With both http and https, it is the one for cards, or the one requested
    by ``is_secure``."""
    is_secure = settings.CARDS_BY_HTTPS if is_secure is None else is_secure
    here = urlsplit(_by_that_door(request.build_absolute_uri("/"), is_secure=is_secure))
    for_phones: str | None = None
    if settings.NAMES.is_hall:
        for_phones = import_string(settings.PHONE_URL)(
            settings.LISTENS_AT, here.port or 80, here.scheme, is_chosen=not is_only_here(here.geturl())
        )
    return for_phones or here.geturl()


def _by_that_door(origin: str, *, is_secure: bool) -> str:
    if not settings.HTTPS_PORT:
        return origin
    scheme, port = ("https", settings.HTTPS_PORT) if is_secure else ("http", settings.HTTP_PORT)
    asked = urlsplit(origin)
    return f"{scheme}://{asked.netloc.removesuffix(f':{asked.port}')}:{port}/"


def is_only_here(origin: str) -> bool:
    """Return whether an address leads only to the computer that it is typed on."""
    name = urlsplit(origin).hostname or ""
    return name in {"localhost", "::1"} or name.startswith("127.")
