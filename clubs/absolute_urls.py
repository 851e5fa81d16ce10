"""Addresses as they are read elsewhere: by agendas, by feed readers, and by whoever a link was sent to."""

from django.conf import settings
from django.http import HttpRequest

from .models import Club


def absolute_url(request: HttpRequest, path: str) -> str:
    """The path with the installation's own scheme and host; with those of the request, where none is set."""
    return f"{settings.ADDRESS}{path}" if settings.ADDRESS else request.build_absolute_uri(path)


def language_of_address(request: HttpRequest) -> str:
    """``fr`` or ``en``; "" where the address leaves it to the reader."""
    return str(vars(request).get("language_of_address", ""))


def language_for_programs(request: HttpRequest, club: Club) -> str:
    """The address's, else the club's: an agenda or a feed reader speaks none."""
    return language_of_address(request) or club.language
