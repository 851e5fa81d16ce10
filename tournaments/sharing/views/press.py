"""The story of an event, its texts to copy, and the HTML that embeds it in a club's own site."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.absolute_urls import build_absolute_url
from live.conditional_pages import get_part_etag, get_template_or_part, is_partial_request, read_snapshot
from tournaments.events.views.access import event_directors_only, public_event_required, serve_shared_event_page
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.public.queries.club_home import select_open_seasons
from tournaments.sharing.presenters.embedding import THEMES, build_club_frame, build_event_frame, build_season_frame
from tournaments.sharing.presenters.live_reports import build_live_report
from tournaments.sharing.presenters.press import build_press_report, get_press_report, load_press_data
from tournaments.sharing.press.values import PressReport


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalizedReport:
    """A report in a language, and the address of the event in it."""

    language: str
    report: PressReport
    address: str


@require_safe
@event_directors_only
def press_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a text for the newspaper and one for Facebook, in each language, with public content only."""
    visible = event.visible
    context = {
        "event": event,
        "seen": visible,
        "is_kept_back": not visible.has_whole_standings,
        "has_ended": event.state == EventState.ENDED,
        "texts": [_build_localized_report(request, event, language) for language in _list_languages()]
        if visible.is_public
        else [],
    }
    return TemplateResponse(request, "tournaments/sharing/press/page.html", context)


def _build_localized_report(request: HttpRequest, event: Event, language: str) -> LocalizedReport:
    with override(language):
        address = build_absolute_url(request, f"/{language}{event.get_absolute_url()}")
        return LocalizedReport(language=language, report=get_press_report(event), address=address)


def _list_languages() -> list[str]:
    """Return the site's languages, the reader's first."""
    codes = [code for code, _ in settings.LANGUAGES]
    return sorted(codes, key=lambda code: code != get_language())


@require_safe
@event_directors_only
def embedding_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the HTML that embeds the event, the club and its seasons, with a preview of each."""
    query = request.GET
    language = query["in"] if query.get("in") in _list_languages() else event.club.language
    theme = query["colours"] if query.get("colours") in THEMES else ""
    frames = [build_event_frame(event, language), build_club_frame(event.club, language)]
    frames += [
        build_season_frame(season, language) for season in select_open_seasons(event.club).defer("rows", "scores")
    ]
    context = {
        "event": event,
        "frames": [
            {"kind": frame.kind, "title": frame.title, "path": frame.path, "line": frame.make_absolute(request).html}
            for frame in (one.apply_theme(theme) for one in frames)
        ],
        "language": language,
        "theme": theme,
        "is_public": event.is_public,
    }
    return TemplateResponse(request, "tournaments/sharing/press/embedding.html", context)


@require_safe
@read_snapshot()
@public_event_required
def story_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a live report of the event, and after its end its story and a picture to send."""
    return serve_shared_event_page(request, event, "story", _render_story)


def _render_story(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    """Render the story. Once the event has ended, readers who have it open get the whole page, since what
    they can send is outside the part that changes."""
    has_ended = event.state == EventState.ENDED
    if has_ended and is_partial_request(request):
        return HttpResponseClientRefresh()
    data = load_press_data(event)
    context = {
        "event": event,
        "press_report": build_press_report(data),
        "live": build_live_report(data),
        "has_ended": has_ended,
        "is_kept_back": data.standings.is_kept_back,
        "address": request.path,
        "whole_address": build_absolute_url(request, event.get_absolute_url()),
        "etag": get_part_etag(request, revision),
    }
    return TemplateResponse(request, get_template_or_part(request, "tournaments/sharing/story/page.html#live"), context)
