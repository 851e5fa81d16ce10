"""API operations that read: they use the queries and presenters of the pages, and show no more."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from django.db.models import prefetch_related_objects
from django.http import Http404

from clubs.calendar import recurring_nights_of, today_in
from clubs.dues import periods_of
from clubs.models import Club, Person
from clubs.people import people_named
from engine.visibility import Ranks, Results
from errors import Refusal
from live.revisions import public_revision_of
from scoring import queries as matches
from scoring.models import TableCard
from tournaments.agenda.queries import agenda_ahead
from tournaments.board.boards import boards_from_json
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in, entries_named_in_full
from tournaments.events.queries import events_of, public_events, public_events_of
from tournaments.exports.presenters.calendar import calendar_table
from tournaments.exports.presenters.desk import fees_table
from tournaments.exports.presenters.hands import hands_table
from tournaments.exports.presenters.records import PARTS, ratings_table, records_table
from tournaments.exports.presenters.seasons import ladder_table, seasons_table
from tournaments.history.queries import actions_of
from tournaments.lifecycle import EventState
from tournaments.models import PROOFS, Entry, Event, Round, Season
from tournaments.money.presenters.fees import fees_view
from tournaments.money.queries.fees import prizes_of
from tournaments.public.queries.club_home import seasons_of
from tournaments.records.presenters import club_view, person_view
from tournaments.records.queries import has_a_page, record_of_person, records_of_club
from tournaments.rounds.presenters.rounds import RoundView, TableView, round_view
from tournaments.rounds.presenters.tables import games_of
from tournaments.rounds.queries.rounds import are_entries_public, rounds_of
from tournaments.seasons.access import season_for_everybody, season_of_club
from tournaments.seasons.presenters import ladder_view
from tournaments.standings.presenters import (
    StandingsView,
    final_snapshot,
    latest_snapshot,
    public_snapshot,
    standings_view,
)
from tournaments.standings.presenters.publication import check_validity
from tournaments.standings.queries.validity import changes_since
from web.forms import digits_in, read_day
from web.sheets import Sheet

from .operation import ProgramCall
from .pages import Rows

LATEST_FIRST = ("-held_on", "-pk")


def list_clubs(call: ProgramCall) -> Rows:
    return Rows(rows=Club.objects.all(), order=("name", "pk"))


def list_events(call: ProgramCall) -> Rows:
    """List the events of all clubs, or of the club in the path. The club's own key also gets hidden ones."""
    if "slug" not in call.path:
        found = public_events()
    else:
        found = events_of(call.club) if call.is_staff else public_events_of(call.club)
    query = call.request.query_params
    if "state" in query:
        if query["state"] not in EventState.values:
            known = tuple(EventState.values)
            raise Refusal("no_such_choice", field="state", value=query["state"], choices=known)
        found = found.filter(state=query["state"])
    if "since" in query:
        found = found.filter(held_on__gte=read_day(query["since"], field="since"))
    if "until" in query:
        found = found.filter(held_on__lte=read_day(query["until"], field="until"))
    return Rows(rows=found.select_related("club", "terms"), order=LATEST_FIRST)


def get_calendar(call: ProgramCall) -> Sheet:
    return calendar_table(call.club, agenda_ahead(call.club, today_in(call.club)))


def list_nights(call: ProgramCall) -> dict[str, Any]:
    return {"results": recurring_nights_of(call.club)}


def list_dues(call: ProgramCall) -> dict[str, Any]:
    return {"results": periods_of(call.club)}


def list_club_history(call: ProgramCall) -> Rows:
    actions = call.club.actions.select_related("account", "undone_by").defer("rows", "undone_by__rows")
    return Rows(rows=actions, order=("-pk",))


def list_event_history(call: ProgramCall) -> Rows:
    return Rows(rows=actions_of(call.event), order=("-pk",))


def list_people(call: ProgramCall) -> Rows:
    found = people_named(call.club.people.all(), call.request.query_params.get("search", ""))
    return Rows(rows=found.select_related("family"), order=("folded_name", "pk"))


def get_person(call: ProgramCall) -> Person:
    found = call.club.people.select_related("family").filter(pk=call.path["person_id"]).first()
    if found is None:
        raise Http404
    return found


def get_person_record(call: ProgramCall) -> Sheet:
    """Return one part of a player's record. Only the club reads the record of a person without a public
    page."""
    part = call.request.query_params.get("part", next(iter(PARTS)))
    kept = record_of_person(call.club, call.path["person_id"])
    if kept is None or part not in PARTS or not (call.is_staff or has_a_page(call.club, kept.person)):
        raise Http404
    return PARTS[part](call.club, person_view(call.club, kept, is_public=not call.is_staff))


def get_ratings(call: ProgramCall) -> Sheet:
    if not call.club.has_ratings:
        raise Http404
    return ratings_table(call.club)


def get_records(call: ProgramCall) -> Sheet:
    kept = records_of_club(call.club)
    return records_table(call.club, None if kept is None else club_view(call.club, kept, None), None)


def list_seasons(call: ProgramCall) -> Sheet:
    return seasons_table(call.club, seasons_of(call.club))


def get_season(call: ProgramCall) -> Season:
    return season_of_club(call.club, call.path["season_id"])


