"""API operations that read: they use the queries and presenters of the pages, and show no more."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects
from django.http import Http404

from clubs.calendar import get_club_today, list_recurring_nights
from clubs.dues import list_dues_periods
from clubs.models import ApiToken, Club, Person
from clubs.people import search_people
from engine.visibility import Ranks, Results
from errors import Refusal, check_choice
from live.revisions import get_public_revision
from rules import Side
from scoring import queries as matches
from scoring.models import TableCard
from tournaments.agenda.queries import list_upcoming
from tournaments.board.boards import boards_from_json
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_full_entry_formatter, build_public_entry_formatter
from tournaments.events.queries import get_club_events, get_public_club_events, get_public_events
from tournaments.exports.presenters.clubs import (
    PART_BUILDERS,
    build_calendar_table,
    build_ladder_table,
    build_ratings_table,
    build_records_table,
    build_seasons_table,
)
from tournaments.exports.presenters.desk import build_fees_table
from tournaments.exports.presenters.rounds import build_hands_table
from tournaments.history.queries import get_actions
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import PROOFS, Entry, Event, Round, Season
from tournaments.money.presenters.fees import build_fees_view
from tournaments.money.queries.fees import get_dues_by_person, list_fees, select_prizes
from tournaments.public.presenters.games import list_games
from tournaments.public.queries.club_home import list_club_seasons
from tournaments.records.presenters import build_club_view, build_person_view
from tournaments.records.queries import find_club_record, find_person_record, has_public_page
from tournaments.rounds.presenters.rounds import RoundView, build_round_view
from tournaments.rounds.queries.rounds import are_entries_public, get_published_rounds
from tournaments.seasons.access import get_public_season_or_404, get_season_or_404
from tournaments.seasons.presenters import build_ladder_view
from tournaments.standings.presenters import (
    StandingsView,
    build_standings_view,
    get_final_snapshot,
    get_latest_snapshot,
    get_public_snapshot,
)
from tournaments.standings.presenters.publication import mark_outdated
from tournaments.standings.queries.standings import map_pools
from tournaments.standings.queries.validity import find_changes
from web.forms import parse_day, parse_digits
from web.money import Charge, combine_charges
from web.not_found import get_or_404
from web.sheets.tables import Sheet

from .operation import ApiCall
from .pages import Listing

NEWEST_FIRST = ("-held_on", "-pk")


def get_me(call: ApiCall) -> ApiToken:
    """Get the API key in use: its club, scope and expiry."""
    if call.token is None:
        raise Refusal("token_required")
    return call.token


def list_clubs(call: ApiCall) -> Listing:
    """List clubs."""
    return Listing(rows=Club.objects.all(), order=("name", "pk"))


def get_club(call: ApiCall) -> Club:
    """Get a club."""
    return call.club


def list_events(call: ApiCall) -> Listing:
    """List nights and tournaments of all clubs, newest first."""
    return _list_wanted_events(call, get_public_events())


def list_events_of_club(call: ApiCall) -> Listing:
    """List a club's nights and tournaments, newest first.

    The club's own key also gets hidden ones.
    """
    return _list_wanted_events(call, get_club_events(call.club) if call.is_staff else get_public_club_events(call.club))


def _list_wanted_events(call: ApiCall, events: QuerySet[Event]) -> Listing:
    """List those of the events that the query of the request wants."""
    query = call.request.query_params
    if "state" in query:
        events = events.filter(state=check_choice(query["state"], EventState.values, field="state"))
    if "since" in query:
        events = events.filter(held_on__gte=parse_day(query["since"], field="since"))
    if "until" in query:
        events = events.filter(held_on__lte=parse_day(query["until"], field="until"))
    return Listing(rows=events.select_related("club", "terms"), order=NEWEST_FIRST)


def get_calendar(call: ApiCall) -> Sheet:
    """Get a club's upcoming nights and tournaments."""
    return build_calendar_table(call.club, list_upcoming(call.club, get_club_today(call.club)))


def list_nights(call: ApiCall) -> dict[str, Any]:
    """List a club's recurring nights."""
    return {"results": list_recurring_nights(call.club)}


def list_dues(call: ApiCall) -> dict[str, Any]:
    """List a club's dues, newest period first."""
    return {"results": list_dues_periods(call.club)}


def list_history_of_club(call: ApiCall) -> Listing:
    """List a club's history, newest change first."""
    actions = call.club.actions.select_related("account", "undone_by").defer("rows", "undone_by__rows")
    return Listing(rows=actions, order=("-pk",))


