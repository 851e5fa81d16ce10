"""The square to scan that leads a phone to a table."""

from urllib.parse import urlencode, urljoin

from django.urls import reverse

from web.qr import square

from .models import TableCard
from .table_access import SQUARE


def card_url(origin: str, card: TableCard, **more: int) -> str:
    """Where the square of the card leads: with its secret, it always opens. ``more`` is asked there too."""
    table = urljoin(origin, reverse("scoring:table", args=[card.digits]))
    return f"{table}?{urlencode({SQUARE: card.secret, **more})}"


def square_of(origin: str, card: TableCard) -> str:
    """Its QR code, as SVG."""
    return square(card_url(origin, card))
