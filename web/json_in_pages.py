"""JSON that stands in a page."""

from django.utils.safestring import SafeString, mark_safe

_ENDS_NO_ELEMENT = {ord(char): f"\\u{ord(char):04X}" for char in "<>&\u2028\u2029"}
"""As Django's ``json_script`` does it, which writes one kind of element only."""


def json_in_page(text: str) -> SafeString:
    """The same JSON, of which no sign can be taken for one of HTML."""
    return mark_safe(text.translate(_ENDS_NO_ELEMENT))  # noqa: S308 - what could end the element is escaped