def get_ladder(call: ProgramCall) -> Sheet:
    place = digits_in(call.request.query_params.get("ladder", "0"), most=3) or 0
    season = season_for_everybody(call.path["slug"], call.path["season_id"], place)
    return ladder_table(season, ladder_view(season, place))


def event_revision(call: ProgramCall) -> str:
    return f"{call.event.pk}.{public_revision_of(*call.event.topics)}"


def get_event(call: ProgramCall) -> Event:
    return call.event


def list_entries(call: ProgramCall) -> dict[str, Any]:
    """List the entries of an event."""
    if not call.is_staff and not are_entries_public(call.event):
        raise Http404
    if call.is_staff:
        return {"results": entry_lines(call.event, entries_of(call.event), is_staff=True)}
    return {"results": public_entry_lines(call.event)}


def public_entry_lines(event: Event) -> list[dict[str, Any]]:
    """List the entries for the public, without the waiting list."""
    return entry_lines(event, [one for one in entries_of(event) if not one.is_waiting], is_staff=False)


def entry_lines(event: Event, listed: Sequence[Entry], *, is_staff: bool) -> list[dict[str, Any]]:
    """Serialize entries as the club sees them (``is_staff``), or as the public does."""
    named = entries_named_in_full(listed) if is_staff else entries_named_in(event, listed)
    return [
        {
            "number": one.number,
            "id": one.pk,
            "names": named(one),
            "section": one.section or None,
            "is_waiting": one.is_waiting if is_staff else None,
            "looks_for_partner": one.looks_for_partner if is_staff else None,
            "is_present": one.present_at is not None if is_staff else None,
            "leaves_after": one.leaves_after if is_staff else None,
            "disqualification": one.disqualification if is_staff else None,
            "players": one.players if is_staff else None,
        }
        for one in listed
    ]


def list_rounds(call: ProgramCall) -> dict[str, Any]:
    """List the published rounds if the draw is public; for the club, all rounds with drafts."""
    if call.is_staff:
        return {"results": call.event.rounds.defer(*PROOFS).order_by("number")}
    return {"results": rounds_of(call.event) if call.event.visible.draw else []}


def get_round(call: ProgramCall) -> RoundView:
    drawn = _round(call)
    changes = changes_since(drawn) if call.is_staff else None
    return replace(round_view(drawn, is_public=not call.is_staff), changes=changes)


def _round(call: ProgramCall) -> Round:
    found = list_rounds(call)["results"]
    drawn: Round | None = found.filter(number=call.path["number"]).first() if found != [] else None
    if drawn is None:
        raise Http404
    drawn.event = call.event
    return drawn


def get_table(call: ProgramCall) -> dict[str, Any]:
    """Return one table with its hands. Eleven queries at most."""
    number = call.path["table"]
    drawn = _round(call)
    view = round_view(drawn, is_public=not call.is_staff, tables=[number])
    shown: TableView | None = next((one for one in view.tables if one.number == number), None)
    if shown is None:
        raise Http404
    has_hands = view.results_seen is Results.HANDS and shown.match is not None
    match = matches.match_with_hands(shown.match) if has_hands and shown.match else None
    card = match.card if match is not None and call.may_mark else None
    return {
        "number": shown.number,
        "sides": shown.sides,
        "is_over": shown.is_over,
        "is_contested": shown.is_contested,
        "ruling": shown.ruling,
        "games": games_of(match),
        "match": shown.match if call.is_staff else None,
        "code": card.code if card else None,
    }


def list_hands(call: ProgramCall) -> Sheet:
    """Return the hands of the rounds whose hands are public; for the club, of all rounds."""
    numbers = [one.number for one in rounds_of(call.event)]
    seen = call.event.visible
    shown = [one for one in numbers if call.is_staff or seen.results_in(one) is Results.HANDS]
    if not shown:
        raise Http404
    return hands_table(call.event, shown)


def get_standings(call: ProgramCall) -> StandingsView:
    event = call.event
    if event.visible.standings is Ranks.NOTHING and not call.is_staff:
        raise Http404
    entered = entries_of(event)
    view = standings_view(
        event,
        latest_snapshot(event) if call.is_staff else public_snapshot(event),
        entered,
        list(rounds_of(event)),
        section=call.request.query_params.get("section", ""),
        named=entries_named_in_full(entered) if call.is_staff else None,
    )
    is_seen = call.is_staff or event.visible.standings is Ranks.FINAL
    return check_validity(event, final_snapshot(event), view) if is_seen else view


def list_disputes(call: ProgramCall) -> dict[str, Any]:
    return {"results": matches.open_disputes(call.event.topic)}


def list_prizes(call: ProgramCall) -> dict[str, Any]:
    event = call.event
    prefetch_related_objects([event], "entries")
    return {
        "results": prizes_of(event),
        "categories": event.prize_categories.all(),
        "add_up": event.prizes_add_up,
        **asdict(event.cash_rules),
    }


def get_fees(call: ProgramCall) -> Sheet:
    return fees_table(call.event, fees_view(call.event))


def list_boards(call: ProgramCall) -> dict[str, Any]:
    return {"results": boards_from_json(call.event.boards)}


def list_cards(call: ProgramCall) -> Sheet | dict[str, Any]:
    laid = TableCard.objects.filter(topic=call.event.topic).order_by("number")
    return {"results": [{"table": one.number, "code": one.code} for one in laid]}
