"""A rating, the numbers shown for it, and its history."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.json_values import read_value

FIRST_MU, FIRST_SIGMA = 25.0, 25 / 3
"""The first rating of everybody, in Weng and Lin's units."""

FIRST_SHOWN, UNIT = 1500, 30
"""The scale of shown ratings: everybody begins at 1500, and one of Weng and Lin's units is 30 points. So a
pair whose two ratings add up to 100 more than those of the other wins about 64 matches in 100, as in chess,
once all four are well known."""

MIN_MATCHES = 10
"""The matches that a person needs to be ranked."""


def get_display_rating(mu: float) -> int:
    return round(FIRST_SHOWN + UNIT * (mu - FIRST_MU))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingStep:
    """A rating after an event, from so many matches in all, as shown."""

    event: int
    rating: int
    margin: int
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """The strength of a player (``mu``), its uncertainty (``sigma``), and the number of matches."""

    mu: float
    sigma: float
    matches: int
    steps: tuple[RatingStep, ...]

    @property
    def display(self) -> int:
        return get_display_rating(self.mu)

    @property
    def margin(self) -> int:
        """The margin of error: two times in three, the rating is right to within so many points."""
        return round(UNIT * self.sigma)

    @property
    def is_ranked(self) -> bool:
        return self.matches >= MIN_MATCHES


def steps_to_json(steps: Iterable[RatingStep]) -> list[list[int]]:
    """Return steps as JSON: event, rating, margin, matches."""
    return [[step.event, step.rating, step.margin, step.matches] for step in steps]


def steps_from_json(data: Iterable[Sequence[Any]]) -> tuple[RatingStep, ...]:
    """Return the steps from the output of ``steps_to_json``."""
    return tuple(read_value(RatingStep, step) for step in data)
