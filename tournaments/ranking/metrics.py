"""What entries are compared by: small pure functions of the counted results of one entry."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.draws import EntryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One counted match from one entry's side; without an opponent, what a bye was worth."""

    round: int
    opponent: EntryId | None
    match_won: bool
    games_won: int
    games_lost: int
    points_for: int
    points_against: int


class Direction(StrEnum):
    """Which of two values is the better one."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A criterion of a ranking: its key, which direction is better, and its value from an entry's results."""

    key: str
    better: Direction
    value: Callable[[Sequence[Result]], int]

    def merit(self, value: int) -> int:
        """A number that is higher for a better value."""
        return value if self.better is Direction.HIGHER else -value


def match_wins(results: Sequence[Result]) -> int:
    return sum(result.match_won for result in results)


def games_won(results: Sequence[Result]) -> int:
    return sum(result.games_won for result in results)


def difference(results: Sequence[Result]) -> int:
    return points_for(results) - points_against(results)


def points_for(results: Sequence[Result]) -> int:
    return sum(result.points_for for result in results)


def points_against(results: Sequence[Result]) -> int:
    return sum(result.points_against for result in results)


METRICS: Mapping[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric(key="match_wins", better=Direction.HIGHER, value=match_wins),
        Metric(key="games_won", better=Direction.HIGHER, value=games_won),
        Metric(key="difference", better=Direction.HIGHER, value=difference),
        Metric(key="points_for", better=Direction.HIGHER, value=points_for),
        Metric(key="points_against", better=Direction.LOWER, value=points_against),
    )
}
"""Every metric by its key."""
