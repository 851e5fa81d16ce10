"""Cost of every read: a number of queries that grows with nothing."""

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
from clubs.queries import ClubPlace, clubs_of, place_in, role_in
from engine.draws import EntryId
from rules import Side
from scoring import queries as matches
from scoring.models import Mark, Match, TableCard
from scoring.services import agree, dispute
from tests.builders import (
    a_club,
    a_running_night,
    an_account,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
    win,
)
from tournaments.entries.queries.entries import entries_in, entries_of, entries_of_person
from tournaments.event_files.queries import event_file_of
from tournaments.events.queries import (
    entries_again,
    event_at_desk,
    event_named,
    events_from,
    events_of,
    public_event,
    public_events,
    public_events_of,
    recent_events,
    recent_public_events,
)
from tournaments.history.queries import actions_of, moves_in, numbers_then
from tournaments.models import Event, Round
from tournaments.records.queries import (
    has_a_page,
    matches_to_count,
    meetings_of,
    people_with_a_page,
    ranked_people,
    record_of_pair,
    record_of_person,
    records_of_club,
)
from tournaments.rounds.queries.event_snapshot import event_snapshot, history_among
from tournaments.rounds.queries.rounds import (
    byes_had,
    drawn_tables,
    missing_tables,
    numbers_at,
    places_in,
    played_tables,
    rounds_of,
    table_numbers,
    tables_of,
    undecided_tables,
)
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.seasons.queries import (
    begun_events_of,
    events_of_season,
    is_in_a_season,
    nights_of,
    scores_of_line,
    season_standings,
    seasons_with,
)
from tournaments.seasons.services import open_season
from tournaments.standings.queries.standings import (
    contradictions_of,
    half_wins_of,
    slots_set_by_hand,
    standings_computed_at,
    standings_now,
    standings_of,
    standings_seen_at,
)

EARLIER = datetime(2020, 1, 1, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("whatever a page asks for")]


class Evening:
    """An evening in its last round: one table done, agreed and disputed, the others under way."""

    def __init__(self, *, pairs: int, rounds: int) -> None:
        self.director: Account = an_account()
        self.club: Club = a_club(owner=self.director)
        self.event: Event = a_running_night(pairs, club=self.club)
        for number in range(1, rounds):
            play_round(self.event, number)
            next_round(self.event)
        first, *others = matches_of(self.event, rounds)
        for match in others:
            mark(match, "misdeal", replacing=play(match, "A 6 made", "B 7 made")[-1])
        win(first)
        agree(match_id=first.pk, side=Side.A, game=1)
        dispute(match_id=first.pk)
        Mark.objects.filter(match=first).update(waited=120)
        standings_after(self.event)
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


def numbers(event: Event) -> dict[EntryId, int]:
    """The entries that ``Evening`` has, without a query."""
    return {EntryId(1): 1, EntryId(2): 2}


def names_in(table: Any) -> list[str]:
    return [str(seating.entry) for seating in table.seatings.all()]


def whole(match: Match | None) -> list[object]:
    """Everything that a table screen looks at."""
    assert match is not None
    return [
        match.card.club.name,
        match.terms.ruleset,
        [player.person.name for player in match.seated_players],
        [(each.record_data, each.account and each.account.name) for each in match.written_marks],
        [agreement.agreed_to for agreement in match.agreed],
    ]


def row(match: Match) -> list[object]:
    """Everything that a list of tables looks at."""
    return [
        match.card.number,
        match.summary,
        [player.person.name for player in match.seated_players],
        [agreement.agreed_to for agreement in match.agreed],
        match.is_disputed,  # type: ignore[attr-defined]
    ]


Read = Callable[[Evening], object]

