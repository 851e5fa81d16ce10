"""A player's own page of an event: seats, matches and rank, as far as everybody may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from clubs.models import Person
from clubs.wording import join_names
from engine.chances import Chance
from engine.draws import EntryId
from engine.visibility import Results
from rules import PlayedHand, Side
from scoring.desk_messages import DeskMessage
from scoring.models import Match
from scoring.queries import matches_with_hands
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in, public_naming
from tournaments.lifecycle import OPEN
from tournaments.models import Entry, Event, Round, Table
from tournaments.public.queries.own_page import byes_of, tables_of_person
from tournaments.rounds.byes import ByeKind, bye_kind
from tournaments.rounds.chances import chance_at, chances_of_event
from tournaments.rounds.presenters.rounds import RoundReader, TableSide, planned_rounds, table_side
from tournaments.rounds.presenters.tables import GameHands, HandView, games_of
from tournaments.rounds.queries.messages import messages_for
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.rounds.rulings import RulingKind, director_decision, played_outcome
from tournaments.sharing.queries import charlemagnes_in
from tournaments.standings.presenters import StandingsRow, StandingsSnapshot, public_snapshot, standings_view

from .hall_map import HallMap, hall_map


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCharlemagne:
    """A Charlemagne made by the player's side. ``at`` is when it was recorded at the table, None where it was
    not."""

    round: int
    contract: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRound:
    """A player's round: table, side, partners and opponents, or the bye. It ``is_played`` once it is over,
    and not by a forfeit. ``hall`` shows the table of a round under way, and ``chance``
    how its match may end."""

    number: int
    is_playing: bool
    results_seen: Results
    table: int | None = None
    bye: ByeKind | None = None
    own: TableSide | None = None
    other: TableSide | None = None
    partners: str = ""
    is_played: bool = False
    ruling: RulingKind | None = None
    games: tuple[GameHands, ...] = ()
    hall: HallMap | None = None
    charlemagnes: tuple[OwnCharlemagne, ...] = ()
    chance: Chance | None = None

    @property
    def is_kept_back(self) -> bool:
        return self.table is not None and self.results_seen is Results.NOTHING

    @property
    def is_forfeit(self) -> bool:
        """Whether the match was forfeited: hands recorded there do not count."""
        return self.ruling is not None and self.ruling.is_forfeit


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTotals:
    """Totals over the matches played whose results are visible. ``hands`` are the visible hands, including
    those of the match under way; the player's side declared ``contracts`` of them, and ``made`` so many.
    ``best`` is the contract made that brought most, None without one."""

    matches: int
    won: int
    points_for: int
    points_against: int
    hands: int
    contracts: int
    made: int
    best: HandView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPlace:
    """The rank of one of the player's entries among ``total``, in its section where there are sections."""

    row: StandingsRow
    section: str
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPage:
    """A player's own page. ``next_round`` is the number of the next round, None while a round is under way or
    after the last; ``has_left`` if the player will not play again, perhaps because they are disqualified
    (``is_disqualified``)."""

    name: str
    rounds: tuple[OwnRound, ...]
    totals: OwnTotals
    places: tuple[OwnPlace, ...]
    kept: StandingsSnapshot
    is_round_open: bool
    next_round: int | None
    has_left: bool
    is_disqualified: bool
    messages: tuple[DeskMessage, ...]

    @property
    def now(self) -> list[OwnRound]:
        """Rounds under way."""
        return [one for one in self.rounds if one.is_playing]

    @property
    def charlemagnes(self) -> list[OwnCharlemagne]:
        """Charlemagnes, the first one first."""
        return [made for one in self.rounds[::-1] for made in one.charlemagnes]


def own_page(event: Event, person: Person) -> OwnPage:
    """Build the person's own page. They may send it to anybody: it holds nothing that is hidden from the
    public. Eleven queries; two more where people are numbers, two at most where somebody had a bye."""
    entrants = entries_of(event)
    published = list(rounds_of(event))
    own = [entry for entry in entrants if person in entry.players]
    rounds = _rounds(event, person, entrants, own) if event.visible.draw else ()
    kept = public_snapshot(event, counted=[entry.number for entry in own])
    last = published[-1].number if published else 0
    is_round_open = any(one.state in OPEN for one in published)
    planned = planned_rounds(event, entrants)
    waits = not is_round_open and (planned is None or last < planned)
    return OwnPage(
        name=public_naming(event)(person),
        rounds=rounds,
        totals=_totals(rounds),
        places=_places(event, kept, entrants, own, published),
        kept=kept,
        is_round_open=is_round_open,
        next_round=last + 1 if waits else None,
        messages=messages_for(
            event,
            last_round=last,
            now=timezone.now(),
            tables={one.table for one in rounds if one.is_playing and one.table is not None},
        ),
        has_left=all(entry.has_left(last + (not is_round_open)) for entry in own),
        is_disqualified=bool(own) and all(entry.disqualification for entry in own),
    )


