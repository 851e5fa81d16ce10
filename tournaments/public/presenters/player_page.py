"""A player's own page of an event: seats, matches and rank, as far as everybody may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from clubs.models import Person
from clubs.name_formats import join_names
from engine.chances import Chance
from engine.draws import EntryId
from engine.visibility import Results
from rules import PlayedHand, Side
from scoring.desk_messages import DeskMessage
from scoring.fold import is_decided_by_charlemagne
from scoring.models import Match
from scoring.queries import load_matches
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_public_entry_formatter, build_public_person_formatter
from tournaments.lifecycle import OPEN_STATES, EventState
from tournaments.models import Entry, Event, Round, Table
from tournaments.public.presenters.games import GameHands, HandView, list_games
from tournaments.public.presenters.next_matches import NextMatch, find_next_match
from tournaments.public.queries.next_round import UpcomingRound, find_upcoming_round
from tournaments.public.queries.player_page import list_player_byes, list_player_tables
from tournaments.rounds.byes import ByeKind, classify_bye
from tournaments.rounds.chances import compute_event_chances, compute_table_chance
from tournaments.rounds.presenters.rounds import RoundReader, TableSide, build_table_side
from tournaments.rounds.queries.messages import list_messages_for_tables
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.rounds.rulings import RulingKind, get_director_decision, get_played_outcome
from tournaments.sharing.queries import list_charlemagnes
from tournaments.standings.presenters import StandingsRow, StandingsSnapshot, build_standings_view, get_public_snapshot

from .hall_map import HallMap, build_hall_map


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCharlemagne:
    """A Charlemagne made by the player's side. ``at`` is the time when it was recorded at the table, None if it was
    recorded elsewhere."""

    round: int
    contract: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRound:
    """A player's round: table, side, partners and opponents, or the bye. It ``is_played`` once it is over,
    and not by a forfeit. ``hall`` shows the table of a round under way, and ``chance``
    how its match may end."""

    number: int
    is_playing: bool
    visible_results: Results
    table: int | None = None
    bye: ByeKind | None = None
    own: TableSide | None = None
    other: TableSide | None = None
    partners: str = ""
    is_played: bool = False
    ruling: RulingKind | None = None
    is_decided_by_charlemagne: bool = False
    games: tuple[GameHands, ...] = ()
    hall: HallMap | None = None
    charlemagnes: tuple[PlayerCharlemagne, ...] = ()
    chance: Chance | None = None

    @property
    def is_kept_back(self) -> bool:
        return self.table is not None and self.visible_results is Results.NOTHING

    @property
    def is_forfeit(self) -> bool:
        """Whether the match was forfeited: hands recorded there do not count."""
        return self.ruling is not None and self.ruling.is_forfeit


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTotals:
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
class PlayerRank:
    """The rank of one of the player's entries among ``total``, in its section where there are sections."""

    row: StandingsRow
    section: str
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """A player's own page. ``next_round`` is None while a round is under way, and after the last;
    ``has_left`` if the player will not play again, perhaps because they are disqualified (``is_disqualified``).
    ``find_next_match`` is the next one in a bracket, told while others play."""

    name: str
    rounds: tuple[PlayerRound, ...]
    totals: PlayerTotals
    places: tuple[PlayerRank, ...]
    standings: StandingsSnapshot
    is_round_open: bool
    next_round: UpcomingRound | None
    has_left: bool
    is_disqualified: bool
    messages: tuple[DeskMessage, ...]
    next_match: NextMatch | None = None

    @property
    def now(self) -> list[PlayerRound]:
        """Rounds under way."""
        return [player_round for player_round in self.rounds if player_round.is_playing]

    @property
    def charlemagnes(self) -> list[PlayerCharlemagne]:
        """Charlemagnes, the first one first."""
        return [charlemagne for player_round in self.rounds[::-1] for charlemagne in player_round.charlemagnes]


