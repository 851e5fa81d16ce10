"""Embedded pages for frames on other sites: light, without cookies, linking to the whole pages."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from clubs.calendar import get_club_today
from clubs.models import Club
from clubs.pages import public_page
from live.conditional_pages import get_part_etag, get_template_or_part, shared_conditional_page
from live.snapshots import read_snapshot
from tournaments.agenda.queries import list_upcoming
from tournaments.entries.queries.entries import get_entries
from tournaments.events.queries import list_recent_public_events
from tournaments.events.views.access import public_event_required
from tournaments.models import Event, Season
from tournaments.public.presenters.club_home import build_club_home, get_club_home_revision
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.seasons.access import get_public_season_or_404, get_season_revision
from tournaments.seasons.presenters import build_ladder_view
from tournaments.sharing.presenters.embedding import THEMES
from tournaments.standings.presenters import build_standings_view, get_public_snapshot
from tournaments.standings.presenters.publication import mark_outdated
from tournaments.standings.queries.delays import get_watched_revision

MAX_RANKS, MAX_LINES = 10, 15
"""How many ranks of an event and lines of season standings are shown; the whole page has all."""


@xframe_options_exempt
@require_safe
@read_snapshot()
@public_event_required
def event_embed(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the round under way and the top of the standings, in a frame."""
    revision = f"embed.{event.pk}.{get_watched_revision(event)}.{event.is_sign_up_open:d}"
    return _render_frame(request, revision, "event", partial(_build_event_context, event))


def _build_event_context(event: Event) -> dict[str, Any]:
    visible = event.visible
    rounds = list(get_published_rounds(event))
    current_round = next((round_row for round_row in reversed(rounds) if visible.draw), None)
    view = None if current_round is None else build_round_view(current_round, is_public=True)
    snapshot = get_public_snapshot(event)
    standings = build_standings_view(event, snapshot, get_entries(event), rounds, max_rows=MAX_RANKS)
    return {
        "event": event,
        "club": event.club,
        "round": view if view is not None and view.is_playing else None,
        "has_begun": bool(rounds),
        "counts_games": event.counts_games,
        "standings": mark_outdated(event, snapshot, standings),
    }


@xframe_options_exempt
@require_safe
@read_snapshot()
@public_page
def club_embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's current and next events and its last results, in a frame."""
    club = get_object_or_404(Club, slug=slug)
    today, events = get_club_today(club), list_recent_public_events(club)
    etag = f"embed.club.{get_club_home_revision(club, events)}.{today}"
    return _render_frame(request, etag, "club", partial(_build_club_context, club, events))


def _build_club_context(club: Club, events: list[Event]) -> dict[str, Any]:
    return {"club": club, "view": build_club_home(club, events, list_upcoming(club, get_club_today(club)), ())}


@xframe_options_exempt
@require_safe
@read_snapshot()
@public_page
def season_embed(request: HttpRequest, slug: str, pk: int, place: int) -> HttpResponse:
    """Show the top of a season's standings, in a frame."""
    season = get_public_season_or_404(slug, pk, place)
    revision = f"embed.season.{pk}.{get_season_revision(season)}.{place}"
    return _render_frame(request, revision, "season", partial(_build_season_context, season, place))


def _build_season_context(season: Season, place: int) -> dict[str, Any]:
    view = build_ladder_view(season, place)
    return {"season": season, "club": season.club, "view": view, "lines": view.lines[:MAX_LINES]}


def _render_frame(
    request: HttpRequest, revision: str, kind: str, build_context: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """Render the page of that kind, or its part for htmx, in the theme asked for."""
    theme = request.GET.get("colours", "")
    theme = theme if theme in THEMES else ""
    etag = f"{revision}.{theme}"

    def render_page() -> HttpResponse:
        context = {**build_context(), "theme": theme, "etag": get_part_etag(request, etag)}
        return TemplateResponse(
            request, get_template_or_part(request, f"tournaments/sharing/embed/{kind}.html#live"), context
        )

    return shared_conditional_page(request, etag, render_page, query_params=["colours"])
