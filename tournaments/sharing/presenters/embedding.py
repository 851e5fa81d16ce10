"""Embeds: frames on other sites that show an event, a club, or a season."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.absolute_urls import absolute_url
from clubs.models import Club
from tournaments.models import Event, Season

SCRIPT = "js/embed.js"
"""Script that fits the height of a frame to its content. Its name stays: other sites load it."""
WIDTH, HEIGHT = 600, 480
"""Default size of a frame, in pixels."""
THEMES = ("light", "dark")
"""Colour themes of a frame; without one, it follows the reader's device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A frame on another site. ``path`` is the page in it, ``picture`` that of a link to the whole page; both
    become whole addresses with ``at``. ``kind`` is ``event``, ``club`` or ``season``."""

    kind: str
    title: str
    club: Club
    path: str
    picture: str
    script: str = ""

    def with_theme(self, theme: str) -> "Frame":
        """Return the frame in one of the ``THEMES``, or in none ("")."""
        return replace(self, path=f"{self.path}?{urlencode({'colours': theme})}" if theme else self.path)

    def at(self, request: HttpRequest) -> "Frame":
        """Return the frame with whole addresses, for other sites."""
        return replace(
            self,
            path=absolute_url(request, self.path),
            picture=absolute_url(request, self.picture),
            script=absolute_url(request, f"{settings.STATIC_URL}{SCRIPT}"),
        )

    @property
    def line(self) -> SafeString:
        """The HTML that embeds the frame."""
        return self.line_of("100%", HEIGHT)

    def line_of(self, width: str, height: int) -> SafeString:
        """Return the HTML that embeds the frame, with a width in HTML's terms. The script changes the height,
        which is in pixels."""
        return format_html(
            '<iframe src="{}" title="{}" width="{}" height="{}" frameborder="0" loading="lazy"></iframe>'
            '<script src="{}" async></script>',
            self.path,
            self.title,
            width,
            height,
            self.script,
        )


def frame_of_event(event: Event, language: str) -> Frame:
    return Frame(
        kind="event",
        title=event.name,
        club=event.club,
        path=_in(language, "event-embed", event.short),
        picture=_in(language, "event-picture", event.short),
    )


def frame_of_club(club: Club, language: str) -> Frame:
    return Frame(
        kind="club",
        title=club.name,
        club=club,
        path=_in(language, "club-embed", club.slug),
        picture=_in(language, "club-picture", club.slug),
    )


def frame_of_season(season: Season, language: str, place: int = 0) -> Frame:
    return Frame(
        kind="season",
        title=f"{season.name} · {season.club.name}",
        club=season.club,
        path=_in(language, "season-embed", season.club.slug, season.pk, place),
        picture=_in(language, "club-picture", season.club.slug),
    )


def _in(language: str, name: str, *arguments: str | int) -> str:
    """Return the address of a page in that language, whatever the current one."""
    return f"/{language}/{reverse(name, args=arguments).removeprefix(get_script_prefix())}"