def list_history_of_event(call: ApiCall) -> Listing:
    """List an event's history, newest change first."""
    return Listing(rows=get_actions(call.event), order=("-pk",))


def list_people(call: ApiCall) -> Listing:
    """List a club's people."""
    people = search_people(call.club.people.all(), call.request.query_params.get("search", ""))
    return Listing(rows=people.select_related("family"), order=("folded_name", "pk"))


def get_person(call: ApiCall) -> Person:
    """Get a person of a club."""
    return get_or_404(call.club.people.select_related("family").filter(pk=call.path["person_id"]).first())


def get_record_of_person(call: ApiCall) -> Sheet:
    """Get a player's record, under their public name.

    Only the club reads the record of a person without a public page.
    """
    part = call.request.query_params.get("part", next(iter(PART_BUILDERS)))
    record = find_person_record(call.club, call.path["person_id"])
    if record is None or part not in PART_BUILDERS or not (call.is_staff or has_public_page(call.club, record.person)):
        raise Http404
    return PART_BUILDERS[part](call.club, build_person_view(call.club, record, is_public=not call.is_staff))


def get_ratings(call: ApiCall) -> Sheet:
    """Get the ratings of a club's players, strongest first."""
    if not call.club.has_ratings:
        raise Http404
    return build_ratings_table(call.club)


def get_records(call: ApiCall) -> Sheet:
    """Get a club's records."""
    records = find_club_record(call.club)
    return build_records_table(call.club, None if records is None else build_club_view(call.club, records, None), None)


def list_seasons(call: ApiCall) -> Sheet:
    """List a club's seasons."""
    return build_seasons_table(call.club, list_club_seasons(call.club))


def get_season(call: ApiCall) -> Season:
    """Get a season's settings, in the form that an update takes."""
    return get_season_or_404(call.club, call.path["season_id"])


def get_ladder(call: ApiCall) -> Sheet:
    """Get the standings of a season."""
    place = parse_digits(call.request.query_params.get("ladder", "0"), max_digits=3) or 0
    season = get_public_season_or_404(call.path["slug"], call.path["season_id"], place)
    return build_ladder_table(season, build_ladder_view(season, place))


def get_event_revision(call: ApiCall) -> str:
    return f"{call.event.pk}.{get_public_revision(*call.event.topics)}"


def get_event(call: ApiCall) -> Event:
    """Get a night or tournament, with its rules."""
    return call.event


def list_entries(call: ApiCall) -> dict[str, Any]:
    """List the entries of an event."""
    if not call.is_staff and not are_entries_public(call.event):
        raise Http404
    if call.is_staff:
        return {"results": serialize_entries(call.event, get_entries(call.event), is_staff=True)}
    return {"results": serialize_public_entries(call.event)}


def serialize_public_entries(event: Event) -> list[dict[str, Any]]:
    """List the entries for the public, without the waiting list."""
    return serialize_entries(event, [entry for entry in get_entries(event) if not entry.is_waiting], is_staff=False)


def serialize_entries(event: Event, entries: Sequence[Entry], *, is_staff: bool) -> list[dict[str, Any]]:
    """Serialize entries as the club sees them (``is_staff``), or as the public does."""
    get_names = build_full_entry_formatter(entries) if is_staff else build_public_entry_formatter(event, entries)
    shared = [
        {
            "number": entry.number,
            "id": entry.pk,
            "names": get_names(entry),
            "section": entry.section or None,
            "is_house": entry.is_house,
        }
        for entry in entries
    ]
    if not is_staff:
        return [line | dict.fromkeys(CLUB_FIELDS) for line in shared]
    prefetch_related_objects(entries, "adjustments")
    dues = {} if event.rates.is_free else get_dues_by_person(list_fees(event))
    return [line | _details_of_entry(one, dues) for line, one in zip(shared, entries, strict=True)]


NOTED = (
    *("is_waiting", "looks_for_partner", "leaves_after", "disqualification", "players"),
    *("team", "rating", "table", "family", "car", "labels"),
    *("absent", "excused", "withdrawn", "byes_asked"),
)
CLUB_FIELDS = (*NOTED, "is_present", "side", "plays_from", "adjustments", "fees")
"""Details of an entry that only its club sees; those of ``NOTED`` are its own attributes."""


