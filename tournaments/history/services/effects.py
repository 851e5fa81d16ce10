"""What a change would do, before it is done: it is done, looked at, and taken back."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q

from engine.changes import RankMove, moves_between
from engine.draws import EntryId
from engine.draws.lineups import Difference
from engine.results import (
    EventSnapshot,
    NextRound,
    RedrawComparison,
    counted_field,
    next_round_of,
    rank_arrived,
    redraw,
)
from engine.standings import all_contradictions
from scoring.models import Match, Player
from tournaments.lifecycle import OPEN
from tournaments.models import Action, Event
from tournaments.rounds.queries.drafts import UnfitDraft, unfit_draft
from tournaments.rounds.queries.event_snapshot import TouchedParts, event_snapshot, refresh_snapshot
from tournaments.rounds.queries.rounds import undecided_tables
from tournaments.standings.queries.standings import slots_set_by_hand

from .locking import locked_event
from .optimistic import last_line, write_optimistically

Players = dict[tuple[int, int], dict[int, str]]
"""Who sits at the tables of open rounds where nothing is ruled, by round and table: names by person."""

OF_ENTRANTS = frozenset({"entry", "event", "person"})
"""The rows in which stands who takes part, and who is kept apart from whom."""

MOST_REDRAWN = 2_000
"""Entries, over all the rounds that are drawn again to tell who would have met: a second's work, twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What would be otherwise. ``deeds`` are kind and details of what would stand in the history;
    ``sections`` those whose own standing would have other people in it, whoever keeps a rank among all;
    ``lineups`` the tables and byes that change, by round: of a draft, unless it is among those ``published``
    before or after; ``next_round`` is that of the next draw, before and after; ``later_rounds`` those
    already published after the first round that changes: they stay as they are, and ``redrawn`` tells who
    would have met in the first of them. ``undecided`` are round and table of closed rounds that would have no
    result any more. ``set_aside`` matches have marks, and would be taken from their tables until the same
    entries are published there again. ``reseated`` are round and table of matches that go on, and who joins
    them. ``contradicted`` are round and table of the published bracket where somebody would sit whom the
    results do not bring there; without a table, a bye. ``unfit_draft`` is the round that is drawn and not
    published where it seats somebody who would play it no more, or leaves out somebody who would."""

    deeds: tuple[tuple[str, Mapping[str, Any]], ...]
    ranks: tuple[RankMove, ...]
    sections: tuple[str, ...]
    lineups: dict[int, Difference]
    next_round: tuple[NextRound, NextRound]
    published: frozenset[int]
    later_rounds: tuple[int, ...]
    redrawn: tuple[RedrawComparison, ...]
    undecided: tuple[tuple[int, int], ...]
    set_aside: int
    reseated: tuple[tuple[int, int, tuple[str, ...]], ...]
    contradicted: tuple[tuple[int, int | None], ...]
    unfit_draft: int | None

    @property
    def playing_next(self) -> int | None:
        """How many entries play the next round, if that changes; in the course of a bracket, fewer meet."""
        before, after = self.next_round
        is_told = len(before.entries) != len(after.entries) and (after.begins or not after.is_bracket)
        return len(after.entries) if is_told else None

    @property
    def left_over_next(self) -> int | None:
        """For how many there would be no table in the next round, beside those who asked to sit out, if that
        changes, or how many play; not in a bracket, and 0 only where there were some."""
        before, after = self.next_round
        is_other = before.left_over != after.left_over
        is_told = is_other or (after.left_over and self.playing_next is not None)
        return after.left_over if is_told and not after.is_bracket else None

    @property
    def is_in_pools_next(self) -> bool:
        """Whether they are left over of their pools."""
        return self.next_round[1].in_pools

    @property
    def has_walkover_next(self) -> bool:
        """Whether somebody leaves a bracket in which others could still meet them."""
        before, after = self.next_round
        return after.is_bracket and not after.begins and 1 < len(before.entries) > len(after.entries)

    @property
    def going_on(self) -> frozenset[EntryId]:
        """Who would come into the stage that begins with the next round, and does not now."""
        before, after = self.next_round
        return after.entries - before.entries if after.begins else frozenset()


class _TakenBack(Exception):  # noqa: N818 - no error: the way out of a transaction
    pass


def effects_of(
    event_id: int, deed: Callable[[], object], *, marked: tuple[int, int] | None = None
) -> Effects:
    """The effects of a service called with its arguments. Nothing stays of it. Refuses: what it refuses.

    The hall waits for the deed and for a look at what it touched: all else is read and ranked beside it.
    ``marked`` are round and table of a match in which the deed writes; else its history says what it touched.
    """

    def seen_by(before: _Read) -> tuple[_Read, _Read, list[Action]]:
        last = last_line(before.event)
        try:
            with transaction.atomic():
                deed()
                event = locked_event(event_id)
                done = list(event.actions.filter(pk__gt=last).order_by("pk"))
                after = _read_again(event, before, done, marked)
                raise _TakenBack
        except _TakenBack:
            return before, after, done

    read, read_again, done = write_optimistically(event_id, _read_event, seen_by)
    before, after = _Seen(read), _Seen(read_again)
    lineups = {
        int(number): each for action in done for number, each in action.changes.get("lineups", {}).items()
    }
    touched = [*lineups, *(round_ for action in done for round_ in _rounds_decided(action))]
    later = tuple(number for number in before.published if touched and number > min(touched))
    return Effects(
        deeds=tuple((action.kind, action.details) for action in done),
        ranks=moves_between(before.ranks, after.ranks) if before.is_ranked or after.is_ranked else (),
        sections=tuple(
            name
            for name, ranked in after.sections.items()
            if ranked not in before.sections.values()
            if after.is_ranked
        ),
        lineups=lineups,
        next_round=(before.next_round, after.next_round),
        set_aside=max(0, after.set_aside - before.set_aside),
        reseated=tuple(
            (*place, tuple(name for pk, name in players.items() if pk not in before.players[place]))
            for place, players in after.players.items()
            if place in before.players and players.keys() != before.players[place].keys()
            if str(place[1]) not in lineups.get(place[0], {}).get("tables", {})
        ),
        published=frozenset((*before.published, *after.published)),
        later_rounds=later,
        redrawn=_drawn_again(read.event, later, before.known, after.known),
        undecided=tuple(each for each in after.undecided if each not in before.undecided),
        contradicted=tuple(
            (found.round, found.table) for found in after.contradictions if found not in before.contradictions
        ),
        unfit_draft=after.unfit.round if after.unfit.entries - before.unfit.entries else None,
    )


def _drawn_again(
    event: Event, later: Collection[int], before: EventSnapshot, after: EventSnapshot
) -> tuple[RedrawComparison, ...]:
    """The first of the later rounds, those that were not made by hand: one at least."""
    drawn = event.rounds.filter(number__in=later, drawn_from__isnull=False)
    most = max(1, MOST_REDRAWN // max(1, len(before.entrants)))
    again = (
        redraw(before, after, number=number, seed=seed)
        for number, seed in drawn.values_list("number", "seed")[:most]
    )
    return tuple(each for each in again if each is not None)


def _rounds_decided(action: Action) -> list[int]:
    """The rounds of which a result became another one."""
    ruled = [ruling[0] for ruling in action.changes.get("rulings", ())]
    return [*ruled, action.details["round"]] if action.kind == "correct_result" else ruled


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What is read of an event at one moment. ``set_by_hand`` are the slots of its bracket that were;
    ``unfit`` is for whom its draft does not fit."""

    event: Event
    known: EventSnapshot
    set_by_hand: set[str]
    undecided: list[tuple[int, int]]
    set_aside: int
    players: Players
    unfit: UnfitDraft


