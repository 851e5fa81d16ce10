"""The square to scan that leads a phone to a table."""

from urllib.parse import urljoin

from django.urls import reverse

from clubs.squares import square


def square_of(origin: str, code: str) -> str:
    """The QR code of the table with this card, as SVG."""
    return square(urljoin(origin, reverse("scoring:table", args=[code])))
