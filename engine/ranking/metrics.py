"""Metrics that compare entries: small pure functions of one entry's line, in whole numbers.

A metric has a part for each round that counts, and adds them up, so that every value can be explained. Its
name and description are wording.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import compress, takewhile

from .lines import WHOLE, EntryResults, count_half_wins, get_win_share
from .values import DRAWN, LOST, PLAYED, WON, Outcome, Result


class Direction(StrEnum):
    """The better direction of a metric's values."""

    HIGHER = "higher"
    LOWER = "lower"


class MetricScope(StrEnum):
    """The data that a metric reads."""

    OWN = "own"
    """The entry's own rounds."""
    MEAN = "mean"
    """The entry's own rounds, per match."""
    POOL = "pool"
    """The results of its pool, by the other metrics of the event."""
    PLAY_OFF = "play_off"
    """The play-off between entries tied for first, which no other metric counts."""
    OPPONENTS = "opponents"
    """The results of its opponents, too."""
    LEVEL = "level"
    """The entries tied with it on all metrics before this one."""
    CHANCE = "chance"
    PROGRESS = "reached"
    """The stage that the entry reached, or its disqualification: ranks before all metrics that an event
    chooses."""


class Unit(StrEnum):
    """The display of a value: ``SIGNED`` with its sign; ``HALVES`` as 3½; a ``LOT`` shows only who comes
    first; a ``PLACE`` may be none."""

    NUMBER = "number"
    SIGNED = "signed"
    HALVES = "halves"
    PERCENT = "percent"
    LOT = "lot"
    PLACE = "place"


def get_match_wins(line: EntryResults) -> list[int]:
    return [1 if result.outcome is WON else 0 for result in line.results]


def get_half_wins(line: EntryResults) -> list[int]:
    """Return wins in halves: two for a match won; one for a draw, or for half a win in a round without
    play."""
    return [count_half_wins(result) for result in line.results]


def get_averaged_wins(line: EntryResults) -> list[int]:
    """Return wins in hundredths of a percent: a win counts in full, a draw half, a round without play its
    share."""
    return [get_win_share(result) for result in line.results]


def get_match_points(line: EntryResults) -> Sequence[int]:
    return line.round_points


def get_games_won(line: EntryResults) -> list[int]:
    return [result.games_won for result in line.results]


def get_games_lost(line: EntryResults) -> list[int]:
    return [result.games_lost for result in line.results]


def get_points_for(line: EntryResults) -> list[int]:
    return [result.points_for for result in line.results]


def get_points_against(line: EntryResults) -> list[int]:
    return [result.points_against for result in line.results]


def get_difference(line: EntryResults) -> list[int]:
    return [result.points_for - result.points_against for result in line.results]


def get_capped_difference(line: EntryResults) -> list[int]:
    return [max(-line.cap, min(line.cap, part)) for part in get_difference(line)]


VICTORY_POINTS = 20
"""The victory points of a match, for both sides together."""

_STEPS = (5505, 11485, 18031, 25260, 33333, 42473, 53004, 65429, 80580, 100_000)
"""The margins from which a match is 11–9, 12–8 … 20–0, in thousandths of a percent of the cap.

The scale of the World Bridge Federation, rounded down: 10 + 10 × (1 − τ^(3 × margin / cap)) / (1 − τ³), with
τ the golden section.
"""


