"""The data from which an event is counted: frozen values, from the database or from a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile
from typing import Any

from engine.draws import FORMATS, VERSION, Entrant, EntryId, LockedTable, Partners, ReasonCode
from engine.draws.stages import POOLS, PhaseTables, StagePlan, get_slot_stage, without_play_off
from engine.phases import PhasePlace, Phases, get_settings
from engine.ranking import (
    LEFT_POOL,
    PER_MATCH_METRICS,
    UNPLAYED_KINDS,
    AcrossPools,
    Average,
    Bye,
    OutcomeKind,
    RankingRules,
    ResultAdjustment,
    use_half_wins,
)
from rules import MatchFormat


class ByeReason(StrEnum):
    """The reason why a present entry was at no table of a round."""

    TURN = "turn"
    """Its turn for a bye: the ranking sets the value."""
    REQUESTED = "asked"
    """A requested bye."""
    WAITS = "waits"
    """A wait in a bracket, due again later: it counts nothing."""
    UNOPPOSED = "unopposed"
    """A board that the other team cannot fill: won without play."""
    SUBSTITUTE = "substitute"
    """A team match in which the team seats others: it counts nothing."""


BYE_KINDS: Mapping[ByeReason, OutcomeKind | None] = {
    ByeReason.TURN: OutcomeKind.BYE,
    ByeReason.REQUESTED: OutcomeKind.REQUESTED_BYE,
    ByeReason.WAITS: None,
    ByeReason.UNOPPOSED: OutcomeKind.FORFEIT,
    ByeReason.SUBSTITUTE: None,
}
"""The kind of round that the ranking counts for each reason; None: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTable:
    """A table of a published round, ``a`` on side A and ``b`` on side B; without a ``b``, an entry that sat
    out. A forfeit by a team that was wholly away has no ``table``.

    ``outcome`` is the director's result, else that of a match that is over: the summary of a match, or
    ``{"kind": "forfeit", "winner": "A"}``; None while undecided. ``winner`` alone is enough for a draw.
    """

    round: int
    a: Partners
    b: Partners = ()
    table: int = 0
    slot: str = ""
    bye_reason: ByeReason = ByeReason.TURN
    outcome: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def is_forfeit(self) -> bool:
        return self.outcome is not None and self.outcome.get("kind") == "forfeit"

    @property
    def is_substitute(self) -> bool:
        """Whether this is the bye of an entry whose team seats others."""
        return not self.b and self.bye_reason is ByeReason.SUBSTITUTE


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRules:
    """The rules of draws and ranking of an event, without entrants and results.

    ``rules`` are those that the event chose; ``phases`` what parts of it have of their own;
    ``sections`` as ``Event`` stores them; ``table_count`` is the number of tables in the hall, None for no
    limit; ``version`` is that of its draws.
    """

    plan: StagePlan
    rules: RankingRules
    lot: int = 0
    version: int = VERSION
    is_seeded: bool = False
    games_to_win: int = 0
    phases: Phases = ()
    sections: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    table_count: int | None = None

    @property
    def ranking_rules(self) -> RankingRules:
        """The complete ranking rules: how far an entry came, if the plan tells, before the metrics of the
        event."""
        return add_progress_metrics(self.rules, self.plan, self.phases, version=self.version)

    def get_phase_rules(self, place: PhasePlace, number: int) -> RankingRules:
        """Return the rules, as far as chosen, that hold in a place in a round."""
        return get_settings(self.phases, place, number).apply_to_ranking(self.rules)

    def complete_order(self, order: Sequence[str]) -> tuple[str, ...]:
        """Return these metrics as ``ranking_rules`` has those of the event."""
        return replace(self, rules=replace(self.rules, order=tuple(order))).ranking_rules.order

    @property
    def has_own_orders(self) -> bool:
        """Whether a phase has metrics of its own."""
        return any(phase.settings.order is not None for phase in self.phases)

    def get_length(self, place: PhasePlace, number: int) -> MatchFormat | None:
        """Return the match length that a phase has of its own; None if it is that of the event."""
        return get_settings(self.phases, place, number).match_format

    def list_phase_tables(self, number: int) -> PhaseTables:
        """Return the first and the last table of each stage and section that has its own in a round; empty if
        no phase has any."""
        if all(phase.settings.tables is None for phase in self.phases):
            return {}
        found = {}
        for stage in range(len(self.plan)):
            for section in (None, *(each["name"] for each in self.sections)):
                own = get_settings(self.phases, PhasePlace(stage=stage, section=section), number).tables
                if (tables := own or self.section_tables.get(section or "")) is not None:
                    found[stage, section] = tables
        return found

    def list_own_tables(self, number: int) -> PhaseTables:
        """Return the tables to which tables set by hand in a round keep: those of phases, or of sections drawn
        apart."""
        return self.list_phase_tables(number) or {
            (index, section): tables
            for index, stage in enumerate(self.plan)
            if stage.separates_sections
            for section, tables in self.section_tables.items()
        }

    @property
    def section_tables(self) -> dict[str, tuple[int, int]]:
        """The first and the last table of the sections that have their own."""
        return {
            section["name"]: (section["first_table"], section["last_table"])
            for section in self.sections
            if section["first_table"] is not None
        }


