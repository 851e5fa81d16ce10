"""Addresses of the current page: in each language, and for other readers."""

from typing import Any

from django import template

from clubs.absolute_urls import build_absolute_url, get_url_language
from server import languages

register = template.Library()


@register.simple_tag(takes_context=True)
def page_url(context: dict[str, Any], language: str) -> str:
    """Return the address of this page in another language, with its query."""
    return languages.build_language_url(context["request"], language)


@register.simple_tag(takes_context=True)
def full_url(context: dict[str, Any], language: str | None = None) -> str:
    """Return the full address of this page for other readers, without its query.

    It is in the given language, without one ("") for the reader's own; by default as the page was requested.
    """
    request = context["request"]
    target_language = get_url_language(request) if language is None else language
    return build_absolute_url(request, languages.build_language_url(request, target_language).partition("?")[0])


@register.simple_tag(takes_context=True)
def manifest_url(context: dict[str, Any], language: str) -> str:
    """Return the address of the manifest in the language of the page: browsers request it without the
    reader's cookie."""
    root = getattr(context.get("request"), "site_prefix", "/")
    return f"{root}{language}/manifest.webmanifest"


@register.simple_tag(takes_context=True)
def absolute_path_url(context: dict[str, Any], path: str) -> str:
    """Return the full address of that path, for readers elsewhere."""
    return build_absolute_url(context["request"], path)
