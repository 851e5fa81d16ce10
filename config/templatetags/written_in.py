"""``{% style "css/base.css" %}``: a style sheet, linked or written into the page (``config.written_in``)."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from config.written_in import SCRIPTS, SHEETS, is_opened_from_a_link, text_of

register = template.Library()


@register.simple_tag(takes_context=True)
def style(context: dict[str, Any], name: str) -> SafeString:
    if _is_written_in(context, name, SHEETS):
        return mark_safe(f"<style>{text_of(name)}</style>")  # noqa: S308
    return format_html('<link rel="stylesheet" href="{}">', static(name))


@register.simple_tag(takes_context=True)
def script_before_the_first_paint(context: dict[str, Any], name: str) -> SafeString:
    if _is_written_in(context, name, SCRIPTS):
        return mark_safe(f"<script>{text_of(name)}</script>")  # noqa: S308
    return format_html('<script src="{}"></script>', static(name))


def _is_written_in(context: dict[str, Any], name: str, names: tuple[str, ...]) -> bool:
    request = context.get("request")
    return name in names and request is not None and is_opened_from_a_link(request)
