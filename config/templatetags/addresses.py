"""Addresses of the current page: in each language, and for other readers."""

from typing import Any

from django import template

from clubs.absolute_urls import absolute_url, language_of_address
from server import languages

register = template.Library()


@register.simple_tag(takes_context=True)
def address_in(context: dict[str, Any], language: str) -> str:
    """Return the address of this page in another language, with its query."""
    return languages.address_in(context["request"], language)


@register.simple_tag(takes_context=True)
def whole_address(context: dict[str, Any], language: str | None = None) -> str:
    """Return the full address of this page for other readers, without its query.

    It is in the given language, without one ("") for the reader's own; by default as the page was requested.
    """
    request = context["request"]
    asked = language_of_address(request) if language is None else language
    return absolute_url(request, languages.address_in(request, asked).partition("?")[0])


@register.simple_tag(takes_context=True)
def manifest_address(context: dict[str, Any], language: str) -> str:
    """Return the address of the manifest in the language of the page: browsers request it without the
    reader's cookie."""
    root = getattr(context.get("request"), "site_prefix", "/")
    return f"{root}{language}/manifest.webmanifest"


@register.simple_tag(takes_context=True)
def whole_of(context: dict[str, Any], path: str) -> str:
    """Return the full address of that path, for readers elsewhere."""
    return absolute_url(context["request"], path)
