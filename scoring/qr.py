"""The QR code that leads a phone to a table."""

from collections.abc import Mapping
from urllib.parse import urlencode, urljoin

from django.urls import reverse

from web.qr import square

from .card_secrets import SQUARE
from .models import TableCard


def card_url(origin: str, card: TableCard, **more: int) -> str:
    """Return the address in the QR code of the card. With its secret, it always opens; ``more`` are added
    parameters."""
    table = urljoin(origin, reverse("scoring:table", args=[card.digits]))
    return f"{table}?{urlencode({SQUARE: card.secret, **more})}"


def card_address(card: TableCard, asked: Mapping[str, str] = {}) -> str:
    """Return the address by which phones know the table of the card, with the secret. It stays valid if the
    card is replaced."""
    return f"{reverse('scoring:table', args=[card.code])}?{urlencode({**asked, SQUARE: card.secret})}"


def square_of(origin: str, card: TableCard) -> str:
    """Return the QR code of the card, as SVG."""
    return square(card_url(origin, card))
