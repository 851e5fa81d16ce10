"""The addresses of the page that is shown: in each language, and as others find it."""

from typing import Any

from django import template

from clubs.absolute_urls import absolute_url, language_of_address
from config import languages

register = template.Library()


@register.simple_tag(takes_context=True)
def address_in(context: dict[str, Any], language: str) -> str:
    """The same page in another language, with what was asked of it."""
    return languages.address_in(context["request"], language)


@register.simple_tag(takes_context=True)
def whole_address(context: dict[str, Any], language: str | None = None) -> str:
    """The page for others: without what this reader asked of it, in a language, or the reader's own ("");
    without a language, as the page was asked for."""
    request = context["request"]
    asked = language_of_address(request) if language is None else language
    return absolute_url(request, languages.address_in(request, asked).partition("?")[0])


@register.simple_tag(takes_context=True)
def manifest_address(context: dict[str, Any], language: str) -> str:
    """The manifest in the language of the page: browsers ask for it without the reader's cookie."""
    root = getattr(context.get("request"), "site_prefix", "/")
    return f"{root}{language}/manifest.webmanifest"


@register.simple_tag(takes_context=True)
def whole_of(context: dict[str, Any], path: str) -> str:
    """The address of that path for others, who find it from elsewhere."""
    return absolute_url(context["request"], path)