READS: dict[str, tuple[int, Read]] = {
    "clubs of an account": (1, lambda e: [club.name for club in clubs_of(e.director)]),
    "what this account is in a club": (1, lambda e: role_in(e.director, e.club.pk)),
    "the same, with the club": (1, lambda e: club_of(place_in(e.director, e.club.slug))),
    "an event, whoever may see it": (1, lambda e: whole_event(event_named(e.event.short))),
    "an event, to the public": (1, lambda e: whole_event(public_event(e.event.short))),
    "an event, with a role in its club": (
        1,
        lambda e: with_role(event_at_desk(e.director, e.event.short)),
    ),
    "events from a day on": (
        1,
        lambda e: [event.name for event in events_from(e.club.events.all(), e.event.held_on)],
    ),
    "rounds": (1, lambda e: list(rounds_of(e.event))),
    "tables of a round": (
        2,
        lambda e: [(names_in(t), t.match and t.match.card) for t in tables_of(e.round)],
    ),
    "who is on each side": (2, lambda e: numbers_at(e.round.tables.get(number=1))),
    "tables that are missing": (1, lambda e: missing_tables(e.round)),
    "tables that nobody won": (1, lambda e: drawn_tables(e.round)),
    "tables that are closed and undecided": (1, lambda e: undecided_tables(e.event)),
    "who sat out in turn": (1, lambda e: byes_had(e.event)),
    "entries": (1, lambda e: [str(entry) for entry in entries_of(e.event)]),
    "entries of a person": (1, lambda e: entries_of_person(1, [e.event.pk])),
    "whom some have met": (1, lambda e: history_among(e.event, [EntryId(1)], before=2)),
    "standings": (1, lambda e: standings_of(e.event)),
    "half wins": (1, lambda e: half_wins_of(e.event)),
    "when everybody saw them change": (1, lambda e: standings_seen_at(e.event)),
    "when they were computed": (1, lambda e: standings_computed_at(e.event)),
    "what all is counted from": (3, lambda e: event_snapshot(e.event)),
    "the standings as of now": (5, lambda e: standings_now(e.event, event_snapshot(e.event))),
    "tables set by hand": (1, lambda e: slots_set_by_hand(e.event)),
    "an event as a file": (14, lambda e: event_file_of(e.event)),
    "an event as a file for another laptop": (16, lambda e: event_file_of(e.event, for_phones=True)),
    "contradictions": (1, lambda e: contradictions_of(e.event)),
    "who sits where": (1, lambda e: lineup_of(e.round)),
    "who sits where, by name": (2, lambda e: entries_in(lineup_of(e.round))),
    "tables as played": (2, lambda e: played_tables(e.round)),
    "which tables there are": (1, lambda e: table_numbers(e.round)),
    "where some sit": (1, lambda e: places_in([e.round], [1, 2])),
    "whether somebody has a page": (0, lambda e: has_a_page(e.club, Person())),
    "who has a page": (1, lambda e: people_with_a_page(e.club, [1, 2])),
    "what was done": (1, lambda e: [(a.account, a.kind) for a in actions_of(e.event)]),
    "who had which number when": (2, lambda e: numbers_then(e.event, entries_of(e.event)).at(0)),
    "where the starting list was put in order": (1, lambda e: moves_in([e.event.pk])),
    "events of a club": (1, lambda e: [event.terms.ruleset for event in events_of(e.club)]),
    "last events of a club": (1, lambda e: [event.terms.ruleset for event in recent_events(e.club)]),
    "public events": (1, lambda e: [event.name for event in public_events()]),
    "public events of a club": (1, lambda e: [event.name for event in public_events_of(e.club)]),
    "last public events of a club": (1, lambda e: [event.name for event in recent_public_events(e.club)]),
    "entries that would come again": (1, lambda e: [len(each.players) for each in entries_again(e.event)]),
    "events of a season": (1, lambda e: [event.name for event in events_of_season(e.season)]),
    "begun events of a season": (1, lambda e: [event.name for event in begun_events_of(e.season)]),
    "seasons and series of a club": (1, lambda e: list(seasons_with(e.club.pk))),
    "whether a season counts it": (1, lambda e: is_in_a_season(e.event)),
    "nights of a season": (4, lambda e: nights_of(e.season)),
    "standings of a season": (5, lambda e: season_standings(e.season)),
    "nights behind a line": (1, lambda e: scores_of_line(e.season, 0, [1])),
    "matches whose hands are to be counted": (1, lambda e: matches_to_count(e.club.pk)),
    "what ratings go by": (2, lambda e: meetings_of(e.club.pk)),
    "who has a rating": (1, lambda e: [str(each.person) for each in ranked_people(e.club)]),
    "a record of somebody": (1, lambda e: [record_of_person(e.club, 1)]),
    "a record of two": (3, lambda e: [record_of_pair(e.club, *e.club.people.order_by("pk")[:2])]),
    "the records of a club": (1, lambda e: [records_of_club(e.club)]),
    "damaged hands": (2, lambda e: matches.damaged_hands([e.match.pk])),
    "marks at the tables": (2, lambda e: list(matches.marks_of(e.event.topic))),
    "a card by its code": (1, lambda e: whole_card(matches.card_with_code(e.card.code))),
    "the match at a card": (4, lambda e: whole(matches.match_at(e.card))),
    "a match of a card": (4, lambda e: whole(matches.match_of_card(e.card, e.match.pk))),
    "whether a hand is recorded": (1, lambda e: matches.is_recorded(uuid4())),
    "a match with its hands": (4, lambda e: whole(matches.match_with_hands(e.match.pk))),
    "matches with their hands": (
        4,
        lambda e: [whole(match) for match in matches.matches_with_hands(e.match_ids).values()],
    ),
    "a match, to somebody of its club": (4, lambda e: whole(matches.match_at_desk(e.director, e.match.pk))),
    "the phones at a table": (1, lambda e: [phone.device for phone in matches.phones_of_card(e.card)]),
    "how many cards are open": (1, lambda e: matches.count_open_cards()),
    "the match of a sheet": (1, lambda e: matches.match_of_sheet(e.director, e.card.code, 1)),
    "the next sheet to type": (1, lambda e: [one.card for one in (matches.next_sheet(e.match),) if one]),
    "another match of the evening": (4, lambda e: whole(matches.match_beside(e.match, e.match.pk))),
    "who sits there by now": (
        2,
        lambda e: [
            [each.person.name for each in there.seated_players] + [each.agreed_to for each in there.agreed]
            for there in [matches.with_who_sits_there(Match(pk=e.match.pk))]
        ],
    ),
    "the latest call of a match": (1, lambda e: matches.latest_call(e.match)),
    "the open call of a match": (1, lambda e: matches.open_dispute(e.match)),
    "all calls of a match": (1, lambda e: [call.settled_by for call in matches.calls_of(e.match)]),
    "the match of which a phone has kept the log": (
        4,
        lambda e: whole(matches.match_kept(e.card, e.match.opened_at, e.round.number, e.names)),
    ),
    "the same, drawn once more": (
        5,
        lambda e: whole(matches.match_kept(e.card, EARLIER, e.round.number, e.names)),
    ),
    "matches of the last round": (
        1,
        lambda e: [m.card.number for m in matches.matches_of_last_round(e.event.topic)],
    ),
    "phones at the tables": (1, lambda e: matches.phones_at_tables(e.event.topic)),
    "tables from which something came late": (
        1,
        lambda e: matches.tables_with_late_marks(e.event.topic, EARLIER),
    ),
    "matches of which something came late": (
        5,
        lambda e: [whole(m) for m in matches.matches_with_late_marks(e.event.topic)],
    ),
    "rows of matches": (3, lambda e: [row(match) for match in matches.matches_for_lists(e.match_ids)]),
}


