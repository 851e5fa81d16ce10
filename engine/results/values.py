"""What an event is counted from: frozen values, whether they come from the database or from a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from engine.draws import FORMATS, VERSION, Entrant, EntryId, LockedTable, Partners, ReasonCode
from engine.draws.stages import POOLS, StagePlan
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


class ByeReason(StrEnum):
    """Why an entry was at no table of a round that it was there for."""

    TURN = "turn"
    """It was its turn: what a bye is worth is for the ranking."""
    ASKED = "asked"
    """It asked to."""
    WAITS = "waits"
    """It is in a bracket, and due again later: that counts nothing."""


SAT_OUT_COUNTS: Mapping[ByeReason, OutcomeKind | None] = {
    ByeReason.TURN: OutcomeKind.BYE,
    ByeReason.ASKED: OutcomeKind.REQUESTED_BYE,
    ByeReason.WAITS: None,
}
"""What the ranking counts for sitting out; None: nothing."""


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
    """What an event is drawn and ranked by, but for who takes part and what was played.

    ``rules`` are those that the event chose; ``sections`` as ``Event`` keeps them; ``table_count`` is the
    number of tables in the hall, None for no limit; ``version`` is how its draws are made.
    """

    plan: StagePlan
    rules: RankingRules
    lot: int = 0
    version: int = VERSION
    is_seeded: bool = False
    games_to_win: int = 0
    sections: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    table_count: int | None = None

    @property
    def tells_how_far(self) -> bool:
        return tells_how_far(self.plan)

    @property
    def ranking_rules(self) -> RankingRules:
        """What ranks: how far one came, where the event tells, before what it chose to rank by."""
        return with_how_far(self.rules, self.plan)

    @property
    def section_tables(self) -> dict[str, tuple[int, int]]:
        """The first and the last table of the sections that have their own."""
        return {
            section["name"]: (section["first_table"], section["last_table"])
            for section in self.sections
            if section["first_table"] is not None
        }


SCHEDULED = frozenset({"pools", "round_robin"})
"""Formats in which everybody meets everybody, and a schedule says when."""


def why_sat_out(codes: Iterable[str]) -> ByeReason:
    """By the codes of the reasons of a bye."""
    said = set(codes)
    if ReasonCode.WAITS.value in said:
        return ByeReason.WAITS
    return ByeReason.ASKED if ReasonCode.BYE_ASKED.value in said else ByeReason.TURN


Orders = Mapping[int, Sequence[EntryId]]
"""Of rounds the order in which they were drawn, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSnapshot:
    """Everything that the standings and the next draw of an event follow from, but for the chance of a draw.

    ``entrants`` are in the order of the starting list, without scores; ``orders`` those of the first rounds
    of its stages; ``held`` the tables that the director has set for the next round.
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
        """What was known after that round (from 1): nothing of those after it."""
        return replace(
            self,
            sat=tuple(sat for sat in self.sat if sat.round <= last),
            adjustments=tuple(given for given in self.adjustments if (given.round or 0) <= last),
            orders={number: order for number, order in self.orders.items() if number <= last},
        )


def has_bracket(plan: StagePlan) -> bool:
    return any(FORMATS[stage.format].is_bracket for stage in plan)


def has_only_brackets(plan: StagePlan) -> bool:
    return all(FORMATS[stage.format].is_bracket for stage in plan)


def tells_how_far(plan: StagePlan) -> bool:
    """Whether there are stages to reach, or a place in a bracket."""
    return len(plan) > 1 or has_bracket(plan)


def has_pools(plan: StagePlan) -> bool:
    return any(stage.format == POOLS for stage in plan)


def usual_rules(plan: StagePlan) -> RankingRules:
    """The rules of a new event of these stages, as long as nobody says otherwise. Where people play one by
    one, a bye is worth their average: `bench byes` finds a whole win to favour those who had one."""
    rules = RankingRules(scheduled_bye=Bye.NOTHING, across_pools=AcrossPools.RATES)
    if plan[0].format == "interclub":  # a club too many sits out every round: that is no merit of its own
        return replace(rules, bye=Bye.NOTHING)
    if FORMATS[plan[0].format].draws_partners:
        return replace(rules, bye=Bye.AVERAGE, bye_points=Average.OWN)
    return rules


def with_how_far(rules: RankingRules, plan: StagePlan) -> RankingRules:
    """These rules, with how far one came before them, where the stages tell; with parts of wins, where a
    round may count one; and with the place in the pool and rates, where pools are compared so."""
    far = [*(["stage"] if len(plan) > 1 else []), *(["bracket"] if has_bracket(plan) else [])]
    order = with_parts_of_wins(rules)
    if has_pools(plan) and rules.across_pools is not AcrossPools.TOTALS:
        order = ("pool_place", *(key for key in order if key != "pool_place"))
        if rules.across_pools is AcrossPools.RATES:
            order = tuple(PER_MATCH.get(key, key) for key in order)
    return replace(rules, order=(*far, *dict.fromkeys(order)))


def with_parts_of_wins(rules: RankingRules) -> tuple[str, ...]:
    """What an event chose to rank by, with halves or averages of wins, where a round may count one."""
    if rules.counts_averages:
        wins = dict.fromkeys(("match_wins", "half_wins"), "averaged_wins")
        return tuple(dict.fromkeys(wins.get(key, key) for key in rules.order))
    return count_halves(rules.order) if rules.counts_halves else rules.order