def compute_victory_margins(cap: int) -> list[int]:
    """Return the least margins for 11, 12 … 20 victory points.

    >>> compute_victory_margins(20)
    [2, 3, 4, 6, 7, 9, 11, 14, 17, 20]
    """
    return [-(-step * cap // _STEPS[-1]) for step in _STEPS]


UNPLAYED_VICTORY_POINTS: Mapping[Outcome, int] = {WON: 12, DRAWN: 10, LOST: 0}
"""The victory points of a round without play and without points of its own, as in bridge."""


def get_victory_points(line: EntryResults) -> list[int]:
    margins = compute_victory_margins(line.cap)
    return [_compute_victory_points(result, margins) for result in line.results]


def _compute_victory_points(result: Result, margins: Sequence[int]) -> int:
    margin = result.points_for - result.points_against
    if result.kind is PLAYED or margin:
        extra = bisect_right(margins, abs(margin))
        return VICTORY_POINTS // 2 + (extra if margin > 0 else -extra)
    if result.share is not None:
        return result.share * VICTORY_POINTS // WHOLE
    return UNPLAYED_VICTORY_POINTS[result.outcome]


def get_contracts_made(line: EntryResults) -> list[int]:
    return [result.contracts_made for result in line.results]


def get_charlemagnes(line: EntryResults) -> list[int]:
    return [result.charlemagnes for result in line.results]


def get_buchholz(line: EntryResults) -> Sequence[int]:
    return line.opponent_scores


def get_sonneborn_berger(line: EntryResults) -> list[int]:
    """Return the values in halves: twice the score of beaten opponents, once that after a draw."""
    return [count_half_wins(result) * score for result, score in zip(line.results, line.opponent_scores, strict=True)]


def get_opponents_win_rate(line: EntryResults) -> Sequence[int]:
    return line.opponent_rates


def get_progressive(line: EntryResults) -> list[int]:
    """Return the gain of each round times the number of running totals that include it."""
    return [gained * line.weights[result.round] for result, gained in zip(line.results, line.round_points, strict=True)]


def draw_lot(seed: int, number: int) -> int:
    """Draw a lot from seed and number alone, never the same for two numbers up to 65,535; the higher is
    ahead."""
    digest = sha256(f"{seed}/{number}".encode()).digest()
    return int.from_bytes(digest[:4], "big") << 16 | number


def get_lots(line: EntryResults) -> list[int]:
    return [draw_lot(line.seed, line.number)]


def get_disqualification(line: EntryResults) -> list[int]:
    return [int(line.is_disqualified)]


def get_stage_group(line: EntryResults) -> list[int]:
    return [line.group]


def get_bracket_place(line: EntryResults) -> list[int]:
    return [line.place]


def get_pool_place(line: EntryResults) -> list[int]:
    return [line.pool_place]


def get_early_departure(line: EntryResults) -> list[int]:
    return [int(line.has_left_early)]


def play_off(line: EntryResults) -> list[int]:
    return [line.play_off]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A criterion of a ranking: its key, the better direction, and its parts, one for each round.

    The value is the sum of the parts, without the ``cut_lowest`` and ``cut_highest`` of them, or their
    ``is_mean``; or, times ``per_match``, the sum of matches for each of them. It is ``scale`` times the value
    shown. Head to head has no parts: see ``head_to_head``.
    """

    key: str
    parts: Callable[[EntryResults], Sequence[int]]
    better: Direction = Direction.HIGHER
    scope: MetricScope = MetricScope.OWN
    unit: Unit = Unit.NUMBER
    scale: int = 1
    cut_lowest: int = 0
    cut_highest: int = 0
    is_mean: bool = False
    per_match: int = 0

    @property
    def only_grows(self) -> bool:
        """Whether a match can never make the value worse."""
        is_own = self.scope in (MetricScope.OWN, MetricScope.LEVEL)
        return is_own and self.better is Direction.HIGHER and self.unit is not Unit.SIGNED

    def get_value(self, line: EntryResults) -> int:
        parts = self.parts(line)
        if self.cut_lowest:
            cut = self.get_cut_places(line, parts)
            parts = [part for place, part in enumerate(parts) if place not in cut]
        if self.is_mean:
            return sum(parts) // len(parts) if parts else 0
        adjustment = line.adjustments.get(self.key, 0)
        if self.per_match:
            total = sum(compress(parts, line.rate_flags)) + adjustment
            return total * self.per_match // max(1, line.match_count)
        return sum(parts) + adjustment

    def get_cut_places(self, line: EntryResults, parts: Sequence[int]) -> set[int]:
        """Return the places of the parts that do not count, among equals the earlier; if the rules say so,
        the lowest of those missed by choice before all others."""
        missed = line.voluntary_missed_places
        first = min(missed, key=lambda place: (parts[place], place), default=None)
        places = sorted(range(len(parts)), key=lambda place: (place != first, parts[place], place))
        highest = max(self.cut_lowest, len(parts) - self.cut_highest)
        return {*places[: self.cut_lowest], *places[highest:]}

    def get_merits(self, values: Sequence[int]) -> Sequence[int]:
        """Return numbers that are higher for a better value."""
        return values if self.better is Direction.HIGHER else [-value for value in values]


def _get_no_parts(line: EntryResults) -> list[int]:
    return []


DISQUALIFIED = "disqualified"
"""The metric that ranks first, in a field with a disqualified entry."""

LEFT_POOL = "left_pool"
"""The metric that ranks those who left early after those tied with them; after pools, after others of their place."""

_HUNDREDTHS = 100

_SUMS = (
    Metric(key="match_points", parts=get_match_points),
    Metric(key="games_won", parts=get_games_won),
    Metric(key="games_lost", parts=get_games_lost, better=Direction.LOWER),
    Metric(key="difference", parts=get_difference, unit=Unit.SIGNED),
    Metric(key="capped_difference", parts=get_capped_difference, unit=Unit.SIGNED),
    Metric(key="victory_points", parts=get_victory_points),
    Metric(key="points_for", parts=get_points_for),
    Metric(key="points_against", parts=get_points_against, better=Direction.LOWER),
    Metric(key="contracts_made", parts=get_contracts_made),
    Metric(key="charlemagnes", parts=get_charlemagnes),
)


def _build_per_match(metric: Metric) -> Metric:
    """Return the metric per match, in hundredths."""
    return replace(metric, key=f"mean_{metric.key}", scope=MetricScope.MEAN, scale=_HUNDREDTHS, per_match=_HUNDREDTHS)


_METRICS = (
    Metric(key=DISQUALIFIED, parts=get_disqualification, better=Direction.LOWER, scope=MetricScope.PROGRESS),
    Metric(key="stage", parts=get_stage_group, better=Direction.LOWER, scope=MetricScope.PROGRESS, unit=Unit.PLACE),
    Metric(key="bracket", parts=get_bracket_place, better=Direction.LOWER, scope=MetricScope.PROGRESS, unit=Unit.PLACE),
    Metric(
        key="pool_place", parts=get_pool_place, better=Direction.LOWER, scope=MetricScope.POOL, unit=Unit.PLACE
    ),
    Metric(key=LEFT_POOL, parts=get_early_departure, better=Direction.LOWER, scope=MetricScope.PROGRESS),
    Metric(key="match_wins", parts=get_match_wins),
    Metric(key="half_wins", parts=get_half_wins, unit=Unit.HALVES, scale=2),
    Metric(key="averaged_wins", parts=get_averaged_wins, scale=WHOLE),
    *_SUMS,
    Metric(key="progressive", parts=get_progressive),
    Metric(key="head_to_head", parts=_get_no_parts, scope=MetricScope.LEVEL),
    Metric(key="buchholz", parts=get_buchholz, scope=MetricScope.OPPONENTS),
    Metric(key="buchholz_cut_1", parts=get_buchholz, scope=MetricScope.OPPONENTS, cut_lowest=1),
    Metric(key="buchholz_median", parts=get_buchholz, scope=MetricScope.OPPONENTS, cut_lowest=1, cut_highest=1),
    Metric(key="sonneborn_berger", parts=get_sonneborn_berger, scope=MetricScope.OPPONENTS, scale=2),
    Metric(
        key="opponents_win_rate", parts=get_opponents_win_rate, scope=MetricScope.OPPONENTS, unit=Unit.PERCENT,
        scale=100, is_mean=True,
    ),
    Metric(
        key="play_off", parts=play_off, better=Direction.LOWER, scope=MetricScope.PLAY_OFF, unit=Unit.PLACE
    ),
    Metric(key="lots", parts=get_lots, scope=MetricScope.CHANCE, unit=Unit.LOT, scale=1 << 32),
    Metric(
        key="win_rate", parts=get_averaged_wins, scope=MetricScope.MEAN, unit=Unit.PERCENT, scale=_HUNDREDTHS,
        per_match=1,
    ),
    *map(_build_per_match, _SUMS),
)  # fmt: skip

METRICS: Mapping[str, Metric] = {metric.key: metric for metric in _METRICS}
"""All metrics by key."""

CHOICES = tuple(
    metric.key
    for metric in _METRICS
    if metric.scope not in (MetricScope.PROGRESS, MetricScope.MEAN) and metric.parts is not get_averaged_wins
)
"""The metrics that an event may choose to rank by; the others follow from its settings."""

PER_MATCH_METRICS: Mapping[str, str] = dict.fromkeys(("match_wins", "half_wins", "averaged_wins"), "win_rate") | {
    metric.key: f"mean_{metric.key}" for metric in _SUMS
}
"""The metric per match for each metric."""

PLACES = frozenset({MetricScope.PROGRESS, MetricScope.POOL, MetricScope.PLAY_OFF})
"""Scopes of metrics that give a place, not a sum."""


def has_result(figures: Iterable[tuple[str, int | None]]) -> bool:
    """Check whether any value comes from a match, by metric. Places to play for exist before the first one."""
    return any(value for key, value in figures if METRICS[key].scope not in PLACES)


def place_leavers(order: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics with one that ranks those who left early last of a tie, before any metric, such as the
    difference, that can be better with fewer matches."""
    gains = tuple(takewhile(lambda key: METRICS[key].only_grows or METRICS[key].scope in PLACES, order))
    return tuple(order) if LEFT_POOL in order else (*gains, LEFT_POOL, *order[len(gains) :])


SCOPES_WITHOUT_PARTS = PLACES | {MetricScope.LEVEL, MetricScope.CHANCE}
"""Scopes of metrics that are no sum of rounds."""
