"""Effects of a change before it is made: it is made, looked at, and rolled back."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q

from engine.changes import RankMove, find_rank_moves
from engine.draws import EntryId
from engine.draws.lineups import Difference
from engine.ranking import rank_field
from engine.results import (
    EventSnapshot,
    NextRound,
    RedrawComparison,
    build_counted_field,
    filter_arrived,
    get_next_round,
    rank_sections,
    redraw,
)
from engine.standings import find_all_contradictions
from scoring.models import Match, Player
from tournaments.lifecycle import OPEN_STATES
from tournaments.models import Action, Event
from tournaments.rounds.queries.drafts import UnfitDraft, find_unfit_draft
from tournaments.rounds.queries.event_snapshot import TouchedParts, read_event_snapshot, refresh_snapshot
from tournaments.rounds.queries.rounds import list_undecided_tables
from tournaments.standings.queries.standings import find_manual_slots

from .locking import lock_event
from .optimistic import get_last_action_id, write_optimistically

Players = dict[tuple[int, int], dict[int, str]]
"""People at tables of open rounds without a ruling, by round and table: names by person."""

ENTRANT_KINDS = frozenset({"entry", "event", "person"})
"""Kinds of rows that say who takes part, and who is kept apart from whom."""

MAX_REDRAWN_ENTRIES = 2_000
"""Most entries to draw again, over all rounds that are redrawn. It takes a second's work, twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """Effects of a change. ``actions`` are the kinds and details of the lines that the history would have.
    ``sections`` are those whose own standings would have other people, or other ranks by metrics of their own,
    even if nobody's overall rank changes. ``lineups`` are the tables and byes that change, by round: of a draft,
    unless the round is one of the ``published_rounds``, before or after. ``next_round`` is the round of the next
    draw, before and after. ``later_rounds`` are the rounds already published after the first round that changes:
    they stay as they are, and ``redrawn`` compares the first of them with a new draw. ``undecided`` are round and
    table of matches in closed rounds that would lose their result. ``set_aside`` is the number of matches with
    recorded hands that would leave their tables until the same entries are published there again.
    ``reseated_tables`` are round and table of matches that go on, and the people who join them. ``contradicted``
    are round and table of the published bracket whose people do not follow from the results; without a table, a
    bye. ``unfit_draft`` is the round of a draft that seats an entry that would no longer play, or leaves out one
    that would. ``uncounted`` is the first published round that does not count in the public standings, before and
    after."""

    actions: tuple[tuple[str, Mapping[str, Any]], ...]
    ranks: tuple[RankMove, ...]
    sections: tuple[str, ...]
    lineups: dict[int, Difference]
    next_round: tuple[NextRound, NextRound]
    published_rounds: frozenset[int]
    later_rounds: tuple[int, ...]
    redrawn: tuple[RedrawComparison, ...]
    undecided: tuple[tuple[int, int], ...]
    set_aside: int
    reseated_tables: tuple[tuple[int, int, tuple[str, ...]], ...]
    contradicted: tuple[tuple[int, int | None], ...]
    unfit_draft: int | None
    uncounted: tuple[int | None, int | None]

    @property
    def playing_next(self) -> int | None:
        """Number of entries in the next round, if that changes; not in the course of a bracket, where fewer
        meet."""
        before, after = self.next_round
        is_shown = len(before.entries) != len(after.entries) and (after.begins or not after.is_bracket)
        return len(after.entries) if is_shown else None

    @property
    def unseated_next(self) -> int | None:
        """Number of entries without a table in the next round, apart from requested byes. None in a bracket,
        and where neither it nor the number of entries changes; 0 only where there were some."""
        before, after = self.next_round
        is_other = before.unseated_count != after.unseated_count
        is_shown = is_other or (after.unseated_count and self.playing_next is not None)
        return after.unseated_count if is_shown and not after.is_bracket else None

    @property
    def hidden_from(self) -> int | None:
        """First of the published rounds that would leave the public standings; None if none would."""
        before, after = self.uncounted
        return after if after is not None and (before is None or after < before) else None

    @property
    def first_shown_round(self) -> int | None:
        """First of the published rounds that would come into the public standings; None if none would."""
        before, after = self.uncounted
        return before if before is not None and (after is None or before < after) else None

    @property
    def is_in_pools_next(self) -> bool:
        """Whether those entries are left over in pools."""
        return self.next_round[1].is_in_pools

    @property
    def has_walkover_next(self) -> bool:
        """Whether an entry leaves a bracket in which others could still meet it."""
        before, after = self.next_round
        return after.is_bracket and not after.begins and 1 < len(before.entries) > len(after.entries)

    @property
    def qualifying(self) -> frozenset[EntryId]:
        """Entries that would enter the stage of the next round, and do not now."""
        before, after = self.next_round
        return after.entries - before.entries if after.begins else frozenset()


class _RollBack(Exception):  # noqa: N818 - no error: the way out of a transaction
    pass


def compute_effects(
    event_id: int, run_action: Callable[[], object], *, marked_table: tuple[int, int] | None = None
) -> Effects:
    """Return the effects of ``run_action``, and roll everything back. Refuses: what it refuses.

    The event is locked only while the action runs and its changes are read; the rest is read and ranked without
    a lock. ``marked_table`` is the round and table of a match in which the action records hands; otherwise its
    changes are found in the history.
    """

    def read_both_states(before: _EventState) -> tuple[_EventState, _EventState, list[Action]]:
        last = get_last_action_id(before.event)
        try:
            with transaction.atomic():
                run_action()
                event = lock_event(event_id)
                new_actions = list(event.actions.filter(pk__gt=last).order_by("pk"))
                after = _reread_state(event, before, new_actions, marked_table)
                raise _RollBack
        except _RollBack:
            return before, after, new_actions

    state_before, state_after, new_actions = write_optimistically(event_id, _read_state, read_both_states)
    before, after = _DerivedResults(state_before), _DerivedResults(state_after)
    lineups = {
        int(number): difference
        for action in new_actions
        for number, difference in action.changes.get("lineups", {}).items()
    }
    touched_rounds = [*lineups, *(round_ for action in new_actions for round_ in _list_changed_rounds(action))]
    later_rounds = tuple(number for number in before.published if touched_rounds and number > min(touched_rounds))
    return Effects(
        actions=tuple((action.kind, action.details) for action in new_actions),
        ranks=find_rank_moves(before.ranks, after.ranks) if before.is_ranked or after.is_ranked else (),
        sections=tuple(
            name
            for name, ranked_numbers in after.sections.items()
            if ranked_numbers not in before.sections.values()
            if after.is_ranked
        ),
        lineups=lineups,
        next_round=(before.next_round, after.next_round),
        set_aside=max(0, after.set_aside - before.set_aside),
        reseated_tables=tuple(
            (*place, tuple(name for pk, name in players.items() if pk not in before.players[place]))
            for place, players in after.players.items()
            if place in before.players and players.keys() != before.players[place].keys()
            if str(place[1]) not in lineups.get(place[0], {}).get("tables", {})
        ),
        published_rounds=frozenset((*before.published, *after.published)),
        later_rounds=later_rounds,
        redrawn=_redraw_rounds(state_before.event, later_rounds, before.snapshot, after.snapshot),
        undecided=tuple(difference for difference in after.undecided if difference not in before.undecided),
        contradicted=tuple(
            (contradiction.round, contradiction.table)
            for contradiction in after.contradictions
            if contradiction not in before.contradictions
        ),
        uncounted=(state_before.event.visible.announced_gap, state_after.event.visible.announced_gap),
        unfit_draft=after.unfit.round if after.unfit.entries - before.unfit.entries else None,
    )


def _redraw_rounds(
    event: Event, later: Collection[int], before: EventSnapshot, after: EventSnapshot
) -> tuple[RedrawComparison, ...]:
    """Redraw the first of the later rounds, without those made by hand; at least one."""
    rounds = event.rounds.filter(number__in=later, drawn_from__isnull=False)
    max_rounds = max(1, MAX_REDRAWN_ENTRIES // max(1, len(before.entrants)))
    comparisons = (
        redraw(before, after, number=number, seed=seed)
        for number, seed in rounds.values_list("number", "seed")[:max_rounds]
    )
    return tuple(comparison for comparison in comparisons if comparison is not None)


def _list_changed_rounds(action: Action) -> list[int]:
    """Return the rounds in which a result changed."""
    ruled_rounds = [ruling[0] for ruling in action.changes.get("rulings", ())]
    return [*ruled_rounds, action.details["round"]] if action.kind == "correct_result" else ruled_rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class _EventState:
    """State of an event at one moment. ``manual_slots`` are the slots of its bracket that the director set;
    ``unfit_draft`` has the entries that its draft does not fit."""

    event: Event
    snapshot: EventSnapshot
    manual_slots: set[str]
    undecided: list[tuple[int, int]]
    set_aside: int
    players: Players
    unfit_draft: UnfitDraft


def _read_state(event: Event) -> _EventState:
    return _build_state(event, read_event_snapshot(event), _read_players(event))


def _reread_state(
    event: Event, previous_state: _EventState, new_actions: Iterable[Action], marked_table: tuple[int, int] | None
) -> _EventState:
    """Read the state after a change, only the parts that it touched."""
    touched_parts = find_touched_parts(event, new_actions, marked_table)
    table_filter = Q(match__table__seatings__entry__in=touched_parts.entries)
    return _build_state(
        event, refresh_snapshot(event, previous_state.snapshot, touched_parts), _read_players(event, table_filter)
    )


def _build_state(event: Event, snapshot: EventSnapshot, players: Players) -> _EventState:
    return _EventState(
        event=event,
        snapshot=snapshot,
        manual_slots=find_manual_slots(event) if event.has_bracket else set(),
        undecided=list_undecided_tables(event),
        set_aside=Match.objects.filter(terms=event.terms_id, withdrawn_at__isnull=False).count(),
        players=players,
        unfit_draft=find_unfit_draft(event),
    )


def find_touched_parts(
    event: Event, new_actions: Iterable[Action], marked_table: tuple[int, int] | None
) -> TouchedParts:
    """Return the parts that these changes touched, by the history. One query."""
    rows, tables, byes = [], set() if marked_table is None else {marked_table}, set()
    for action in new_actions:
        rows += action.changes.get("rows", ())
        for number, difference in action.changes.get("lineups", {}).items():
            tables |= {(int(number), int(table)) for table in difference.get("tables", ())}
            byes |= {(int(number), int(entry)) for entry in difference.get("byes", ())}
        tables |= {(number, table) for number, table, *_ in action.changes.get("rulings", ())}
    rounds = event.rounds.filter(pk__in={pk for kind, pk, *_ in rows if kind == "round"})
    return TouchedParts(
        rounds=frozenset(rounds.values_list("number", flat=True)),
        tables=frozenset(tables),
        byes=frozenset(byes),
        entries=frozenset(pk for kind, pk, *_ in rows if kind == "entry"),
        entrants=not ENTRANT_KINDS.isdisjoint(kind for kind, *_ in rows),
    )


class _DerivedResults:
    """Results derived from a state of the event."""

    def __init__(self, read: _EventState) -> None:
        self.snapshot = read.snapshot
        numbers = self.snapshot.numbers
        field = filter_arrived(self.snapshot, build_counted_field(self.snapshot))
        rows, section_rows = rank_field(field), rank_sections(self.snapshot, field)
        self.ranks = {numbers[row.entry]: row.rank for row in rows}
        self.is_ranked = bool(self.snapshot.adjustments) or any(sat.outcome for sat in self.snapshot.tables)
        """Before anything counts nobody is ahead, and there are no ranks to show."""
        self.sections: dict[str, frozenset[int] | dict[int, int]] = {
            section["name"]: frozenset(
                entrant.number
                for entrant in self.snapshot.entrants
                if entrant.section == section["name"] and entrant.number in self.ranks
            )
            for section in self.snapshot.basis.sections
        } | {name: {numbers[row.entry]: row.rank for row in found} for name, found in section_rows.items()}
        """Numbers of the ranked entries of each section, with their ranks if it has metrics of its own."""
        self.next_round = get_next_round(self.snapshot)
        self.set_aside = read.set_aside
        self.players = read.players
        self.unfit = read.unfit_draft
        self.contradictions = find_all_contradictions(self.snapshot, manual_slots=read.manual_slots)
        self.undecided = read.undecided
        self.published = sorted({table.round for table in self.snapshot.tables})


def _read_players(event: Event, table_filter: Q = Q()) -> Players:  # noqa: B008 - a value
    """Return the people at tables of open rounds. One query."""
    players_by_table: dict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    seats = Player.objects.filter(
        table_filter,
        match__table__round__event=event,
        match__table__round__state__in=OPEN_STATES,
        match__table__ruling__isnull=True,
    )
    for round_number, table, pk, name in seats.order_by("match__table__number", "seat").values_list(
        "match__table__round__number", "match__table__number", "person", "person__name"
    ):
        players_by_table[round_number, table][pk] = name
    return dict(players_by_table)
