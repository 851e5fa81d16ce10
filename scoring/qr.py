"""The QR code that leads a phone to a table."""

from collections.abc import Mapping
from urllib.parse import urlencode, urljoin

from django.urls import reverse

from web.qr import render_qr_code

from .card_secrets import CARD_PARAM
from .models import TableCard


def build_card_url(origin: str, card: TableCard, **params: int) -> str:
    """Return the address in the QR code of the card. With its secret, it always opens; ``params`` are added to
    the query."""
    table = urljoin(origin, reverse("scoring:table", args=[card.digits]))
    return f"{table}?{urlencode({CARD_PARAM: card.secret, **params})}"


def build_card_path(card: TableCard, params: Mapping[str, str] = {}) -> str:
    """Return the address by which phones know the table of the card, with the secret. It stays valid if the
    card is replaced."""
    return f"{reverse('scoring:table', args=[card.code])}?{urlencode({**params, CARD_PARAM: card.secret})}"


def render_card_qr_code(origin: str, card: TableCard) -> str:
    """Return the QR code of the card, as SVG."""
    return render_qr_code(build_card_url(origin, card))