def whole_event(event: Event | None) -> object:
    assert event is not None
    return event.club.name, event.terms.ruleset


def with_role(found: tuple[Event, Role] | None) -> object:
    assert found is not None
    return whole_event(found[0]), found[1]


def club_of(place: ClubPlace | None) -> object:
    assert place is not None
    return place.club.name, place.role, place.has_other_clubs


def whole_card(card: TableCard | None) -> object:
    assert card is not None
    return card.topic


OF_ONE_PAGE = {
    *("closed_season_with", "entries_of_family", "entry_numbered", "entry_of_person", "entry_sheet"),
    *("in_seats", "phone_keys", "refresh_snapshot"),
    *("last_published_round", "names_taken", "open_seasons_with", "people_of_season", "place_of"),
    *("actions_seen", "are_entries_public", "open_disputes", "people_taking_part"),
    *("matches_to_json", "moment_to_json", "rounds_to_json"),
    *("section_names", "has_sign_ups", "sign_up_of", "player_alone", "looking_for_partner"),
    *("has_event", "was_there", "forfeitable_seating", "forfeit_by", "players_key", "withdrawn_entries"),
    *("unfinished_tables", "tonights", "is_past", "last_time", "counts_publicly", "changes_of_season"),
    *("shared_events", "public_shared_events", "guests_of", "accepted_clubs"),
}
"""Reads that one page or one service makes, and whose cost is held with it."""
OF_EVENTS = (
    "entries.queries.entries",
    "event_files.queries",
    "events.queries",
    "history.queries",
    "records.queries",
    "rounds.queries.event_snapshot",
    "rounds.queries.rounds",
    "rounds.queries.seatings",
    "seasons.queries",
    "standings.queries.standings",
)


def cost_of(read: Read, evening: Evening) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert read(evening) is not None
    return len(caught)


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "rounds"), [(3, 2), (9, 5)])
def test_a_read_costs_the_same_however_long_the_evening(pairs: int, rounds: int) -> None:
    evening = Evening(pairs=pairs, rounds=rounds)
    costs = {name: cost_of(read, evening) for name, (_, read) in READS.items()}
    assert costs == {name: cost for name, (cost, _) in READS.items()}


def test_every_query_is_held_to_its_cost() -> None:
    def public(module: Any) -> Iterable[str]:
        return (
            name
            for name, found in vars(module).items()
            if isfunction(found) and found.__module__.startswith(module.__name__) and not name.startswith("_")
        )

    held = {name for module in OF_EVENTS for name in public(import_module(f"tournaments.{module}"))}
    read = {name for _, each in READS.values() for name in names_called(each)}
    assert {*held, *public(matches), "clubs_of", "place_in", "role_in"} - read == OF_ONE_PAGE


def names_called(read: Callable[..., object]) -> set[str]:
    return set(read.__code__.co_names)
