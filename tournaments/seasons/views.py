"""Pages of seasons: a club opens, changes and closes them; the public sees their standings and nights."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_everybody, for_members, for_owners, may
from clubs.actor import actor_from
from clubs.calendar import FIRST_MONTH, LAST_MONTH, today_in
from clubs.models import Club
from clubs.people import labels_of
from clubs.policy import Permission
from clubs.post_only import posted_from
from engine.ladders import MOST_LADDERS, Counts, Ladder, LadderUnit, ladder_from_json
from errors import Refusal
from live.conditional_pages import page_or_part, part_tag, shared_conditional_page
from tournaments.events.queries import is_past, recent_events
from tournaments.interclub.queries import clubs_of_series, series_of
from tournaments.lifecycle import EventState
from tournaments.models import Season
from web.form_lists import Typed, first_of, places_of
from web.forms import last_values

from . import services
from .access import season_for_everybody, season_of_club, season_revision
from .forms import LADDER_FIELDS, read_season_form, rearrange_season, typed_ladders, typed_season
from .presenters import MOST_LINES, changed_nights, ladder_view, nights_behind
from .queries import begun_events_of

LAST_NIGHTS = 10
"""Number of nights on the club's results page."""


@require_safe
@for_members
def seasons_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's results: its last nights, as far as the reader may open them, and its seasons."""
    today, is_director = today_in(club), may(request, Permission.DIRECT)
    events = [event for event in recent_events(club) if event.state != EventState.PREPARING]
    context = {
        "club": club,
        "events": [event for event in events if is_director or not is_past(event, today)][:LAST_NIGHTS],
        "seasons": club.seasons.defer("rows", "scores"),
        "series": series_of(club),
    }
    return TemplateResponse(request, "tournaments/seasons/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def new_season(request: HttpRequest, club: Club) -> HttpResponse:
    """Open a season, or with ``?shared=1`` a series of several clubs."""
    is_shared = (request.POST or request.GET).get("shared") == "1"
    if request.method != "POST":
        return _form(request, club, _first_typed(club, is_shared=is_shared))
    return _save_form(request, club, None, partial(services.open_season, club=club, is_shared=is_shared))


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def season_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show or change the settings of a season."""
    season = season_of_club(club, pk)
    if request.method != "POST":
        return _form(request, club, typed_season(season), season=season)
    return _save_form(request, club, season, partial(services.change_season, season_id=season.pk))


def _save_form(
    request: HttpRequest, club: Club, season: Season | None, save: Callable[..., Season]
) -> HttpResponse:
    """Move, add or remove standings if the button ``change`` was used; otherwise save the form."""
    typed: Typed = dict(request.POST.lists())
    if change := request.POST.get("change"):
        return _form(request, club, rearrange_season(typed, change), season=season, changed=change)
    try:
        form = read_season_form(typed)
        saved = save(
            name=form.name, starts=form.starts, ends=form.ends, ladders=form.ladders, by=actor_from(request)
        )
    except Refusal as refusal:
        return _form(request, club, typed, season=season, refusal=refusal)
    return redirect("season", slug=club.slug, pk=saved.pk)


@posted_from("season", "slug", "pk")
@for_owners
def count_nights(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Choose which nights of a season count. Nights that have begun since the page was loaded stay as they
    are."""
    season = season_of_club(club, pk)
    offered = set(request.POST.getlist("offered"))
    unticked = offered.difference(request.POST.getlist("counts"))
    left_out = [event.pk for event in begun_events_of(season) if str(event.pk) in unticked]
    left_out += [pk for pk in season.left_out if str(pk) not in offered]
    services.count_nights(season_id=season.pk, left_out=left_out, by=actor_from(request))
    return redirect("season", slug=club.slug, pk=season.pk)


@posted_from("season", "slug", "pk")
@for_owners
def close(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Close a season, so that its standings stay as they are."""
    services.close_season(season_id=season_of_club(club, pk).pk, by=actor_from(request))
    return redirect("season", slug=club.slug, pk=pk)


@posted_from("season", "slug", "pk")
@for_owners
def reopen(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Reopen a season."""
    services.reopen_season(season_id=season_of_club(club, pk).pk, by=actor_from(request))
    return redirect("season", slug=club.slug, pk=pk)


@require_safe
@for_everybody
def public_season(request: HttpRequest, slug: str, pk: int, place: int = 0) -> HttpResponse:
    """Show one public standings list of a season."""
    season = season_for_everybody(slug, pk, place)
    revision = f"season.{pk}.{season_revision(season)}.{place}"
    return shared_conditional_page(
        request, revision, partial(_public_season, request, season, place, revision)
    )


def _public_season(request: HttpRequest, season: Season, place: int, revision: str) -> HttpResponse:
    context = {**_ladder_context(season, place), "etag": part_tag(request, revision)}
    return TemplateResponse(request, page_or_part(request, "tournaments/seasons/ladder.html#live"), context)


@require_safe
@for_everybody
def public_line(request: HttpRequest, slug: str, pk: int, place: int, key: str) -> HttpResponse:
    """Show the nights behind one line, in the open line or on its own page."""
    season = season_for_everybody(slug, pk, place)
    revision = f"line.{pk}.{season_revision(season)}.{place}.{key}"
    return shared_conditional_page(request, revision, partial(_public_line, request, season, place, key))


def _public_line(request: HttpRequest, season: Season, place: int, key: str) -> HttpResponse:
    context = _ladder_context(season, place, only=key)
    if not context["view"].lines:
        raise Http404
    (context["line"],) = context["view"].lines
    context["nights"] = nights_behind(season, place, context["line"])
    return TemplateResponse(request, page_or_part(request, "tournaments/seasons/line.html#nights"), context)


def _ladder_context(season: Season, place: int, *, only: str | None = None) -> dict[str, Any]:
    return {
        "club": season.club,
        "season": season,
        "ladders": [ladder_from_json(plain) for plain in season.ladders],
        "view": ladder_view(season, place, only=only, most=MOST_LINES),
        "clubs": clubs_of_series(season) if season.is_shared else (),
    }


def _first_typed(club: Club, *, is_shared: bool) -> dict[str, list[str]]:
    """Return default values: from September to June around today, with one standings list of everyone's
    points. A series has one of clubs and one of pairs, by matches won."""
    today = today_in(club)
    year = today.year if today.month > LAST_MONTH else today.year - 1
    days = {
        "name": gettext("Season %(from)s–%(to)s") % {"from": year, "to": year + 1},
        "starts": datetime.date(year, FIRST_MONTH, 1).isoformat(),
        "ends": datetime.date(year + 1, LAST_MONTH, 30).isoformat(),
    }
    ladders = [Ladder(name=gettext("General"))]
    if is_shared:
        days |= {"shared": "1", "name": gettext("Interclub %(from)s–%(to)s") % {"from": year, "to": year + 1}}
        ladders = [
            Ladder(name=gettext("Clubs"), unit=LadderUnit.CLUB, counts=Counts.MATCH_WINS),
            Ladder(name=gettext("Pairs"), unit=LadderUnit.PAIR, counts=Counts.MATCH_WINS),
        ]
    return {name: [value] for name, value in days.items()} | typed_ladders(ladders)


def _form(
    request: HttpRequest,
    club: Club,
    typed: Typed,
    *,
    season: Season | None = None,
    refusal: Refusal | None = None,
    changed: str = "",
) -> HttpResponse:
    places = places_of(typed, "ladders")
    is_shared = first_of(typed, "shared") == "1" if season is None else season.is_shared
    context = {
        "is_shared": is_shared,
        "club": club,
        "season": season,
        "events": [] if season is None else begun_events_of(season),
        "outdated": changed_nights(season),
        "typed": last_values(typed),
        "ladders": [
            {"line": f"ladders.{place}"}
            | {name: first_of(typed, f"ladders.{place}.{name}") for name in LADDER_FIELDS}
            for place in places
        ],
        "may_add": len(places) < MOST_LADDERS,
        "labels": labels_of(club),
        "changed": changed,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/seasons/season.html", context)
