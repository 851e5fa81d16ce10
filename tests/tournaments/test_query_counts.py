"""The number of queries of each read does not grow with the data."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib import import_module
from inspect import isfunction
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Account, Club, Person, Role
from clubs.queries import ClubMembership, find_account_role, find_club_membership, query_clubs
from engine.draws import EntryId
from rules import Side
from scoring import queries as matches
from scoring.models import Mark, Match, TableCard
from scoring.services.agreement import call_desk, record_agreement
from tests.builders import (
    build_account,
    build_club,
    build_running_night,
    compute_standings,
    mark,
    matches_of,
    play,
    play_round,
    start_next_round,
    win,
)
from tournaments.entries.queries.entries import get_entries, get_lineup_entries, map_entry_numbers
from tournaments.event_files.queries import build_event_file
from tournaments.events.queries import (
    find_event,
    find_event_with_role,
    find_public_event,
    get_club_events,
    get_public_club_events,
    get_public_events,
    list_events_from,
    list_recent_events,
    list_recent_public_events,
    list_returning_entries,
)
from tournaments.history.queries import get_actions, read_number_history, read_reorderings
from tournaments.models import Event, Round
from tournaments.records.queries import (
    compute_pair_record,
    find_club_record,
    find_people_with_pages,
    find_person_record,
    has_public_page,
    list_meetings,
    list_uncounted_matches,
    select_ranked_people,
)
from tournaments.rounds.queries.event_snapshot import read_event_snapshot, read_history
from tournaments.rounds.queries.rounds import (
    count_byes,
    get_published_rounds,
    lineup_of,
    list_missing_tables,
    list_postponed_tables,
    list_side_numbers,
    list_table_numbers,
    list_tables,
    list_tied_tables,
    list_undecided_numbers,
    list_undecided_tables,
    map_played_tables,
    map_table_places,
)
from tournaments.seasons.queries import (
    compute_season_standings,
    get_line_scores,
    is_in_open_season,
    list_season_nights,
    select_counted_events,
    select_season_events,
    select_seasons,
    select_started_events,
)
from tournaments.seasons.services import open_season
from tournaments.standings.queries.standings import (
    compute_event_standings,
    find_manual_slots,
    get_computed_at,
    get_publicly_changed_at,
    get_standings_rows,
    list_contradictions,
    map_wins,
)

EARLIER = datetime(2020, 1, 1, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("every query of a page")]


class LastRound:
    """A night in its last round: one table finished, confirmed and disputed, the others in progress."""

    def __init__(self, *, pairs: int, rounds: int) -> None:
        self.director: Account = build_account()
        self.club: Club = build_club(owner=self.director)
        self.event: Event = build_running_night(pairs, club=self.club)
        for number in range(1, rounds):
            play_round(self.event, number)
            start_next_round(self.event)
        first, *others = matches_of(self.event, rounds)
        for match in others:
            mark(match, "misdeal", replaced=play(match, "A 6 made", "B 7 made")[-1])
        win(first)
        record_agreement(match_id=first.pk, side=Side.A, game=1)
        call_desk(match_id=first.pk)
        Mark.objects.filter(match=first).update(waited=120)
        compute_standings(self.event)
        self.event = Event.objects.select_related("club", "terms").get(pk=self.event.pk)
        self.season = open_season(
            club=self.club,
            name="Autumn",
            starts=self.event.held_on,
            ends=self.event.held_on,
            ladders=[{"name": "General"}],
        )
        self.round: Round = self.event.rounds.get(number=rounds)
        self.match: Match = first
        self.card: TableCard = first.card
        self.names = [player.person.name for player in first.players.all()]
        self.match_ids = list(Match.objects.values_list("pk", flat=True))


def get_numbers(event: Event) -> dict[EntryId, int]:
    """Return the entry numbers of ``LastRound`` without a query."""
    return {EntryId(1): 1, EntryId(2): 2}


def list_names(table: Any) -> list[str]:
    return [str(seating.entry) for seating in table.seatings.all()]


def read_table_screen(match: Match | None) -> list[object]:
    """Read every value that a table screen shows."""
    assert match is not None
    return [
        match.card.club.name,
        match.terms.ruleset,
        [player.person.name for player in match.seated_players],
        [(each.record_data, each.account and each.account.name) for each in match.written_marks],
        [agreement.agreed_to for agreement in match.ordered_agreements],
    ]


def read_table_row(match: Match) -> list[object]:
    """Read every value that a list of tables shows."""
    return [
        match.card.number,
        match.summary,
        [player.person.name for player in match.seated_players],
        [agreement.agreed_to for agreement in match.ordered_agreements],
        match.is_disputed,  # type: ignore[attr-defined]
    ]


Read = Callable[[LastRound], object]

READS: dict[str, tuple[int, Read]] = {
    "clubs of an account": (1, lambda e: [club.name for club in query_clubs(e.director)]),
    "what this account is in a club": (1, lambda e: find_account_role(e.director, e.club.pk)),
    "the same, with the club": (1, lambda e: read_club(find_club_membership(e.director, e.club.slug))),
    "an event, whoever may see it": (1, lambda e: read_event(find_event(e.event.short))),
    "an event, to the public": (1, lambda e: read_event(find_public_event(e.event.short))),
    "an event, with a role in its club": (
        1,
        lambda e: read_event_with_role(find_event_with_role(e.director, e.event.short)),
    ),
    "events from a day on": (
        1,
        lambda e: [event.name for event in list_events_from(e.club.events.all(), e.event.held_on)],
    ),
    "rounds": (1, lambda e: list(get_published_rounds(e.event))),
    "tables of a round": (
        2,
        lambda e: [(list_names(t), t.match and t.match.card) for t in list_tables(e.round)],
    ),
    "who is on each side": (2, lambda e: list_side_numbers(e.round.tables.get(number=1))),
    "tables that are missing": (1, lambda e: list_missing_tables(e.round)),
    "tables without a result, postponed or not": (1, lambda e: list_undecided_numbers(e.round)),
    "postponed tables": (1, lambda e: list_postponed_tables(e.event)),
    "tables that nobody won": (1, lambda e: list_tied_tables(e.round)),
    "tables that are closed and undecided": (1, lambda e: list_undecided_tables(e.event)),
    "who sat out in turn": (1, lambda e: count_byes(e.event)),
    "entries": (1, lambda e: [str(entry) for entry in get_entries(e.event)]),
    "entries of a person": (1, lambda e: map_entry_numbers(1, [e.event.pk])),
    "whom some have met": (1, lambda e: read_history(e.event, [EntryId(1)], before_round=2)),
    "standings": (1, lambda e: get_standings_rows(e.event)),
    "wins": (1, lambda e: map_wins(e.event)),
    "when everybody saw them change": (1, lambda e: get_publicly_changed_at(e.event)),
    "when they were computed": (1, lambda e: get_computed_at(e.event)),
    "what all is counted from": (3, lambda e: read_event_snapshot(e.event)),
    "the standings as of now": (5, lambda e: compute_event_standings(e.event, read_event_snapshot(e.event))),
    "tables set by hand": (1, lambda e: find_manual_slots(e.event)),
    "an event as a file": (14, lambda e: build_event_file(e.event)),
    "an event as a file for another laptop": (
        28,
        lambda e: build_event_file(e.event, with_phone_keys=True, with_desk=True),
    ),
    "contradictions": (1, lambda e: list_contradictions(e.event)),
    "who sits where": (1, lambda e: lineup_of(e.round)),
    "who sits where, by name": (2, lambda e: get_lineup_entries(lineup_of(e.round))),
    "tables as played": (2, lambda e: map_played_tables(e.round)),
    "which tables there are": (1, lambda e: list_table_numbers(e.round)),
    "where some sit": (1, lambda e: map_table_places([e.round], [1, 2])),
    "whether somebody has a page": (0, lambda e: has_public_page(e.club, Person())),
    "who has a page": (1, lambda e: find_people_with_pages(e.club, [1, 2])),
    "what was done": (1, lambda e: [(a.account, a.kind) for a in get_actions(e.event)]),
    "who had which number when": (2, lambda e: read_number_history(e.event, get_entries(e.event)).at(0)),
    "where the starting list was put in order": (1, lambda e: read_reorderings([e.event.pk])),
    "events of a club": (1, lambda e: [event.terms.ruleset for event in get_club_events(e.club)]),
    "last events of a club": (1, lambda e: [event.terms.ruleset for event in list_recent_events(e.club)]),
    "public events": (1, lambda e: [event.name for event in get_public_events()]),
    "public events of a club": (1, lambda e: [event.name for event in get_public_club_events(e.club)]),
    "last public events of a club": (1, lambda e: [event.name for event in list_recent_public_events(e.club)]),
    "entries that would come again": (1, lambda e: [len(each.players) for each in list_returning_entries(e.event)]),
    "events of a season": (1, lambda e: [event.name for event in select_season_events(e.season)]),
    "counted events of a season": (1, lambda e: [event.name for event in select_counted_events(e.season)]),
    "begun events of a season": (1, lambda e: [event.name for event in select_started_events(e.season)]),
    "seasons and series of a club": (1, lambda e: list(select_seasons(e.club.pk))),
    "whether a season counts it": (1, lambda e: is_in_open_season(e.event)),
    "nights of a season": (6, lambda e: list_season_nights(e.season)),
    "standings of a season": (7, lambda e: compute_season_standings(e.season)),
    "nights behind a line": (1, lambda e: get_line_scores(e.season, 0, [1])),
    "matches whose hands are to be counted": (1, lambda e: list_uncounted_matches(e.club.pk)),
    "what ratings go by": (2, lambda e: list_meetings(e.club.pk)),
    "who has a rating": (1, lambda e: [str(each.person) for each in select_ranked_people(e.club)]),
    "a record of somebody": (1, lambda e: [find_person_record(e.club, 1)]),
    "a record of two": (3, lambda e: [compute_pair_record(e.club, *e.club.people.order_by("pk")[:2])]),
    "the records of a club": (1, lambda e: [find_club_record(e.club)]),
    "damaged hands": (2, lambda e: matches.list_damage([e.match.pk])),
    "marks at the tables": (2, lambda e: list(matches.list_marks(e.event.topic))),
    "a card by its code": (1, lambda e: read_card(matches.card_with_code(e.card.code))),
    "the match at a card": (4, lambda e: read_table_screen(matches.find_current_match(e.card))),
    "a match of a card": (4, lambda e: read_table_screen(matches.find_card_match(e.card, e.match.pk))),
    "whether a hand is recorded": (1, lambda e: matches.is_recorded(uuid4())),
    "a match with its hands": (4, lambda e: read_table_screen(matches.find_match(e.match.pk))),
    "matches with their hands": (
        4,
        lambda e: [read_table_screen(match) for match in matches.load_matches(e.match_ids).values()],
    ),
    "a match, to somebody of its club": (
        4,
        lambda e: read_table_screen(matches.find_desk_match(e.director, e.match.pk)),
    ),
    "the phones at a table": (2, lambda e: [one.device for one in matches.list_card_phones(e.card, datetime.now(UTC))]),
    "how many cards are open": (1, lambda e: matches.count_open_cards()),
    "the match of a sheet": (1, lambda e: matches.find_sheet_match(e.director, e.card.code, 1)),
    "the next sheet to type": (1, lambda e: [one.card for one in (matches.find_next_sheet_match(e.match),) if one]),
    "another match of the evening": (4, lambda e: read_table_screen(matches.find_evening_match(e.match, e.match.pk))),
    "who sits there by now": (
        2,
        lambda e: [
            [each.person.name for each in there.seated_players] + [each.agreed_to for each in there.ordered_agreements]
            for there in [matches.load_match_details(Match(pk=e.match.pk))]
        ],
    ),
    "the latest call of a match": (1, lambda e: matches.find_latest_call(e.match)),
    "the open call of a match": (1, lambda e: matches.find_open_call(e.match)),
    "all calls of a match": (1, lambda e: [call.settled_by for call in matches.list_calls(e.match)]),
    "the match of which a phone has kept the log": (
        4,
        lambda e: read_table_screen(matches.find_saved_match(e.card, e.match.opened_at, e.round.number, e.names)),
    ),
    "the same, drawn once more": (
        5,
        lambda e: read_table_screen(matches.find_saved_match(e.card, EARLIER, e.round.number, e.names)),
    ),
    "matches of the last round": (
        1,
        lambda e: [m.card.number for m in matches.list_last_round_matches(e.event.topic)],
    ),
    "phones at the tables": (1, lambda e: matches.list_phones(e.event.topic)),
    "tables from which something came late": (
        1,
        lambda e: matches.list_late_tables(e.event.topic, EARLIER),
    ),
    "matches of which something came late": (
        5,
        lambda e: [read_table_screen(m) for m in matches.list_late_matches(e.event.topic)],
    ),
    "rows of matches": (3, lambda e: [read_table_row(match) for match in matches.list_matches(e.match_ids)]),
}


def read_event(event: Event | None) -> object:
    assert event is not None
    return event.club.name, event.terms.ruleset


def read_event_with_role(found: tuple[Event, Role] | None) -> object:
    assert found is not None
    return read_event(found[0]), found[1]


def read_club(place: ClubMembership | None) -> object:
    assert place is not None
    return place.club.name, place.role, place.has_other_clubs


def read_card(card: TableCard | None) -> object:
    assert card is not None
    return card.topic


SINGLE_PAGE_QUERIES = {
    *("find_closed_season", "entries_of_family", "entry_numbered", "entry_of_person"),
    *("desk_to_json", "in_seats", "phone_keys", "refresh_snapshot"),
    *("last_published_round", "names_taken", "select_open_event_seasons", "get_season_people", "place_of"),
    *("actions_seen", "are_entries_public", "open_disputes", "people_taking_part"),
    *("matches_to_json", "rounds_to_json"),
    *("section_names", "has_sign_ups", "sign_up_of", "player_alone", "looking_for_partner"),
    *("has_event", "has_taken_part", "forfeitable_seating", "forfeit_by", "players_key", "withdrawn_entries"),
    *("unfinished_tables", "tonights", "is_past", "last_time", "counts_publicly", "find_season_changes"),
    *("build_event_structure", "map_pools"),
    *("shared_events", "public_shared_events", "guests_of", "accepted_clubs"),
}
"""Queries that a single page or service makes; the test of that page or service limits their cost."""
EVENT_MODULES = (
    "entries.queries.entries",
    "event_files.queries",
    "events.queries",
    "history.queries",
    "records.queries",
    "rounds.queries.event_snapshot",
    "rounds.queries.rounds",
    "seasons.queries",
    "standings.queries.standings",
)


def count_queries(read: Read, evening: LastRound) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert read(evening) is not None
    return len(caught)


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "rounds"), [(3, 2), (9, 5)])
def test_read_query_count_is_independent_of_event_size(pairs: int, rounds: int) -> None:
    evening = LastRound(pairs=pairs, rounds=rounds)
    costs = {name: count_queries(read, evening) for name, (_, read) in READS.items()}
    assert costs == {name: cost for name, (cost, _) in READS.items()}


def test_every_query_function_has_a_measured_cost() -> None:
    def list_public_functions(module: Any) -> Iterable[str]:
        return (
            name
            for name, found in vars(module).items()
            if isfunction(found) and found.__module__.startswith(module.__name__) and not name.startswith("_")
        )

    held = {name for module in EVENT_MODULES for name in list_public_functions(import_module(f"tournaments.{module}"))}
    read = {name for _, each in READS.values() for name in list_called_names(each)}
    assert {
        *held,
        *list_public_functions(matches),
        "query_clubs",
        "find_club_membership",
        "find_account_role",
    } - read == SINGLE_PAGE_QUERIES


def list_called_names(read: Callable[..., object]) -> set[str]:
    return set(read.__code__.co_names)
