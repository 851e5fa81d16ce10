"""Effects of a change before it is made: it is made, looked at, and rolled back."""

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
"""People at tables of open rounds without a ruling, by round and table: names by person."""

OF_ENTRANTS = frozenset({"entry", "event", "person"})
"""Kinds of rows that say who takes part, and who is kept apart from whom."""

MOST_REDRAWN = 2_000
"""Most entries to draw again, over all rounds that are redrawn. It takes a second's work, twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """Effects of a change. ``actions`` are kind and details of the lines that the history would have.
    ``sections`` are those whose own standings would change their people, even if nobody's rank among all
    changes. ``lineups`` are the tables and byes that change, by round: of a draft, unless it is among those
    ``published`` before or after. ``next_round`` is that of the next draw, before and after. ``later_rounds``
    are those already published after the first round that changes: they stay as they are, and ``redrawn``
    tells who would have met in the first of them. ``undecided`` are round and table of closed rounds that
    would lose their result. ``set_aside`` counts matches with recorded hands that would be taken from their
    tables until the same entries are published there again. ``reseated`` are round and table of matches that
    go on, and the people who join them. ``contradicted`` are round and table of the published bracket with
    people whom the results do not bring there; without a table, a bye. ``unfit_draft`` is the round of a
    draft that seats somebody who would no longer play, or leaves out somebody who would."""

    actions: tuple[tuple[str, Mapping[str, Any]], ...]
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
        """Number of entries in the next round, if that changes; not in the course of a bracket, where fewer
        meet."""
        before, after = self.next_round
        is_told = len(before.entries) != len(after.entries) and (after.begins or not after.is_bracket)
        return len(after.entries) if is_told else None

    @property
    def left_over_next(self) -> int | None:
        """Number of entries without a table in the next round, apart from requested byes. None in a bracket,
        and where neither it nor the number of entries changes; 0 only where there were some."""
        before, after = self.next_round
        is_other = before.left_over != after.left_over
        is_told = is_other or (after.left_over and self.playing_next is not None)
        return after.left_over if is_told and not after.is_bracket else None

    @property
    def is_in_pools_next(self) -> bool:
        """Whether those entries are left over in pools."""
        return self.next_round[1].in_pools

    @property
    def has_walkover_next(self) -> bool:
        """Whether an entry leaves a bracket in which others could still meet it."""
        before, after = self.next_round
        return after.is_bracket and not after.begins and 1 < len(before.entries) > len(after.entries)

    @property
    def going_on(self) -> frozenset[EntryId]:
        """Entries that would enter the stage of the next round, and do not now."""
        before, after = self.next_round
        return after.entries - before.entries if after.begins else frozenset()


class _TakenBack(Exception):  # noqa: N818 - no error: the way out of a transaction
    pass


def effects_of(
    event_id: int, deed: Callable[[], object], *, marked: tuple[int, int] | None = None
) -> Effects:
    """Return the effects of a service called with its arguments, and roll everything back. Refuses: what it
    refuses.

    Others wait only for the service and for a look at what it touched; all else is read and ranked without a
    lock. ``marked`` are round and table of a match in which the service records hands; otherwise the history
    says what it touched.
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
        actions=tuple((action.kind, action.details) for action in done),
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
    """Redraw the first of the later rounds, without those made by hand; at least one."""
    drawn = event.rounds.filter(number__in=later, drawn_from__isnull=False)
    most = max(1, MOST_REDRAWN // max(1, len(before.entrants)))
    again = (
        redraw(before, after, number=number, seed=seed)
        for number, seed in drawn.values_list("number", "seed")[:most]
    )
    return tuple(each for each in again if each is not None)


def _rounds_decided(action: Action) -> list[int]:
    """Return the rounds in which a result changed."""
    ruled = [ruling[0] for ruling in action.changes.get("rulings", ())]
    return [*ruled, action.details["round"]] if action.kind == "correct_result" else ruled


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """State of an event at one moment. ``set_by_hand`` are the slots of its bracket that were; ``unfit`` says
    which entries its draft does not fit."""

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
    """Read the state after a change, only the parts that it touched."""
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
    """Return the parts that these changes touched, by the history. One query."""
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
    """Results derived from a state of the event."""

    def __init__(self, read: _Read) -> None:
        self.known = read.known
        numbers = self.known.numbers
        rows = rank_arrived(self.known, counted_field(self.known))
        self.ranks = {numbers[row.entry]: row.rank for row in rows}
        self.is_ranked = bool(self.known.adjustments) or any(sat.outcome for sat in self.known.sat)
        """Before anything counts nobody is ahead, and there are no ranks to show."""
        self.sections = {
            section["name"]: frozenset(
                entrant.number
                for entrant in self.known.entrants
                if entrant.section == section["name"] and entrant.number in self.ranks
            )
            for section in self.known.basis.sections
        }
        """Numbers of the ranked entries of each section."""
        self.next_round = next_round_of(self.known)
        self.set_aside = read.set_aside
        self.players = read.players
        self.unfit = read.unfit
        self.contradictions = all_contradictions(self.known, by_hand=read.set_by_hand)
        self.undecided = read.undecided
        self.published = sorted({table.round for table in self.known.sat})


def _players(event: Event, at_tables: Q = Q()) -> Players:  # noqa: B008 - a value
    """Return the people at tables of open rounds. One query."""
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
