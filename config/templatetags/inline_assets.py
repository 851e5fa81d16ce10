"""``{% style "css/base.css" %}``: a style sheet, linked or inlined; ``{% script_written_in "js/theme.js"
%}``: an inlined script (``server.inline_assets``)."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from server.inline_assets import STYLE_SHEETS, is_link_page, read_minified

register = template.Library()


@register.simple_tag(takes_context=True)
def style(context: dict[str, Any], name: str) -> SafeString:
    request = context.get("request")
    if name in STYLE_SHEETS and request is not None and is_link_page(request):
        return mark_safe(f"<style>{read_minified(name)}</style>")  # noqa: S308
    return format_html('<link rel="stylesheet" href="{}">', static(name))


@register.simple_tag
def inline_script(name: str) -> SafeString:
    """Inline a script; the name is one of ``SCRIPTS``."""
    return mark_safe(f"<script>{read_minified(name)}</script>")  # noqa: S308
