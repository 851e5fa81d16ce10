"""Pages of seasons: a club opens, changes and closes them; the public sees their standings and nights."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubs.calendar import FIRST_MONTH, LAST_MONTH, get_club_today
from clubs.models import Club
from clubs.pages import (
    get_actor,
    has_permission,
    members_only,
    note_refusal,
    owners_only,
    public_page,
    require_post_from,
)
from clubs.people import list_labels
from clubs.policy import Permission
from engine.ladders import MAX_LADDERS, Ladder, LadderFigure, LadderUnit, ladder_from_json
from errors import Refusal
from live.conditional_pages import get_part_etag, get_template_or_part, read_snapshot, shared_conditional_page
from tournaments.events.queries import is_past, list_recent_events
from tournaments.interclub.queries import list_joined_series, list_series_clubs
from tournaments.lifecycle import EventState
from tournaments.models import Season
from web.form_lists import FormValues

from . import services
from .access import get_public_season_or_404, get_season_or_404, get_season_revision
from .forms import SeasonForm, rearrange_season
from .presenters import MAX_LINES, build_comeback_view, build_ladder_view, list_changed_nights, list_line_nights
from .queries import select_started_events

MAX_LAST_NIGHTS = 10
"""Number of nights on the club's results page."""


@require_safe
@members_only
def seasons_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's results: its last nights, as far as the reader may open them, and its seasons."""
    today, is_director = get_club_today(club), has_permission(request, Permission.DIRECT)
    events = [event for event in list_recent_events(club) if event.state != EventState.PREPARING]
    context = {
        "club": club,
        "events": [event for event in events if is_director or not is_past(event, today)][:MAX_LAST_NIGHTS],
        "seasons": club.seasons.defer("rows", "scores"),
        "series": list_joined_series(club),
    }
    return TemplateResponse(request, "tournaments/seasons/list.html", context)


@owners_only
def new_season_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Open a season, or with ``?shared=1`` a series of several clubs."""
    is_shared = (request.POST or request.GET).get("shared") == "1"
    if request.method != "POST":
        return _render_form(request, club, _build_default_form(club, is_shared=is_shared))
    return _save_form(request, club, None, partial(services.open_season, club=club, is_shared=is_shared))


@owners_only
def season_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show or change the settings of a season."""
    season = get_season_or_404(club, pk)
    if request.method != "POST":
        ladders = [ladder_from_json(data) for data in season.ladders]
        return _render_form(request, club, SeasonForm.from_ladders(ladders, season), season=season)
    return _save_form(request, club, season, partial(services.change_season, season_id=season.pk))


def _save_form(request: HttpRequest, club: Club, season: Season | None, save: Callable[..., Season]) -> HttpResponse:
    """Move, add or remove standings if the button ``change`` was used; otherwise save the form."""
    typed: FormValues = dict(request.POST.lists())
    if change := request.POST.get("change"):
        form = SeasonForm.from_typed(rearrange_season(typed, change))
        return _render_form(request, club, form, season=season, change=change)
    form = SeasonForm.from_typed(typed)
    try:
        saved_season = save(**form.read(), by=get_actor(request))
    except Refusal as refusal:
        note_refusal(request, refusal)
        return _render_form(request, club, form, season=season)
    return redirect("season", slug=club.slug, pk=saved_season.pk)