SCHEDULED_FORMATS = frozenset({"pools", "round_robin"})
"""Formats in which everybody meets everybody by a schedule."""


def get_bye_reason(codes: Iterable[str]) -> ByeReason:
    """Return the reason of a bye from the codes of its reasons."""
    code_set = set(codes)
    if ReasonCode.WAITS.value in code_set:
        return ByeReason.WAITS
    if ReasonCode.UNOPPOSED.value in code_set:
        return ByeReason.UNOPPOSED
    if ReasonCode.SUBSTITUTE.value in code_set:
        return ByeReason.SUBSTITUTE
    return ByeReason.REQUESTED if ReasonCode.BYE_REQUESTED.value in code_set else ByeReason.TURN


def build_bye(number: int, entry: EntryId, slot: str, reasons: Iterable[Mapping[str, Any]]) -> PlayedTable:
    """Return the bye of an entry from its reasons; as a forfeit, without a table, where a team that was wholly away
    loses to it."""
    reasons = tuple(reasons)
    for reason in reasons:
        if reason.get("code") == ReasonCode.UNOPPOSED.value and isinstance(loser := reason.get("entry"), int):
            outcome = {"kind": "forfeit", "winner": "A"}
            return PlayedTable(round=number, a=(entry,), b=(EntryId(loser),), slot=slot, outcome=outcome)
    bye_reason = get_bye_reason(str(reason.get("code")) for reason in reasons)
    return PlayedTable(round=number, a=(entry,), slot=slot, bye_reason=bye_reason)


