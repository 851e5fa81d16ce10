"""Template tags for the addresses of this computer: their page, and the new one after a change of network."""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.urls import reverse

from clubs.models import Club
from operations.up.reach import moved_address as find_moved_address
from web.qr import origin_for_phones, square

register = template.Library()


@register.simple_tag
def phones_page(club: Club) -> str:
    """Return the URL of the page of addresses; "" on a server, which has none."""
    return reverse("phones", args=[club.slug]) if settings.NAMES.is_hall else ""


@register.simple_tag(takes_context=True)
def moved_address(context: template.Context) -> dict[str, Any] | None:
    """Return the new address with its QR code, until a phone has arrived there; None otherwise."""
    moved = find_moved_address() if settings.NAMES.is_hall else None
    if moved is None:
        return None
    origin = urlsplit(origin_for_phones(context["request"]))
    url = moved.address.url(origin.port or 80, origin.scheme)
    return {"host": urlsplit(url).netloc, "qr": square(url)}