@require_post_from("season", "slug", "pk")
@owners_only
def count_nights(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Choose which nights of a season count. Nights that have begun since the page was loaded stay as they
    are."""
    season = get_season_or_404(club, pk)
    listed_ids = set(request.POST.getlist("offered"))
    unchecked_ids = listed_ids.difference(request.POST.getlist("counts"))
    excluded_ids = [event.pk for event in select_started_events(season) if str(event.pk) in unchecked_ids]
    excluded_ids += [pk for pk in season.left_out if str(pk) not in listed_ids]
    services.count_nights(season_id=season.pk, left_out=excluded_ids, by=get_actor(request))
    return redirect("season", slug=club.slug, pk=season.pk)


@require_post_from("season", "slug", "pk")
@owners_only
def close_season(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Close a season, so that its standings stay as they are."""
    services.close_season(season_id=get_season_or_404(club, pk).pk, by=get_actor(request))
    return redirect("season", slug=club.slug, pk=pk)


@require_post_from("season", "slug", "pk")
@owners_only
def reopen_season(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Reopen a season."""
    services.reopen_season(season_id=get_season_or_404(club, pk).pk, by=get_actor(request))
    return redirect("season", slug=club.slug, pk=pk)


@require_safe
@read_snapshot()
@public_page
def public_season(request: HttpRequest, slug: str, pk: int, place: int = 0) -> HttpResponse:
    """Show one public standings list of a season."""
    season = get_public_season_or_404(slug, pk, place)
    revision = f"season.{pk}.{get_season_revision(season)}.{place}"
    return shared_conditional_page(request, revision, partial(_render_ladder, request, season, place, revision))


def _render_ladder(request: HttpRequest, season: Season, place: int, revision: str) -> HttpResponse:
    context = {
        **_build_ladder_context(season, place),
        "season_comeback": build_comeback_view(season),
        "etag": get_part_etag(request, revision),
    }
    return TemplateResponse(request, get_template_or_part(request, "tournaments/seasons/ladder.html#live"), context)


@require_safe
@read_snapshot()
@public_page
def ladder_line(request: HttpRequest, slug: str, pk: int, place: int, key: str) -> HttpResponse:
    """Show the nights behind one line, in the open line or on its own page."""
    season = get_public_season_or_404(slug, pk, place)
    revision = f"line.{pk}.{get_season_revision(season)}.{place}.{key}"
    return shared_conditional_page(request, revision, partial(_render_line, request, season, place, key))


def _render_line(request: HttpRequest, season: Season, place: int, key: str) -> HttpResponse:
    context = _build_ladder_context(season, place, line_key=key)
    if not context["view"].lines:
        raise Http404
    (context["line"],) = context["view"].lines
    context["nights"] = list_line_nights(season, place, context["line"])
    return TemplateResponse(request, get_template_or_part(request, "tournaments/seasons/line.html#nights"), context)


def _build_ladder_context(season: Season, place: int, *, line_key: str | None = None) -> dict[str, Any]:
    return {
        "club": season.club,
        "season": season,
        "ladders": [ladder_from_json(data) for data in season.ladders],
        "view": build_ladder_view(season, place, line_key_wanted=line_key, max_lines=MAX_LINES),
        "clubs": list_series_clubs(season) if season.is_shared else (),
    }


def _build_default_form(club: Club, *, is_shared: bool) -> SeasonForm:
    """Return the form of a new season: from September to June around today, with one standings list of everyone's
    points. A series has one of clubs and one of pairs, by matches won."""
    today = get_club_today(club)
    year = today.year if today.month > LAST_MONTH else today.year - 1
    name = gettext("Interclub %(from)s–%(to)s") if is_shared else gettext("Season %(from)s–%(to)s")
    ladders = [Ladder(name=gettext("General"))]
    if is_shared:
        ladders = [
            Ladder(name=gettext("Clubs"), unit=LadderUnit.CLUB, counts=LadderFigure.MATCH_WINS),
            Ladder(name=gettext("Pairs"), unit=LadderUnit.PAIR, counts=LadderFigure.MATCH_WINS),
        ]
    return SeasonForm.from_ladders(
        ladders,
        name=name % {"from": year, "to": year + 1},
        starts=datetime.date(year, FIRST_MONTH, 1),
        ends=datetime.date(year + 1, LAST_MONTH, 30),
    )


def _render_form(
    request: HttpRequest,
    club: Club,
    form: SeasonForm,
    *,
    season: Season | None = None,
    change: str = "",
) -> HttpResponse:
    is_shared = (request.POST or request.GET).get("shared") == "1" if season is None else season.is_shared
    context = {
        "is_shared": is_shared,
        "club": club,
        "season": season,
        "events": [] if season is None else select_started_events(season),
        "outdated": list_changed_nights(season),
        "form": form,
        "may_add": len(form.ladders) < MAX_LADDERS,
        "labels": list_labels(club),
        "changed": change,
    }
    return TemplateResponse(request, "tournaments/seasons/season.html", context)
