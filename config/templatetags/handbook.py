"""``{% help_address %}``: the handbook page about the current page."""

from typing import Any

from django import template
from django.urls import reverse

from handbook.pages import find_page

register = template.Library()


@register.simple_tag(takes_context=True)
def help_url(context: dict[str, Any]) -> str:
    match = getattr(context.get("request"), "resolver_match", None)
    return reverse("help-page", args=[find_page(match.func.__module__)]) if match else reverse("help")
