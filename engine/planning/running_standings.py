"""Standings of a simulated tournament: a small ranking of its own, fast enough for thousands of them."""

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence

from engine.draws import FORMATS, EntryId, PlayedPairing
from engine.draws.stages.drawing import stage_of
from engine.draws.stages.plans import StagePlan, block_before, blocks
from rules import Side

WON, DRAWN = 2, 1
"""The match points of a win and a draw; a bye outside of brackets counts as a win."""


class Standing:
    """Match points, opponents and the difference of all entries, as they add up."""

    def __init__(self, entries: Sequence[EntryId], *, by_opponents: bool) -> None:
        self._entries = entries
        self._by_opponents = by_opponents
        self._difference: dict[EntryId, int] = dict.fromkeys(entries, 0)
        self.points: dict[EntryId, int] = dict.fromkeys(entries, 0)
        self.opponents: defaultdict[EntryId, list[EntryId]] = defaultdict(list)

    def note(self, played: PlayedPairing, margin: int) -> None:
        """Count a match of this round; ``margin`` in points, above 0 for side A."""
        sides = ((Side.A, played.a, played.b, margin), (Side.B, played.b, played.a, -margin))
        for side, entries, opponents, ahead in sides:
            won = DRAWN if played.winner is None else WON * (played.winner is side)
            for entry in entries:
                self.points[entry] += won
                self._difference[entry] += ahead
                self.opponents[entry].extend(opponents)

    def note_bye(self, entry: EntryId) -> None:
        """Count a bye as a match won; in the sum of the opponents' points, the entry is its own opponent."""
        self.points[entry] += WON
        self.opponents[entry].append(entry)

    def order(self) -> list[EntryId]:
        """Return all entries, best first: match points; pairs by the sum of their opponents' match points;
        the difference; the lot, which is the number."""
        points, difference = self.points, self._difference

        def merit(entry: EntryId) -> tuple[int, int, int, int]:
            faced = sum(points[each] for each in self.opponents[entry]) if self._by_opponents else 0
            return -points[entry], -faced, -difference[entry], entry

        return sorted(self._entries, key=merit)


def final_order(
    plan: StagePlan,
    history: Sequence[PlayedPairing],
    now: Sequence[EntryId],
    before: Sequence[Sequence[EntryId]],
) -> list[EntryId]:
    """Return the final order, best first: entrants of the last stages, one stage after the other, then the
    others in their earlier order.

    ``now`` are the standings at the end; ``before``, by stage, those when it was over, as far as there are
    any.
    """
    block = blocks(plan)[-1]
    found: dict[EntryId, None] = {}
    for stage in block:
        tables = [table for table in history if table.b and stage_of(table) == stage]
        members = {entry for table in tables for entry in (*table.a, *table.b)}
        order = [entry for entry in now if entry in members]
        if FORMATS[plan[stage].format].is_bracket:
            reached = _places_reached(tables)
            order.sort(key=lambda entry: reached[entry], reverse=True)
        found |= dict.fromkeys(order)
    earlier = block_before(plan, block.start)
    found |= dict.fromkeys(before[earlier.stop - 1] if earlier else now)
    return list(found)


_FINALS = 100
"""Above all levels before them."""


def _places_reached(tables: Iterable[PlayedPairing]) -> dict[EntryId, tuple[bool, int, int, bool]]:
    """Return how far each has come in a bracket: not among those beaten, the last level, for which place,
    whether it was won. Rounds say nothing of it: a match is played as soon as its sides are known."""
    reached = {}
    for table in sorted(tables, key=lambda table: table.round):
        level, place = _level_of(table.slot)
        for side, entries in ((Side.A, table.a), (Side.B, table.b)):
            for entry in entries:
                reached[entry] = (":L" not in table.slot, level, -place, table.winner is side)
    return reached


def _level_of(slot: str) -> tuple[int, int]:
    """The level of a match in its bracket, and the best place that it is played for.

    >>> [_level_of(slot) for slot in ("1:W2-1", "1:P3.3-1", "1:F1")]
    [(2, 1), (3, 3), (101, 1)]
    """
    kind, *numbers = re.findall(r"[A-Z]+|\d+", slot.partition(":")[2].partition("-")[0])
    level = int(numbers[-1]) + (_FINALS if kind == "F" else 0)
    return level, int(numbers[0]) if kind == "P" else 1


def kendall(values: Sequence[float]) -> float:
    """Return the rank correlation of this order, which should be descending, with its values: 1 if it is, −1
    if ascending.

    >>> kendall([3.0, 2.0, 1.0]), kendall([1.0, 2.0, 3.0])
    (1.0, -1.0)
    """
    seen: list[float] = []
    agreeing = 0
    for value in values:
        agreeing += len(seen) - bisect_left(seen, value)
        insort(seen, value)
    pairs = len(values) * (len(values) - 1) // 2
    return (2 * agreeing - pairs) / pairs
