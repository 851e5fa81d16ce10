"""Template tags about this installation: its version, addresses, backups, health and handbook."""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from clubs.absolute_urls import build_absolute_url, get_url_language
from clubs.models import Club
from clubs.queries import is_installation_owner
from config import __version__
from handbook.pages import find_page
from operations.backup.automatic import BackupState, get_backup_state
from operations.doctor import Finding
from operations.doctor.labels import describe_finding
from operations.up.reach import moved_address as find_moved_address
from server import languages
from server.answers import installation_id
from web.qr import get_phone_origin, render_qr_code

register = template.Library()


@register.simple_tag
def program_version() -> str:
    """Return the version that serves the page, for support on the telephone."""
    return f"Charlemagne {__version__}"


@register.simple_tag(takes_context=True)
def help_url(context: dict[str, Any]) -> str:
    """Return the address of the handbook page about the current page."""
    match = getattr(context.get("request"), "resolver_match", None)
    return reverse("help-page", args=[find_page(match.func.__module__)]) if match else reverse("help")


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


@register.simple_tag
def certificate_page() -> str:
    """Return the address of the page with the hall's own certificate for phones; "" if there is none."""
    return reverse("certificate") if settings.HTTPS_PORT else ""


@register.simple_tag
def phones_url(club: Club) -> str:
    """Return the URL of the page of addresses; "" on a server, which has none."""
    return reverse("phones", args=[club.slug]) if settings.NAMES.is_hall else ""


@register.simple_tag(takes_context=True)
def moved_address(context: template.Context) -> dict[str, Any] | None:
    """Return the new address with its QR code, until a phone has arrived there; None otherwise."""
    new_address = find_moved_address() if settings.NAMES.is_hall else None
    if new_address is None:
        return None
    origin = urlsplit(get_phone_origin(context["request"]))
    url = new_address.address.build_url(origin.port or 80, origin.scheme)
    return {"host": urlsplit(url).netloc, "qr": render_qr_code(url)}


@register.simple_tag
def failed_backups() -> BackupState | None:
    """Return the state of the backups; None if the last one was made in time. One query."""
    state = get_backup_state(timezone.now()) if settings.AUTOMATIC_BACKUPS else None
    return state if state is not None and state.needs_attention else None


@register.filter
def format_finding(result: Finding) -> str:
    return describe_finding(result.code, result.details)


register.simple_tag(installation_id)
register.simple_tag(name="runs_installation")(is_installation_owner)