def _read_event(event: Event) -> _Read:
    return _read_of(event, event_snapshot(event), _players(event))


def _read_again(event: Event, before: _Read, done: Iterable[Action], marked: tuple[int, int] | None) -> _Read:
    """Of a moment after, by what was done: only that is read."""
    touched = parts_touched(event, done, marked)
    at_tables = Q(match__table__seatings__entry__in=touched.entries)
    return _read_of(event, refresh_snapshot(event, before.known, touched), _players(event, at_tables))


def _read_of(event: Event, known: EventSnapshot, players: Players) -> _Read:
    return _Read(
        event=event,
        known=known,
        set_by_hand=slots_set_by_hand(event) if event.has_bracket else set(),
        undecided=undecided_tables(event),
        set_aside=Match.objects.filter(terms=event.terms_id, withdrawn_at__isnull=False).count(),
        players=players,
        unfit=unfit_draft(event),
    )


def parts_touched(event: Event, done: Iterable[Action], marked: tuple[int, int] | None) -> TouchedParts:
    """By what the history says. One query."""
    rows, tables, byes = [], set() if marked is None else {marked}, set()
    for action in done:
        rows += action.changes.get("rows", ())
        for number, each in action.changes.get("lineups", {}).items():
            tables |= {(int(number), int(table)) for table in each.get("tables", ())}
            byes |= {(int(number), int(entry)) for entry in each.get("byes", ())}
        tables |= {(number, table) for number, table, *_ in action.changes.get("rulings", ())}
    rounds = event.rounds.filter(pk__in={pk for kind, pk, *_ in rows if kind == "round"})
    return TouchedParts(
        rounds=frozenset(rounds.values_list("number", flat=True)),
        tables=frozenset(tables),
        byes=frozenset(byes),
        entries=frozenset(pk for kind, pk, *_ in rows if kind == "entry"),
        entrants=not OF_ENTRANTS.isdisjoint(kind for kind, *_ in rows),
    )


class _Seen:
    """What follows from what was read."""

    def __init__(self, read: _Read) -> None:
        self.known = read.known
        numbers = self.known.numbers
        rows = rank_arrived(self.known, counted_field(self.known))
        self.ranks = {numbers[row.entry]: row.rank for row in rows}
        self.is_ranked = bool(self.known.adjustments) or any(sat.outcome for sat in self.known.sat)
        """Before anything counts nobody is ahead, and there is no rank to tell of."""
        self.sections = {
            section["name"]: frozenset(
                entrant.number
                for entrant in self.known.entrants
                if entrant.section == section["name"] and entrant.number in self.ranks
            )
            for section in self.known.basis.sections
        }
        """Who is ranked in the standing of each."""
        self.next_round = next_round_of(self.known)
        self.set_aside = read.set_aside
        self.players = read.players
        self.unfit = read.unfit
        self.contradictions = all_contradictions(self.known, by_hand=read.set_by_hand)
        self.undecided = read.undecided
        self.published = sorted({table.round for table in self.known.sat})


def _players(event: Event, at_tables: Q = Q()) -> Players:  # noqa: B008 - a value
    """One query."""
    found: dict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    seats = Player.objects.filter(
        at_tables,
        match__table__round__event=event,
        match__table__round__state__in=OPEN,
        match__table__ruling__isnull=True,
    )
    for drawn, table, pk, name in seats.order_by("match__table__number", "seat").values_list(
        "match__table__round__number", "match__table__number", "person", "person__name"
    ):
        found[drawn, table][pk] = name
    return dict(found)