def build_player_page(event: Event, person: Person) -> PlayerPage:
    """Build the person's own page. They may send it to anybody: it holds nothing that is hidden from the
    public. Eleven queries; two more where people are numbers, two at most where somebody had a bye, eight
    where a round of a bracket is played, four between two rounds."""
    entrants = get_entries(event)
    published = list(get_published_rounds(event))
    own_entries = [entry for entry in entrants if person in entry.players]
    rounds = _build_rounds(event, person, entrants, own_entries) if event.visible.draw else ()
    standings = get_public_snapshot(event, entry_numbers=[entry.number for entry in own_entries])
    last_round = published[-1].number if published else 0
    is_round_open = any(round_row.state in OPEN_STATES for round_row in published)
    own_ids = [entry.pk for entry in own_entries]
    is_waiting = event.state == EventState.RUNNING and not is_round_open
    return PlayerPage(
        name=build_public_person_formatter(event)(person),
        rounds=rounds,
        totals=_compute_totals(rounds),
        places=_build_ranks(event, standings, entrants, own_entries, published),
        standings=standings,
        is_round_open=is_round_open,
        next_round=find_upcoming_round(event, last_round, own_ids) if is_waiting else None,
        next_match=find_next_match(
            event,
            published[-1] if is_round_open and event.visible.draw else None,
            own_ids,
        ),
        messages=list_messages_for_tables(
            event,
            last_round=last_round,
            now=timezone.now(),
            tables={round_row.table for round_row in rounds if round_row.is_playing and round_row.table is not None},
        ),
        has_left=all(entry.has_left(last_round + (not is_round_open)) for entry in own_entries),
        is_disqualified=bool(own_entries) and all(entry.disqualification for entry in own_entries),
    )


def _build_rounds(
    event: Event, person: Person, entrants: Sequence[Entry], own_entries: Sequence[Entry]
) -> tuple[PlayerRound, ...]:
    """Return the person's rounds, newest first."""
    visible = event.visible
    numbers = [entry.pk for entry in own_entries]
    tables = list_player_tables(event, person, numbers)
    visible_match_ids = [
        table.match_id
        for table in tables
        if table.match_id is not None and visible.get_results(table.round.number) is Results.HANDS
    ]
    logs = load_matches(visible_match_ids) if visible_match_ids else {}
    games = {pk: list_games(match) for pk, match in logs.items()}
    charlemagnes = [one for table in tables for one in _find_charlemagnes(table, logs, person)]
    reader = RoundReader(
        event=event,
        entries={entry.pk: entry for entry in entrants},
        format_person=build_public_person_formatter(event),
        format_entry=build_public_entry_formatter(event, entrants),
        is_reason_shown=lambda _: False,
        chances=compute_event_chances(event),
    )
    player_rounds = [
        replace(
            _build_table_round(table, person, reader, games),
            charlemagnes=tuple(one for one in charlemagnes if one.round == table.round.number),
        )
        for table in tables
    ]
    player_rounds += [
        PlayerRound(
            number=bye.round.number,
            is_playing=bye.round.state in OPEN_STATES,
            visible_results=visible.get_results(bye.round.number),
            bye=classify_bye(bye.reasons),
        )
        for bye in list_player_byes(event, person)
    ]
    return tuple(sorted(player_rounds, key=lambda one: -one.number))


