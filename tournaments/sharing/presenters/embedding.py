"""Embeds: frames on other sites that show an event, a club, or a season."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.absolute_urls import build_absolute_url
from clubs.models import Club
from tournaments.models import Event, Season

SCRIPT_PATH = "js/embed.js"
"""Script that fits the height of a frame to its content. Its name stays: other sites load it."""
WIDTH, HEIGHT = 600, 480
"""Default size of a frame, in pixels."""
THEMES = ("light", "dark")
"""Colour themes of a frame; without one, it follows the reader's device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A frame on another site. ``path`` is the page in it, ``picture`` the preview of a link to the whole page;
    ``make_absolute`` turns both into whole addresses. ``kind`` is ``event``, ``club`` or ``season``."""

    kind: str
    title: str
    club: Club
    path: str
    picture: str
    script: str = ""

    def apply_theme(self, theme: str) -> "Frame":
        """Return the frame in one of the ``THEMES``, or in none ("")."""
        return replace(self, path=f"{self.path}?{urlencode({'colours': theme})}" if theme else self.path)

    def make_absolute(self, request: HttpRequest) -> "Frame":
        """Return the frame with whole addresses, for other sites."""
        return replace(
            self,
            path=build_absolute_url(request, self.path),
            picture=build_absolute_url(request, self.picture),
            script=build_absolute_url(request, f"{settings.STATIC_URL}{SCRIPT_PATH}"),
        )

    @property
    def html(self) -> SafeString:
        """The HTML that embeds the frame."""
        return self.render_html("100%", HEIGHT)

    def render_html(self, width: str, height: int) -> SafeString:
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


def build_event_frame(event: Event, language: str) -> Frame:
    return Frame(
        kind="event",
        title=event.name,
        club=event.club,
        path=_get_path(language, "event-embed", event.short),
        picture=_get_path(language, "event-picture", event.short),
    )


def build_club_frame(club: Club, language: str) -> Frame:
    return Frame(
        kind="club",
        title=club.name,
        club=club,
        path=_get_path(language, "club-embed", club.slug),
        picture=_get_path(language, "club-picture", club.slug),
    )


def build_season_frame(season: Season, language: str, place: int = 0) -> Frame:
    return Frame(
        kind="season",
        title=f"{season.name} · {season.club.name}",
        club=season.club,
        path=_get_path(language, "season-embed", season.club.slug, season.pk, place),
        picture=_get_path(language, "club-picture", season.club.slug),
    )


def _get_path(language: str, name: str, *arguments: str | int) -> str:
    """Return the address of a page in that language, whatever the current one."""
    return f"/{language}/{reverse(name, args=arguments).removeprefix(get_script_prefix())}"