Orders = Mapping[int, Sequence[EntryId]]
"""The orders in which rounds were drawn, best first, by round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSnapshot:
    """All data behind the standings and the next draw of an event, except the seed of a draw.

    ``entrants`` are in the order of the starting list, without scores; ``orders`` those of the first rounds
    of its stages; ``locked_tables`` the tables that the director has locked for the next round.
    """

    basis: EventRules
    entrants: tuple[Entrant, ...]
    tables: tuple[PlayedTable, ...] = ()
    adjustments: tuple[ResultAdjustment, ...] = ()
    orders: Orders = field(default_factory=dict)
    locked_tables: tuple[LockedTable, ...] = ()

    @property
    def without_play_off(self) -> "EventSnapshot":
        """The snapshot as if there were no play-off."""
        plan = without_play_off(self.basis.plan)
        return replace(
            self,
            basis=replace(self.basis, plan=plan),
            tables=tuple(sat for sat in self.tables if get_slot_stage(sat.slot) < len(plan)),
        )

    @property
    def numbers(self) -> dict[EntryId, int]:
        return {entrant.id: entrant.number for entrant in self.entrants}

    def truncate(self, last_round: int) -> "EventSnapshot":
        """Return the snapshot as it was after that round (from 1), without later ones."""
        return replace(
            self,
            tables=tuple(table for table in self.tables if table.round <= last_round),
            adjustments=tuple(adjustment for adjustment in self.adjustments if (adjustment.round or 0) <= last_round),
            orders={number: order for number, order in self.orders.items() if number <= last_round},
        )


def has_bracket(plan: StagePlan) -> bool:
    """Return whether a stage of the plan is a bracket."""
    return any(FORMATS[stage.format].is_bracket for stage in plan)


def has_only_brackets(plan: StagePlan) -> bool:
    """Return whether every stage of the plan is a bracket."""
    return all(FORMATS[stage.format].is_bracket for stage in plan)


def has_stage_progress(plan: StagePlan) -> bool:
    """Return whether the plan has later stages, or places in a bracket."""
    return len(plan) > 1 or has_bracket(plan)


def has_pools(plan: StagePlan) -> bool:
    """Return whether a stage of the plan is played in pools."""
    return any(stage.format == POOLS for stage in plan)


def get_default_rules(plan: StagePlan) -> RankingRules:
    """Return the usual rules of a new event of these stages. If people enter one by one, a bye is worth their
    average: `bench byes` finds that a whole win would favour those who had one."""
    rules = RankingRules(scheduled_bye=Bye.NOTHING, across_pools=AcrossPools.RATES)
    if plan[0].format in ("interclub", "teams"):  # a club too many sits out every round: that is no merit of its own
        return replace(rules, bye=Bye.NOTHING)
    if FORMATS[plan[0].format].draws_partners:
        return replace(rules, bye=Bye.AVERAGE, bye_points=Average.OWN)
    return rules


LEFT_POOL_VERSION = 8
"""The version of draws from which on rates count matches alone, and those that left a pool rank after others."""

LEFT_EARLY_VERSION = 9
"""The version of draws from which on those that left any field early rank after those tied with them."""

FINAL_LINES_VERSION = 10
"""First version of draws in which each stage is ranked as it ended, and its pools apart from those of other stages."""


def add_progress_metrics(
    rules: RankingRules, plan: StagePlan, phases: Phases = (), *, version: int = VERSION
) -> RankingRules:
    """Return these rules with the metrics that the plan requires: how far an entry came first, if there are
    stages; parts of wins, if a round may count one; place in the pool and rates, if pools are compared so;
    and a play-off, before any lots, unless the event ranks by it earlier."""
    main = without_play_off(plan)
    progress_metrics = [*(["stage"] if len(main) > 1 else []), *(["bracket"] if has_bracket(main) else [])]
    order = add_win_parts(rules, phases)
    if has_pools(plan) and rules.across_pools is not AcrossPools.TOTALS:
        first = ("pool_place", LEFT_POOL) if version >= LEFT_POOL_VERSION else ("pool_place",)
        order = (*first, *(key for key in order if key not in first))
        if rules.across_pools is AcrossPools.RATES:
            order = tuple(PER_MATCH_METRICS.get(key, key) for key in order)
    order = (*progress_metrics, *dict.fromkeys(order))
    if main != plan:
        before = before_play_off(order)
        order = (*before, PLAY_OFF, *(key for key in order[len(before) :] if key != PLAY_OFF))
    return replace(rules, order=order)


PLAY_OFF = "play_off"


def before_play_off(order: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics on which the entries of a play-off are tied: lots do not separate them."""
    return tuple(takewhile(lambda key: key not in (PLAY_OFF, "lots"), order))


def add_win_parts(rules: RankingRules, phases: Phases = ()) -> tuple[str, ...]:
    """Return the metrics of the rules, with halves or averages of wins if a round of the event may count
    one."""
    all_rules = (rules, *(phase.settings.apply_to_ranking(rules) for phase in phases))
    values = {each.get_bye_value(kind) for each in all_rules for kind in UNPLAYED_KINDS}
    if Bye.AVERAGE in values:
        wins = dict.fromkeys(("match_wins", "half_wins"), "averaged_wins")
        return tuple(dict.fromkeys(wins.get(key, key) for key in rules.order))
    return use_half_wins(rules.order) if Bye.DRAW in values else rules.order
