"""Frequencies of the results of hands, by contract.

Those of each built-in ruleset are of hands played by machine (``bench planner --fit``). They count
contracts, not points, so they also fit a club's own values and order of bids.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rules import Ruleset

HANDS = 1000
"""The number of hands behind each line of ``HAND_COUNTS``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCounts:
    """Frequencies of hands. ``results`` has each contract with the numbers of hands made and failed,
    ``passed`` the hands passed out, and ``dealers``, of ``HANDS`` hands that a side gains, those that the
    dealing side gains."""

    results: tuple[tuple[str, int, int], ...]
    passed: int
    dealers: int = HANDS // 2

    @property
    def total(self) -> int:
        """The number of hands that were not passed out."""
        return sum(made + failed for _, made, failed in self.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """The hands, out of ``of``, that score so many points, end the game outright, or are passed out."""

    points: Mapping[int, int]
    outright: int
    passed: int


def count_moves(ruleset: Ruleset, counts: HandCounts) -> Moves:
    """Return the moves of these hands under a ruleset, without contracts that nobody may bid."""
    points, outright = Counter[int](), 0
    playable = {contract.key: contract for contract in ruleset.playable}
    for key, made, failed in counts.results:
        contract = playable.get(key)
        if contract is None:
            continue
        if contract.ends_game:
            outright += made + failed
        else:
            points.update({contract.made: made})
            points.update({contract.failed: failed})
    return Moves(
        points={each: points[each] for each in sorted(points) if points[each]},
        outright=outright,
        passed=counts.passed,
    )


def build_own_counts(ruleset: Ruleset, hands: Mapping[str, Sequence[int]]) -> HandCounts:
    """Return the counts of hands that a club played, from those made and failed by contract. The shares of hands
    passed out and of the dealing side, which clubs do not count, are those of the ruleset."""
    usual = HAND_COUNTS[ruleset.key]
    own = HandCounts(results=tuple((key, made, failed) for key, (made, failed) in sorted(hands.items())), passed=0)
    return replace(own, passed=round(usual.passed * own.total / usual.total), dealers=usual.dealers)


def _read_counts(text: str, *, dealers: int, passed: int = 0) -> HandCounts:
    """Read ``5 126/23, mulot 42/27``: hands made and failed, by contract."""
    fields = (re.split("[ /]", part) for part in text.split(", "))
    results = tuple((key, int(made), int(failed)) for key, made, failed in fields)
    return HandCounts(results=results, passed=passed, dealers=dealers)


HAND_COUNTS: Mapping[str, HandCounts] = {
    "canadian": _read_counts(
        "5 126/23, 6 392/136, 7 119/48, mulot 42/27, charlemagne 12/9, gros_mulot 41/14, gros_charlemagne 9/2",
        dealers=463,
    ),
    "bas-saint-laurent": _read_counts(
        "5 382/136, 6 249/86, 7 40/26, petite 35/11, grosse 1/0, charlemagne 15/1", dealers=461, passed=18
    ),
    "bas-saint-laurent-jokers": _read_counts(
        "5 120/29, 6 364/149, 7 115/53, petite 117/39, grosse 2/1, charlemagne 11/0", dealers=475
    ),
    "maine": _read_counts("5 396/150, 6 246/88, 7 39/25, petite 35/12, grosse 1/0, charlemagne 7/1", dealers=465),
    "maine-32": _read_counts("5 391/144, 6 258/84, 7 39/25, petite 37/10, grosse 1/0, charlemagne 10/1", dealers=468),
    "two-player": _read_counts(
        "5 168/80, 6 337/123, 7 164/75, petite 14/12, grosse 5/0, charlemagne 17/0", dealers=445, passed=5
    ),
    "two-player-jokers": _read_counts(
        "5 36/11, 6 269/148, 7 258/150, 8 26/10, petite 32/20, grosse 22/4, charlemagne 14/0", dealers=478
    ),
}
"""The hands of each built-in ruleset."""
