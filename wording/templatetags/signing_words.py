"""Template tags for the results log of a club, in the reader's language."""

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from tournaments.signing.labels import ENTRIES
from web.qr import get_phone_origin, render_qr_code
from wording.lookups import build_lookup

register = template.Library()
register.filter("get_entry_title", build_lookup(ENTRIES))


@register.simple_tag(takes_context=True)
def qr_code(context: dict[str, Any], path: str) -> SafeString:
    """Return a QR code that leads phones to this path."""
    return mark_safe(render_qr_code(get_phone_origin(context["request"]).rstrip("/") + path))  # noqa: S308
