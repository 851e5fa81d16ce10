"""Texts about an event to copy, and the HTML that embeds it in a club's own site."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import absolute_url
from tournaments.events.views.access import for_directors
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.public.queries.club_home import open_seasons_of
from tournaments.sharing.presenters.embedding import THEMES, frame_of_club, frame_of_event, frame_of_season
from tournaments.sharing.presenters.press import press_report
from tournaments.sharing.press import PressReport


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldIn:
    """A report in a language, and the address of the event in it."""

    language: str
    told: PressReport
    address: str


@require_safe
@for_directors
def telling_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a text for the newspaper and one for Facebook, in each language, with public content only."""
    seen = event.visible
    context = {
        "event": event,
        "seen": seen,
        "is_kept_back": not seen.has_whole_standings,
        "has_ended": event.state == EventState.ENDED,
        "texts": [_told_in(request, event, language) for language in _languages()] if seen.is_public else [],
    }
    return TemplateResponse(request, "tournaments/sharing/press/page.html", context)


def _told_in(request: HttpRequest, event: Event, language: str) -> ToldIn:
    with override(language):
        address = absolute_url(request, f"/{language}{event.get_absolute_url()}")
        return ToldIn(language=language, told=press_report(event), address=address)


def _languages() -> list[str]:
    """Return the site's languages, the reader's first."""
    codes = [code for code, _ in settings.LANGUAGES]
    return sorted(codes, key=lambda code: code != get_language())


@require_safe
@for_directors
def embedding_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the HTML that embeds the event, the club and its seasons, with a preview of each."""
    asked = request.GET
    language = asked["in"] if asked.get("in") in _languages() else event.club.language
    theme = asked["colours"] if asked.get("colours") in THEMES else ""
    frames = [frame_of_event(event, language), frame_of_club(event.club, language)]
    frames += [
        frame_of_season(season, language) for season in open_seasons_of(event.club).defer("rows", "scores")
    ]
    context = {
        "event": event,
        "frames": [
            {"kind": frame.kind, "title": frame.title, "path": frame.path, "line": frame.at(request).line}
            for frame in (one.with_theme(theme) for one in frames)
        ],
        "language": language,
        "theme": theme,
        "is_public": event.is_public,
    }
    return TemplateResponse(request, "tournaments/sharing/press/embedding.html", context)
