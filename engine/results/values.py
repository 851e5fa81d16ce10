"""The data from which an event is counted: frozen values, from the database or from a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from engine.draws import FORMATS, VERSION, Entrant, EntryId, LockedTable, Partners, ReasonCode
from engine.draws.stages import POOLS, StagePlan
from engine.phases import PhasePlace, Phases, settings_at
from engine.ranking import (
    PER_MATCH,
    AcrossPools,
    Average,
    Bye,
    OutcomeKind,
    RankingRules,
    ResultAdjustment,
    count_halves,
)
from rules import MatchFormat


class ByeReason(StrEnum):
    """The reason why a present entry was at no table of a round."""

    TURN = "turn"
    """Its turn for a bye: the ranking sets the value."""
    ASKED = "asked"
    """A requested bye."""
    WAITS = "waits"
    """A wait in a bracket, due again later: it counts nothing."""


SAT_OUT_COUNTS: Mapping[ByeReason, OutcomeKind | None] = {
    ByeReason.TURN: OutcomeKind.BYE,
    ByeReason.ASKED: OutcomeKind.REQUESTED_BYE,
    ByeReason.WAITS: None,
}
"""The kind of round that the ranking counts for each reason; None: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTable:
    """A table of a published round, ``a`` on side A and ``b`` on side B; without a ``b``, an entry that sat
    out.

    ``outcome`` is the director's result, else that of a match that is over: the summary of a match, or
    ``{"kind": "forfeit", "winner": "A"}``; None while undecided. ``winner`` alone is enough for a draw.
    """

    round: int
    a: Partners
    b: Partners = ()
    table: int = 0
    slot: str = ""
    sat_out: ByeReason = ByeReason.TURN
    outcome: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def is_forfeit(self) -> bool:
        return self.outcome is not None and self.outcome.get("kind") == "forfeit"


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
    def tells_how_far(self) -> bool:
        return tells_how_far(self.plan)

    @property
    def ranking_rules(self) -> RankingRules:
        """The complete ranking rules: how far an entry came, if the plan tells, before the metrics of the
        event."""
        return with_how_far(self.rules, self.plan)

    def length_at(self, place: PhasePlace, number: int) -> MatchFormat | None:
        """Return the match length that a phase has of its own; None if it is that of the event."""
        return settings_at(self.phases, place, number).match_format

    @property
    def section_tables(self) -> dict[str, tuple[int, int]]:
        """The first and the last table of the sections that have their own."""
        return {
            section["name"]: (section["first_table"], section["last_table"])
            for section in self.sections
            if section["first_table"] is not None
        }


SCHEDULED = frozenset({"pools", "round_robin"})
"""Formats in which everybody meets everybody by a schedule."""


def why_sat_out(codes: Iterable[str]) -> ByeReason:
    """Return the reason of a bye from the codes of its reasons."""
    said = set(codes)
    if ReasonCode.WAITS.value in said:
        return ByeReason.WAITS
    return ByeReason.ASKED if ReasonCode.BYE_ASKED.value in said else ByeReason.TURN


Orders = Mapping[int, Sequence[EntryId]]
"""The orders in which rounds were drawn, best first, by round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSnapshot:
    """All data behind the standings and the next draw of an event, except the seed of a draw.

    ``entrants`` are in the order of the starting list, without scores; ``orders`` those of the first rounds
    of its stages; ``held`` the tables that the director has locked for the next round.
    """

    basis: EventRules
    entrants: tuple[Entrant, ...]
    sat: tuple[PlayedTable, ...] = ()
    adjustments: tuple[ResultAdjustment, ...] = ()
    orders: Orders = field(default_factory=dict)
    held: tuple[LockedTable, ...] = ()

    @property
    def numbers(self) -> dict[EntryId, int]:
        return {entrant.id: entrant.number for entrant in self.entrants}

    def until(self, last: int) -> "EventSnapshot":
        """Return the snapshot as it was after that round (from 1), without later ones."""
        return replace(
            self,
            sat=tuple(sat for sat in self.sat if sat.round <= last),
            adjustments=tuple(given for given in self.adjustments if (given.round or 0) <= last),
            orders={number: order for number, order in self.orders.items() if number <= last},
        )


def has_bracket(plan: StagePlan) -> bool:
    """Return whether a stage of the plan is a bracket."""
    return any(FORMATS[stage.format].is_bracket for stage in plan)


def has_only_brackets(plan: StagePlan) -> bool:
    """Return whether every stage of the plan is a bracket."""
    return all(FORMATS[stage.format].is_bracket for stage in plan)


def tells_how_far(plan: StagePlan) -> bool:
    """Return whether the plan has later stages, or places in a bracket."""
    return len(plan) > 1 or has_bracket(plan)


def has_pools(plan: StagePlan) -> bool:
    """Return whether a stage of the plan is played in pools."""
    return any(stage.format == POOLS for stage in plan)


def usual_rules(plan: StagePlan) -> RankingRules:
    """Return the usual rules of a new event of these stages. If people enter one by one, a bye is worth their
    average: `bench byes` finds that a whole win would favour those who had one."""
    rules = RankingRules(scheduled_bye=Bye.NOTHING, across_pools=AcrossPools.RATES)
    if plan[0].format == "interclub":  # a club too many sits out every round: that is no merit of its own
        return replace(rules, bye=Bye.NOTHING)
    if FORMATS[plan[0].format].draws_partners:
        return replace(rules, bye=Bye.AVERAGE, bye_points=Average.OWN)
    return rules


def with_how_far(rules: RankingRules, plan: StagePlan) -> RankingRules:
    """Return these rules with the metrics that the plan requires: how far an entry came first, if there are
    stages; parts of wins, if a round may count one; and place in the pool and rates, if pools are compared
    so."""
    far = [*(["stage"] if len(plan) > 1 else []), *(["bracket"] if has_bracket(plan) else [])]
    order = with_parts_of_wins(rules)
    if has_pools(plan) and rules.across_pools is not AcrossPools.TOTALS:
        order = ("pool_place", *(key for key in order if key != "pool_place"))
        if rules.across_pools is AcrossPools.RATES:
            order = tuple(PER_MATCH.get(key, key) for key in order)
    return replace(rules, order=(*far, *dict.fromkeys(order)))


def with_parts_of_wins(rules: RankingRules) -> tuple[str, ...]:
    """Return the metrics of an event, with halves or averages of wins if a round may count one."""
    if rules.counts_averages:
        wins = dict.fromkeys(("match_wins", "half_wins"), "averaged_wins")
        return tuple(dict.fromkeys(wins.get(key, key) for key in rules.order))
    return count_halves(rules.order) if rules.counts_halves else rules.order
