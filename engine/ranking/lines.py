"""What counts of one entry: the line that every metric reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .values import DRAWN, NO_PLACE, PLAYED, WON, Result

WHOLE = 10_000
"""All of something, in hundredths of a percent."""


@dataclass(slots=True, kw_only=True)
class EntryResults:
    """The rounds of an entry that count, in order, and what each ``gained`` in match points.

    ``weights`` tells of each round of the event in how many running totals it is; ``adjusted`` is what the
    director changed, by metric. ``score`` (match points) and ``rate`` (matches won, of those played, in
    hundredths of a percent) are what the entry is worth to those who meet it; ``scores_faced`` and
    ``rates_faced`` are those of its opponents, round by round. ``group`` and ``place`` are how far it came:
    see ``values.StageGroup``.
    """

    number: int
    results: Sequence[Result]
    gained: Sequence[int]
    weights: Mapping[int, int]
    cap: int
    seed: int
    adjusted: Mapping[str, int] = field(default_factory=dict)
    dropped: Sequence[Result] = ()
    score: int = 0
    rate: int = 0
    scores_faced: list[int] = field(default_factory=list)
    rates_faced: list[int] = field(default_factory=list)
    group: int = 0
    place: int = NO_PLACE
    plays_on: bool = False

    def weigh(self) -> None:
        """Counts score and rate."""
        self.score = sum(self.gained) + self.adjusted.get("match_points", 0)
        won = [halves(result) for result in self.results if result.kind is PLAYED]
        self.rate = sum(won) * WHOLE // (2 * len(won)) if won else 0


def halves(result: Result) -> int:
    """A win in halves: 2, 1, 0."""
    if result.outcome is WON:
        return 2
    return 1 if result.outcome is DRAWN else 0
