"""Embedded pages for frames on other sites: light, without cookies, linking to the whole pages."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from clubs.access import for_everybody
from clubs.calendar import today_in
from clubs.models import Club
from live.conditional_pages import page_or_part, part_tag, shared_conditional_page
from tournaments.agenda.queries import agenda_ahead
from tournaments.entries.queries.entries import entries_of
from tournaments.events.queries import recent_public_events
from tournaments.events.views.access import for_watchers
from tournaments.models import Event, Season
from tournaments.public.presenters.club_home import front_revision, front_view
from tournaments.rounds.presenters.rounds import round_view
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.seasons.access import season_for_everybody, season_revision
from tournaments.seasons.presenters import ladder_view
from tournaments.sharing.presenters.embedding import THEMES
from tournaments.standings.presenters import public_snapshot, standings_view
from tournaments.standings.presenters.publication import check_validity
from tournaments.standings.queries.delays import watched_revision

RANKS, LINES = 10, 15
"""How many ranks of an event and lines of season standings are shown; the whole page has all."""


@xframe_options_exempt
@require_safe
@for_watchers
def event_embed(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the round under way and the top of the standings, in a frame."""
    revision = f"embed.{event.pk}.{watched_revision(event)}.{event.takes_sign_ups:d}"
    return _render_frame(request, revision, "event", partial(_event, event))


def _event(event: Event) -> dict[str, Any]:
    seen = event.visible
    rounds = list(rounds_of(event))
    playing = next((one for one in reversed(rounds) if seen.draw), None)
    view = None if playing is None else round_view(playing, is_public=True)
    kept = public_snapshot(event)
    standings = standings_view(event, kept, entries_of(event), rounds, most=RANKS)
    return {
        "event": event,
        "club": event.club,
        "round": view if view is not None and view.is_playing else None,
        "has_begun": bool(rounds),
        "counts_games": event.counts_games,
        "standings": check_validity(event, kept, standings),
    }


@xframe_options_exempt
@require_safe
@for_everybody
def club_embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the club's current and next events and its last results, in a frame."""
    club = get_object_or_404(Club, slug=slug)
    today, events = today_in(club), recent_public_events(club)
    shown = f"embed.club.{front_revision(club, events)}.{today}"
    return _render_frame(request, shown, "club", partial(_club, club, events))


def _club(club: Club, events: list[Event]) -> dict[str, Any]:
    return {"club": club, "view": front_view(club, events, agenda_ahead(club, today_in(club)), ())}


@xframe_options_exempt
@require_safe
@for_everybody
def season_embed(request: HttpRequest, slug: str, pk: int, place: int) -> HttpResponse:
    """Show the top of a season's standings, in a frame."""
    season = season_for_everybody(slug, pk, place)
    revision = f"embed.season.{pk}.{season_revision(season)}.{place}"
    return _render_frame(request, revision, "season", partial(_season, season, place))


def _season(season: Season, place: int) -> dict[str, Any]:
    view = ladder_view(season, place)
    return {"season": season, "club": season.club, "view": view, "lines": view.lines[:LINES]}


def _render_frame(
    request: HttpRequest, revision: str, kind: str, found: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """Render the page of that kind, or its part for htmx, in the theme asked for."""
    theme = request.GET.get("colours", "")
    theme = theme if theme in THEMES else ""
    shown = f"{revision}.{theme}"

    def page() -> HttpResponse:
        context = {**found(), "theme": theme, "etag": part_tag(request, shown)}
        return TemplateResponse(
            request, page_or_part(request, f"tournaments/sharing/embed/{kind}.html#live"), context
        )

    return shared_conditional_page(request, shown, page, reads=["colours"])
