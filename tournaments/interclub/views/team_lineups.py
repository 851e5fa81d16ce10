"""Pages of team line-ups: all matches at the desk, and each captain's own."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import ORIGIN_LENGTH
from clubs.pages import get_actor, is_submitted, show_refusals
from tournaments.entries.captain_keys import get_captain_key
from tournaments.entries.queries.entries import get_entries
from tournaments.events.views.access import event_directors_only, event_link_required
from tournaments.interclub.presenters import list_board_choices, list_team_match_views
from tournaments.interclub.queries import list_movable_tables, read_team_round
from tournaments.interclub.services.team_lineups import decline_postponement, give_team_lineup, request_postponement
from tournaments.models import Event
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.rounds.queries.team_matches import (
    find_postponement_request,
    list_open_requests,
    list_postponed_matches,
    map_teams,
)
from web.forms import DayField, Form, TextField, parse_digits
from web.letters import derive_check_letters, match_letters
from web.not_found import get_or_404
from web.qr import get_phone_origin, render_qr_code

CAPTAIN_SALT = "tournaments.captain_letters"
"""Links already sent depend on this salt: it is data, not the name of a module."""

LETTER_COUNT = 10


class PostponementForm(Form):
    """A captain's request to postpone a match."""

    day = DayField(_("New date"), required="day_required")
    note = TextField(_("Reason (optional)"))


def get_captain_letters(event: Event, team: str) -> str:
    return derive_check_letters(CAPTAIN_SALT, f"{event.short}/{get_captain_key(event, team)}", count=LETTER_COUNT)


def find_captain_team(event: Event, letters: str, teams: Iterable[str]) -> str | None:
    """Return the team whose captain has these letters; None if no team's has."""
    return next((team for team in teams if match_letters(letters, get_captain_letters(event, team))), None)


def build_captain_link(event: Event, team: str, origin: str = "") -> str:
    """Return the link for a team's captain; without an ``origin``, a path on this site."""
    return urljoin(origin, reverse("team-lineup", args=[event.short, get_captain_letters(event, team)]))


@event_directors_only
@show_refusals
def team_lineups_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the line-ups of the last round, requests to postpone a match, and the captains’ links; decline a request."""
    if not event.has_team_matches:
        raise Http404
    if is_submitted(request):
        team, answer = request.POST.get("team", ""), request.POST.get("answer", "")
        decline_postponement(event_id=event.pk, team=team, answer=answer, by=get_actor(request))
        return redirect("team-lineups", event.short)
    teams = map_teams(event)
    team_round = read_team_round(event, teams)
    origin = get_phone_origin(request)
    links = {team: build_captain_link(event, team, origin) for team in dict.fromkeys(teams.values())}
    context = {
        "event": event,
        "team_round": team_round,
        "matches": [] if team_round is None else list_team_match_views(event, team_round),
        "requests": list_open_requests(event, None if team_round is None else team_round.round),
        "is_draft": team_round is not None and team_round.is_draft,
        "typed": request.POST,
        "captains": [
            {"name": team or event.club.name, "link": link, "qr_code": render_qr_code(link)}
            for team, link in links.items()
        ],
    }
    return TemplateResponse(request, "tournaments/interclub/team_lineups.html", context)


@event_link_required
@show_refusals
def captain_page(request: HttpRequest, event: Event, letters: str) -> HttpResponse:
    """Show a captain the next team match, and take the line-up or a request to postpone the match."""
    teams = map_teams(event)
    team = get_or_404(
        find_captain_team(event, letters, dict.fromkeys(teams.values())) if event.has_team_matches else None
    )
    form = PostponementForm.from_request(request) if "day" in request.POST else PostponementForm()
    if is_submitted(request):
        by = get_actor(request)
        origin = f"{team or event.club.name}, {by.origin}"[:ORIGIN_LENGTH]
        given: dict[str, Any] = {"event_id": event.pk, "team": team, "by": replace(by, origin=origin)}
        if form.is_bound:
            request_postponement(**given, **form.read())
        else:
            give_team_lineup(**given, numbers=_read_numbers(request))
        return redirect("team-lineup", event.short, letters)
    team_round = read_team_round(event, teams)
    match = None if team_round is None else team_round.find_match(team)
    name = team or event.club.name
    postponed = [
        each for each in list_postponed_matches(event, get_published_rounds(event)) if name in each.place.clubs
    ]
    context = {"event": event, "team": name, "team_round": team_round, "postponed": postponed}
    if team_round is not None and match is not None:
        entries, typed = get_entries(event), request.POST.dict()
        view = list_team_match_views(event, replace(team_round, matches=(match,)))[0]
        own_index = match.teams.index(team)
        context |= {
            "match": view,
            "own": view.teams[own_index],
            "opponent": view.teams[1 - own_index],
            "boards": range(1, len(match.players[team]) + 1),
            "choices": [
                (entry, parse_digits(typed.get(f"entry-{entry.number}", str(board)), max_digits=3))
                for entry, board in list_board_choices(match, team, team_round, entries)
            ],
            "form": form,
            "postponement": find_postponement_request(event, team_round.round, match),
            "can_ask": bool(list_movable_tables(team_round, match)),
        }
    return TemplateResponse(request, "tournaments/interclub/captain.html", context)


def _read_numbers(request: HttpRequest) -> list[int]:
    """Return the number of the entry chosen for each board; none unless each board has one."""
    boards = {name: parse_digits(board, max_digits=3) for name, board in request.POST.dict().items()}
    chosen = sorted(
        (board, parse_digits(name.removeprefix("entry-"), max_digits=5) or 0)
        for name, board in boards.items()
        if board and name.startswith("entry-")
    )
    has_each = [board for board, _ in chosen] == [*range(1, len(chosen) + 1)]
    return [number for _, number in chosen] if has_each else []