def _build_table_round(
    table: Table,
    person: Person,
    reader: RoundReader,
    games: Mapping[int, tuple[GameHands, ...]],
) -> PlayerRound:
    visible_results = reader.event.visible.get_results(table.round.number)
    a, b = (
        build_table_side(
            side,
            tuple(EntryId(one.entry_id) for one in table.seatings.all() if one.side == side),
            reader,
            table,
            visible_results,
        )
        for side in Side
    )
    own_side, other_side = (a, b) if person.pk in {one.pk for one in a.people} else (b, a)
    has_visible_result, match = visible_results is not Results.NOTHING, table.match
    summary = match.summary if match is not None else {}
    decision = get_director_decision(table.ruling, summary)
    is_over = table.ruling["kind"] != "forfeit" if table.ruling else match is not None and match.is_over
    return PlayerRound(
        number=table.round.number,
        is_playing=table.round.state in OPEN_STATES,
        visible_results=visible_results,
        table=table.number,
        own=own_side,
        other=other_side,
        partners=join_names([one.name for one in own_side.people if one.pk != person.pk]),
        is_played=has_visible_result and is_over,
        ruling=decision if has_visible_result else None,
        is_decided_by_charlemagne=has_visible_result and decision is None and is_decided_by_charlemagne(summary),
        games=() if table.match_id is None else games.get(table.match_id, ()),
        hall=build_hall_map(reader.event, table.number) if table.round.state in OPEN_STATES else None,
        chance=compute_table_chance(table, reader.chances, visible_results),
    )


def _find_charlemagnes(table: Table, logs: Mapping[int, Match], person: Person) -> list[PlayerCharlemagne]:
    """Return the Charlemagnes that the person's side made at this table, if the match was played. No
    query."""
    match = table.match
    if match is None or match.pk not in logs or match.withdrawn_at is not None:
        return []
    if get_played_outcome(table.ruling, match.summary, is_over=match.is_over) is None:
        return []
    sides = {Side(player.seat % 2) for player in match.players.all() if player.person == person}
    return [
        PlayerCharlemagne(round=table.round.number, contract=charlemagne.contract, at=charlemagne.recorded_at)
        for charlemagne in list_charlemagnes([logs[match.pk]])
        if charlemagne.side in sides
    ]


def _compute_totals(rounds: Sequence[PlayerRound]) -> PlayerTotals:
    finished_sides = [
        (player_round.own, player_round.other)
        for player_round in rounds
        if player_round.is_played and player_round.own and player_round.other
    ]
    counted_rounds = [player_round for player_round in rounds if not player_round.is_forfeit]
    contracts = [hand for player_round in counted_rounds for hand in _list_own_contracts(player_round)]
    made_contracts = [hand for hand in contracts if isinstance(hand.record, PlayedHand) and hand.record.made]
    return PlayerTotals(
        matches=len(finished_sides),
        won=sum(own_side.has_won for own_side, _ in finished_sides),
        points_for=sum(own_side.points or 0 for own_side, _ in finished_sides),
        points_against=sum(other_side.points or 0 for _, other_side in finished_sides),
        hands=sum(len(_list_counted_hands(player_round)) for player_round in counted_rounds),
        contracts=len(contracts),
        made=len(made_contracts),
        best=max(made_contracts, key=lambda hand: (hand.ends_game, hand.gained), default=None),
    )


def _list_counted_hands(player_round: PlayerRound) -> list[HandView]:
    """Return the hands of the round that were played and count."""
    return [
        hand
        for game in player_round.games
        for hand in game.hands
        if hand.counts and isinstance(hand.record, PlayedHand)
    ]


def _list_own_contracts(player_round: PlayerRound) -> list[HandView]:
    """Return the hands of the round that count and that the player's side declared."""
    return [
        hand
        for hand in _list_counted_hands(player_round)
        if player_round.own and hand.bidder == player_round.own.colour
    ]


def _build_ranks(
    event: Event,
    standings: StandingsSnapshot,
    entrants: Sequence[Entry],
    own_entries: Sequence[Entry],
    rounds: Sequence[Round],
) -> tuple[PlayerRank, ...]:
    """Return the place of each of the player's entries; none while nobody has a result."""
    ranks = []
    for entry in own_entries:
        view = build_standings_view(event, standings, entrants, rounds, section=entry.section)
        if view.has_results:
            ranks += [
                PlayerRank(row=row, section=view.section, total=view.total)
                for row in view.rows
                if row.entry == entry.number
            ]
    return tuple(ranks)
