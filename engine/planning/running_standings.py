"""Standings of a simulated tournament: a small ranking of its own, fast enough for thousands of them."""

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence

from engine.draws import FORMATS, EntryId, PlayedPairing
from engine.draws.stages.drawing import get_stage
from engine.draws.stages.plans import StagePlan, get_previous_block, list_blocks
from rules import Side

WON, DRAWN = 2, 1
"""The match points of a win and a draw; a bye outside of brackets counts as a win."""


class RunningStandings:
    """Match points, opponents and the difference of all entries, as they add up."""

    def __init__(self, entries: Sequence[EntryId], *, counts_opponents: bool) -> None:
        self._entries = entries
        self._by_opponents = counts_opponents
        self._difference: dict[EntryId, int] = dict.fromkeys(entries, 0)
        self.points: dict[EntryId, int] = dict.fromkeys(entries, 0)
        self.opponents: defaultdict[EntryId, list[EntryId]] = defaultdict(list)

    def record_match(self, pairing: PlayedPairing, margin: int) -> None:
        """Count a match of this round; ``margin`` in points, above 0 for side A."""
        sides = ((Side.A, pairing.a, pairing.b, margin), (Side.B, pairing.b, pairing.a, -margin))
        for side, entries, opponents, ahead in sides:
            match_points = DRAWN if pairing.winner is None else WON * (pairing.winner is side)
            for entry in entries:
                self.points[entry] += match_points
                self._difference[entry] += ahead
                self.opponents[entry].extend(opponents)

    def record_bye(self, entry: EntryId) -> None:
        """Count a bye as a match won; in the sum of the opponents' points, the entry is its own opponent."""
        self.points[entry] += WON
        self.opponents[entry].append(entry)

    def get_order(self) -> list[EntryId]:
        """Return all entries, best first: match points; pairs by the sum of their opponents' match points;
        the difference; the lot, which is the number."""
        points, difference = self.points, self._difference

        def get_merit(entry: EntryId) -> tuple[int, int, int, int]:
            faced = sum(points[each] for each in self.opponents[entry]) if self._by_opponents else 0
            return -points[entry], -faced, -difference[entry], entry

        return sorted(self._entries, key=get_merit)


def compute_final_order(
    plan: StagePlan,
    history: Sequence[PlayedPairing],
    current_order: Sequence[EntryId],
    stage_orders: Sequence[Sequence[EntryId]],
) -> list[EntryId]:
    """Return the final order, best first: entrants of the last stages, then the others in their earlier order.

    The last stages follow one after the other. ``current_order`` is the order of the standings at the end;
    ``stage_orders`` is the order at the end of each stage, as far as there is one.
    """
    block = list_blocks(plan)[-1]
    found: dict[EntryId, None] = {}
    for stage in block:
        tables = [table for table in history if table.b and get_stage(table) == stage]
        members = {entry for table in tables for entry in (*table.a, *table.b)}
        order = [entry for entry in current_order if entry in members]
        if FORMATS[plan[stage].format].is_bracket:
            places = _get_places(tables)
            order.sort(key=lambda entry: places[entry], reverse=True)
        found |= dict.fromkeys(order)
    earlier = get_previous_block(plan, block.start)
    found |= dict.fromkeys(stage_orders[earlier.stop - 1] if earlier else current_order)
    return list(found)


_FINALS = 100
"""Above all levels before them."""


def _get_places(tables: Iterable[PlayedPairing]) -> dict[EntryId, tuple[bool, int, int, bool]]:
    """Return how far each has come in a bracket: not among those beaten, the last level, for which place,
    whether it was won. Rounds say nothing of it: a match is played as soon as its sides are known."""
    places = {}
    for table in sorted(tables, key=lambda table: table.round):
        level, place = _parse_level(table.slot)
        for side, entries in ((Side.A, table.a), (Side.B, table.b)):
            for entry in entries:
                places[entry] = (":L" not in table.slot, level, -place, table.winner is side)
    return places


def _parse_level(slot: str) -> tuple[int, int]:
    """The level of a match in its bracket, and the best place that it is played for.

    >>> [_parse_level(slot) for slot in ("1:W2-1", "1:P3.3-1", "1:F1")]
    [(2, 1), (3, 3), (101, 1)]
    """
    kind, *numbers = re.findall(r"[A-Z]+|\d+", slot.partition(":")[2].partition("-")[0])
    level = int(numbers[-1]) + (_FINALS if kind == "F" else 0)
    return level, int(numbers[0]) if kind == "P" else 1


def compute_kendall(values: Sequence[float]) -> float:
    """Return the rank correlation of this order, which should be descending, with its values: 1 if it is, −1
    if ascending.

    >>> compute_kendall([3.0, 2.0, 1.0]), compute_kendall([1.0, 2.0, 3.0])
    (1.0, -1.0)
    """
    seen: list[float] = []
    concordant = 0
    for value in values:
        concordant += len(seen) - bisect_left(seen, value)
        insort(seen, value)
    pairs = len(values) * (len(values) - 1) // 2
    return (2 * concordant - pairs) / pairs