def _details_of_entry(entry: Entry, dues: Mapping[int, Charge]) -> dict[str, Any]:
    fees = [dues[person.pk] for person in entry.players if person.pk in dues]
    return {name: getattr(entry, name) for name in NOTED} | {
        "is_present": entry.present_at is not None,
        "side": None if entry.side is None else Side(entry.side).name,
        "plays_from": None if entry.is_awaited else entry.arrives,
        "adjustments": entry.adjustments.all(),
        "fees": combine_charges(fees) if fees else None,
    }


def list_rounds(call: ApiCall) -> dict[str, Any]:
    """List the published rounds of an event; with an API key of its club, also the draft.

    The public sees them if the draw is public.
    """
    if call.is_staff:
        return {"results": call.event.rounds.defer(*PROOFS).order_by("number")}
    return {"results": get_published_rounds(call.event) if call.event.visible.draw else []}


def get_round(call: ApiCall) -> RoundView:
    """Get a round with its tables."""
    drawn = _find_round(call)
    changes = find_changes(drawn) if call.is_staff else None
    return replace(build_round_view(drawn, is_public=not call.is_staff), changes=changes)


def _find_round(call: ApiCall) -> Round:
    """Find the round with the number in the path, or the draft."""
    rounds = list_rounds(call)["results"]
    wanted = {"number": call.path["number"]} if "number" in call.path else {"state": RoundState.DRAFT}
    drawn: Round = get_or_404(rounds.filter(**wanted).first() if rounds != [] else None)
    drawn.event = call.event
    return drawn


def get_table_of_round(call: ApiCall) -> dict[str, Any]:
    """Get a table with every hand played there.

    Eleven queries at most.
    """
    number = call.path["table"]
    drawn = _find_round(call)
    view = build_round_view(drawn, is_public=not call.is_staff, tables=[number])
    table = get_or_404(next((candidate for candidate in view.tables if candidate.number == number), None))
    has_hands = view.visible_results is Results.HANDS and table.match is not None
    match = matches.find_match(table.match) if has_hands and table.match else None
    card = match.card if match is not None and call.can_record_hands else None
    return {
        "number": table.number,
        "stage": table.stage,
        "place": table.place,
        "reasons": table.reasons,
        "sides": table.sides,
        "is_over": table.is_over,
        "is_contested": table.is_contested,
        "ruling": table.ruling,
        "games": list_games(match),
        "match": table.match if call.is_staff else None,
        "code": card.code if card else None,
    }


def list_hands(call: ApiCall) -> Sheet:
    """List the hands of an event.

    The public sees those of the rounds whose hands are public; the club, of all rounds.
    """
    numbers = [item.number for item in get_published_rounds(call.event)]
    visible = call.event.visible
    shown_numbers = [item for item in numbers if call.is_staff or visible.get_results(item) is Results.HANDS]
    if not shown_numbers:
        raise Http404
    return build_hands_table(call.event, shown_numbers)


def get_standings(call: ApiCall) -> StandingsView:
    """Get the standings of an event."""
    event = call.event
    if event.visible.standings is Ranks.NOTHING and not call.is_staff:
        raise Http404
    entries = get_entries(event)
    view = build_standings_view(
        event,
        get_latest_snapshot(event) if call.is_staff else get_public_snapshot(event),
        entries,
        list(get_published_rounds(event)),
        section=call.request.query_params.get("section", ""),
        format_entry=build_full_entry_formatter(entries) if call.is_staff else None,
        pools=map_pools(event),
    )
    is_shown = call.is_staff or event.visible.standings is Ranks.FINAL
    return mark_outdated(event, get_final_snapshot(event), view) if is_shown else view


def list_disputes(call: ApiCall) -> dict[str, Any]:
    """List the tables that called the desk and are waiting for an answer."""
    return {"results": matches.open_disputes(call.event.topic)}


def list_prizes(call: ApiCall) -> dict[str, Any]:
    """List the prizes won and the prize categories of an event."""
    event = call.event
    prefetch_related_objects([event], "entries")
    return {
        "results": select_prizes(event),
        "categories": event.prize_categories.all(),
        "add_up": event.prizes_add_up,
        **asdict(event.cash_rules),
    }


def get_fees(call: ApiCall) -> Sheet:
    """Get what each person owes and has paid."""
    return build_fees_table(call.event, build_fees_view(call.event))


def list_boards(call: ApiCall) -> dict[str, Any]:
    """List the wall screens of an event."""
    return {"results": boards_from_json(call.event.boards)}


def list_cards(call: ApiCall) -> Sheet | dict[str, Any]:
    """List the table codes of an event."""
    cards = TableCard.objects.filter(topic=call.event.topic).order_by("number")
    return {"results": [{"table": card.number, "code": card.code} for card in cards]}
