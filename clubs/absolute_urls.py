"""Absolute URLs for calendars, feed readers and people who were sent a link."""

from django.conf import settings
from django.http import HttpRequest

from .models import Club


def build_absolute_url(request: HttpRequest, path: str) -> str:
    """Return the absolute URL of a path: on the configured address, else on the request's scheme and host."""
    return f"{settings.ADDRESS}{path}" if settings.ADDRESS else request.build_absolute_uri(path)


def get_url_language(request: HttpRequest) -> str:
    """Return ``fr`` or ``en`` if the URL names a language; else ""."""
    return str(vars(request).get("language_of_address", ""))


def get_feed_language(request: HttpRequest, club: Club) -> str:
    """Return the language of the URL, else the club's: calendars and feed readers send none."""
    return get_url_language(request) or club.language
