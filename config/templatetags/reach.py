"""Template tags for the addresses of this computer: their page, and the new one after a change of network."""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.urls import reverse

from clubs.models import Club
from operations.up.reach import moved_address as find_moved_address
from web.qr import get_phone_origin, render_qr_code

register = template.Library()


@register.simple_tag
def phones_url(club: Club) -> str:
    """Return the URL of the page of addresses; "" on a server, which has none."""
    return reverse("phones", args=[club.slug]) if settings.NAMES.is_hall else ""


@register.simple_tag(takes_context=True)
def moved_address(context: template.Context) -> dict[str, Any] | None:
    """Return the new address with its QR code, until a phone has arrived there; None otherwise."""
    new_address = find_moved_address() if settings.NAMES.is_hall else None
    if new_address is None:
        return None
    origin = urlsplit(get_phone_origin(context["request"]))
    url = new_address.address.build_url(origin.port or 80, origin.scheme)
    return {"host": urlsplit(url).netloc, "qr": render_qr_code(url)}
