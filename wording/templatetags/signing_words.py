"""Template tags for the results log of a club, in the reader's language."""

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from engine.signed_logs import EntryKind
from web.qr import origin_for_phones, square
from wording.labels.signing import ENTRIES

register = template.Library()


@register.filter
def entry_title(kind: EntryKind) -> str:
    """Return the title of an entry: ``Final standings, corrected``."""
    return str(ENTRIES[kind])


@register.simple_tag(takes_context=True)
def square_to(context: dict[str, Any], path: str) -> SafeString:
    """Return a QR code that leads phones to this path."""
    return mark_safe(square(origin_for_phones(context["request"]).rstrip("/") + path))  # noqa: S308
