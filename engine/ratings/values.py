"""A rating, what is shown of it, and how it came about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

FIRST_MU, FIRST_SIGMA = 25.0, 25 / 3
"""Where everybody begins, in Weng and Lin's units."""

FIRST_SHOWN, UNIT = 1500, 30
"""What is shown of it: everybody begins at 1500, and one of their units is 30 points. So a pair whose two
ratings add up to 100 more than those of the other wins about 64 matches in 100, as in chess, once all four
are well known."""

LEAST_MATCHES = 10
"""From so many matches on, somebody is ranked."""


def shown_rating(mu: float) -> int:
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
    """How strong somebody plays (``mu``), how well that is known (``sigma``), from how many matches."""

    mu: float
    sigma: float
    matches: int
    steps: tuple[RatingStep, ...]

    @property
    def display(self) -> int:
        return shown_rating(self.mu)

    @property
    def margin(self) -> int:
        """Two times in three, the rating is right to within so many points."""
        return round(UNIT * self.sigma)

    @property
    def is_ranked(self) -> bool:
        return self.matches >= LEAST_MATCHES


def steps_to_json(steps: Iterable[RatingStep]) -> list[list[int]]:
    """As JSON has them: event, rating, margin, matches."""
    return [[step.event, step.rating, step.margin, step.matches] for step in steps]


def steps_from_json(plain: Iterable[Sequence[Any]]) -> tuple[RatingStep, ...]:
    """The inverse of ``steps_to_json``."""
    return tuple(
        RatingStep(event=event, rating=rating, margin=margin, matches=matches)
        for event, rating, margin, matches in plain
    )
