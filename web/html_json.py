"""JSON inside an HTML page."""

from django.utils.safestring import SafeString, mark_safe

_HTML_ESCAPES = {ord(char): f"\\u{ord(char):04X}" for char in "<>&\u2028\u2029"}
"""The escapes of Django's ``json_script``, which can write only one kind of element."""


def escape_json_for_html(text: str) -> SafeString:
    """Escape the JSON so that none of it can be taken for HTML."""
    return mark_safe(text.translate(_HTML_ESCAPES))  # noqa: S308 - what could end the element is escaped
