"""The line of an entry: the results that all metrics read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from .values import (
    ANNULLED,
    BYE,
    DRAWN,
    FORFEIT,
    MADE_UP,
    NO_MATCH_KINDS,
    NO_PLACE,
    PLAYED,
    SCHEDULED_BYE,
    WITHDRAWN,
    WON,
    Result,
)

WHOLE = 10_000
"""The whole of something, in hundredths of a percent."""


@dataclass(slots=True, kw_only=True)
class EntryResults:
    """The counted rounds of an entry, in order, and its match points in each (``round_points``).

    ``weights`` gives for each round of the event the number of running totals that include it; ``adjustments``
    are the director's adjustments, by metric. ``score`` (match points) and ``rate`` (matches won, of those
    played, in hundredths of a percent) are the entry's value for its opponents; ``opponent_scores`` and
    ``opponent_rates`` are those of its opponents, round by round. ``group`` and ``place`` are how far it came:
    see ``values.StageGroup``. ``pool_place`` is its place in its pool, ``play_off`` that in a play-off. One
    that ``has_left_early`` withdrew while others played on; one that ``is_disqualified`` ranks after all
    others. ``rates_all_rounds`` if rates count rounds without a match, as they did in older draws.

    ``unplayed_cap`` is the highest value of the opponent of an unplayed round, None if it is the entry's own.
    With a cap, FIDE's C.07 of 2026 holds: for its opponents the entry's last rounds in a row that it chose
    not to play count ``draw`` each (16.3.2), and the opponent's value in a round that it chose not to play is
    cut first (16.5).
    """

    number: int
    results: Sequence[Result]
    round_points: Sequence[int]
    weights: Mapping[int, int]
    cap: int
    seed: int
    adjustments: Mapping[str, int] = field(default_factory=dict)
    dropped: Sequence[Result] = ()
    score: int = 0
    rate: int = 0
    opponent_scores: list[int] = field(default_factory=list)
    opponent_rates: list[int] = field(default_factory=list)
    group: int = 0
    place: int = NO_PLACE
    is_still_playing: bool = False
    draw: int = 0
    unplayed_cap: int | None = None
    score_for_opponents: int = 0
    pool_place: int = NO_PLACE
    play_off: int = NO_PLACE
    is_disqualified: bool = False
    has_left_early: bool = False
    rates_all_rounds: bool = False

    @property
    def rate_flags(self) -> list[bool]:
        """Whether each round counts for metrics per match: not a bye of the schedule, and none after a withdrawal."""
        return [self.rates_all_rounds or result.kind not in UNRATED_KINDS for result in self.results]

    @property
    def match_count(self) -> int:
        unrated = NO_MATCH_KINDS if self.rates_all_rounds else UNRATED_KINDS
        return sum(result.kind not in unrated for result in self.results)

    @property
    def voluntary_missed_places(self) -> list[int]:
        """The places of the rounds that the entry chose not to play, if such rounds count differently."""
        if self.unplayed_cap is None:
            return []
        return [place for place, result in enumerate(self.results) if is_voluntary_miss(result)]

    def weigh(self) -> None:
        """Compute score and rate."""
        self.score = self.score_for_opponents = sum(self.round_points) + self.adjustments.get("match_points", 0)
        if self.unplayed_cap is not None:
            rounds = reversed(list(zip(self.results, self.round_points, strict=True)))
            last = takewhile(lambda each: is_voluntary_miss(each[0]), rounds)
            missed = [gained for result, gained in last if result.kind is not FORFEIT]
            self.score_for_opponents += sum(self.draw - gained for gained in missed)
        half_wins = [count_half_wins(result) for result in self.results if result.kind is PLAYED]
        self.rate = sum(half_wins) * WHOLE // (2 * len(half_wins)) if half_wins else 0


UNRATED_KINDS = NO_MATCH_KINDS | {WITHDRAWN}
"""The kinds of rounds that metrics per match leave out."""

INVOLUNTARY_KINDS = frozenset({PLAYED, BYE, SCHEDULED_BYE, ANNULLED, MADE_UP})
"""The kinds of rounds that an entry did not choose to miss."""


def is_voluntary_miss(result: Result) -> bool:
    """Return whether the entry chose not to play the round (FIDE: a voluntary unplayed round), and did not
    gain a whole win by it: a requested bye, an absence or a lost forfeit."""
    return result.kind not in INVOLUNTARY_KINDS and result.outcome is not WON


def get_win_share(result: Result) -> int:
    """Return the share of a win in hundredths of a percent."""
    return count_half_wins(result) * WHOLE // 2 if result.share is None else result.share


def count_half_wins(result: Result) -> int:
    """Return the result in halves of a win: 2, 1, 0."""
    if result.outcome is WON:
        return 2
    return 1 if result.outcome is DRAWN else 0
