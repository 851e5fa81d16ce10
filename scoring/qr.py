"""The square to scan that leads a phone to a table."""

from urllib.parse import urlencode, urljoin

from django.urls import reverse

from web.qr import square

from .card_letters import letters_of
from .table_access import LETTERS


def card_url(origin: str, code: str, **more: int) -> str:
    """Where the square of the card with this code leads: with its letters, it always opens. ``more`` is asked
    for there, too."""
    table = urljoin(origin, reverse("scoring:table", args=[code]))
    return f"{table}?{urlencode({LETTERS: letters_of(code), **more})}"


def square_of(origin: str, code: str) -> str:
    """Its QR code, as SVG."""
    return square(card_url(origin, code))
