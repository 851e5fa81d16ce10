"""The square to scan that leads a phone to a table."""

from collections.abc import Mapping
from urllib.parse import urlencode, urljoin

from django.urls import reverse

from web.qr import square

from .card_secrets import SQUARE
from .models import TableCard


def card_url(origin: str, card: TableCard, **more: int) -> str:
    """Where the square of the card leads: with its secret, it always opens. ``more`` is asked there too."""
    table = urljoin(origin, reverse("scoring:table", args=[card.digits]))
    return f"{table}?{urlencode({SQUARE: card.secret, **more})}"


def card_address(card: TableCard, asked: Mapping[str, str] = {}) -> str:
    """Where phones know the table of the card, which opens it: also of one that took another's place."""
    return f"{reverse('scoring:table', args=[card.code])}?{urlencode({**asked, SQUARE: card.secret})}"


def square_of(origin: str, card: TableCard) -> str:
    """Its QR code, as SVG."""
    return square(card_url(origin, card))
