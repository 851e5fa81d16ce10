"""The log of a club in templates, in the reader's language."""

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from engine.signed_logs import EntryKind
from web.qr import origin_for_phones, square
from wording.labels.signing import ENTRIES

register = template.Library()


@register.filter
def entry_title(kind: EntryKind) -> str:
    """``Final standings, corrected``."""
    return str(ENTRIES[kind])


@register.simple_tag(takes_context=True)
def square_to(context: dict[str, Any], path: str) -> SafeString:
    """A square that leads phones to this path."""
    return mark_safe(square(origin_for_phones(context["request"]).rstrip("/") + path))  # noqa: S308
