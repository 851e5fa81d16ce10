"""Addresses for phones, and the squares to scan that lead to them."""

from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string


def square(address: str) -> str:
    """The QR code of the address, as SVG."""
    svg: str = segno.make(address, error="m", micro=False).svg_inline(border=0, omitsize=True, svgclass="qr")
    return svg


def origin_for_phones(request: HttpRequest) -> str:
    """The address of this page's server; on the network, where the page calls its own computer localhost and
    others reach it."""
    here = request.build_absolute_uri("/")
    if is_only_here(here):
        on_the_network: str | None = import_string(settings.NETWORK_URL)(
            settings.LISTENS_AT, urlsplit(here).port or 80
        )
        return on_the_network or here
    return here


def is_only_here(origin: str) -> bool:
    """Whether an address leads nowhere but to the computer that it is typed on."""
    name = urlsplit(origin).hostname or ""
    return name in {"localhost", "::1"} or name.startswith("127.")