def _rounds(
    event: Event, person: Person, entrants: Sequence[Entry], own: Sequence[Entry]
) -> tuple[OwnRound, ...]:
    """Return the person's rounds, newest first."""
    seen = event.visible
    numbers = [entry.pk for entry in own]
    tables = tables_of_person(event, person, numbers)
    shown = [
        table.match_id
        for table in tables
        if table.match_id is not None and seen.results_in(table.round.number) is Results.HANDS
    ]
    logs = matches_with_hands(shown) if shown else {}
    games = {pk: games_of(match) for pk, match in logs.items()}
    made = [one for table in tables for one in _charlemagnes(table, logs, person)]
    reader = RoundReader(
        event=event,
        entries={entry.pk: entry for entry in entrants},
        named=public_naming(event),
        entry_named=entries_named_in(event, entrants),
        tells=lambda _: False,
        chances=chances_of_event(event),
    )
    found = [
        replace(
            _at_table(table, person, reader, games),
            charlemagnes=tuple(one for one in made if one.round == table.round.number),
        )
        for table in tables
    ]
    found += [
        OwnRound(
            number=bye.round.number,
            is_playing=bye.round.state in OPEN,
            results_seen=seen.results_in(bye.round.number),
            bye=bye_kind(bye.reasons),
        )
        for bye in byes_of(event, person)
    ]
    return tuple(sorted(found, key=lambda one: -one.number))


def _at_table(
    table: Table,
    person: Person,
    reader: RoundReader,
    games: Mapping[int, tuple[GameHands, ...]],
) -> OwnRound:
    seen = reader.event.visible.results_in(table.round.number)
    a, b = (
        table_side(
            side,
            tuple(EntryId(one.entry_id) for one in table.seatings.all() if one.side == side),
            reader,
            table,
            seen,
        )
        for side in Side
    )
    own, other = (a, b) if person.pk in {one.pk for one in a.people} else (b, a)
    is_seen, match = seen is not Results.NOTHING, table.match
    decision = director_decision(table.ruling, match.summary if match is not None else {})
    is_over = table.ruling["kind"] != "forfeit" if table.ruling else match is not None and match.is_over
    return OwnRound(
        number=table.round.number,
        is_playing=table.round.state in OPEN,
        results_seen=seen,
        table=table.number,
        own=own,
        other=other,
        partners=join_names([one.name for one in own.people if one.pk != person.pk]),
        is_played=is_seen and is_over,
        ruling=decision if is_seen else None,
        games=() if table.match_id is None else games.get(table.match_id, ()),
        hall=hall_map(reader.event, table.number) if table.round.state in OPEN else None,
        chance=chance_at(table, reader.chances, seen),
    )


def _charlemagnes(table: Table, logs: Mapping[int, Match], person: Person) -> list[OwnCharlemagne]:
    """Return the Charlemagnes that the person's side made at this table, if the match was played. No
    query."""
    match = table.match
    if match is None or match.pk not in logs or match.withdrawn_at is not None:
        return []
    if played_outcome(table.ruling, match.summary, is_over=match.is_over) is None:
        return []
    sides = {Side(player.seat % 2) for player in match.players.all() if player.person == person}
    return [
        OwnCharlemagne(round=table.round.number, contract=made.contract, at=made.at)
        for made in charlemagnes_in([logs[match.pk]])
        if made.side in sides
    ]


def _totals(rounds: Sequence[OwnRound]) -> OwnTotals:
    over = [(one.own, one.other) for one in rounds if one.is_played and one.own and one.other]
    counted = [one for one in rounds if not one.is_forfeit]
    contracts = [hand for one in counted for hand in _own_contracts(one)]
    made = [hand for hand in contracts if isinstance(hand.record, PlayedHand) and hand.record.made]
    return OwnTotals(
        matches=len(over),
        won=sum(own.has_won for own, _ in over),
        points_for=sum(own.points or 0 for own, _ in over),
        points_against=sum(other.points or 0 for _, other in over),
        hands=sum(len(_counted_hands(one)) for one in counted),
        contracts=len(contracts),
        made=len(made),
        best=max(made, key=lambda hand: (hand.ends_game, hand.gained), default=None),
    )


def _counted_hands(one: OwnRound) -> list[HandView]:
    """Return the hands of the round that were played and count."""
    return [
        hand
        for game in one.games
        for hand in game.hands
        if hand.counts and isinstance(hand.record, PlayedHand)
    ]


def _own_contracts(one: OwnRound) -> list[HandView]:
    """Return the hands of the round that count and that the player's side declared."""
    return [hand for hand in _counted_hands(one) if one.own and hand.bidder == one.own.colour]


def _places(
    event: Event,
    kept: StandingsSnapshot,
    entrants: Sequence[Entry],
    own: Sequence[Entry],
    published: Sequence[Round],
) -> tuple[OwnPlace, ...]:
    """Return the place of each of the player's entries; none while nobody has a result."""
    found = []
    for entry in own:
        view = standings_view(event, kept, entrants, published, section=entry.section)
        if view.has_results:
            found += [
                OwnPlace(row=row, section=view.section, total=view.total)
                for row in view.rows
                if row.entry == entry.number
            ]
    return tuple(found)
