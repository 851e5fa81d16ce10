"""The geometry of a plot of ratings, in whole units of its own: the template draws it."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 320, 140
LEFT, BOTTOM = 44, 8
"""The space for the numbers beside the plot, and the space below it."""
MIN_SPAN = 100
STEPS = (50, 100, 200, 500, 1000)
MAX_LINES = 5


@dataclass(frozen=True, slots=True)
class Level:
    """A line across the plot, with the rating that it marks."""

    y: int
    rating: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPlot:
    """The course of a rating through the events, as a path; its last point, and the lines behind it."""

    path: str
    last: tuple[int, int]
    levels: tuple[Level, ...]
    left: int = LEFT
    width: int = WIDTH
    height: int = HEIGHT


def build_rating_plot(ratings: Sequence[int]) -> RatingPlot | None:
    """Return a plot with one point for each event, from left to right; None for fewer than two."""
    if len(ratings) < 2:
        return None
    low, high = min(ratings), max(ratings)
    min_height = max(high - low, MIN_SPAN)
    step = next((each for each in STEPS if min_height / each <= MAX_LINES - 1), STEPS[-1])
    bottom, top = low // step * step, -(-high // step) * step
    span = max(top - bottom, step)

    def get_y(rating: int) -> int:
        return HEIGHT - BOTTOM - (rating - bottom) * (HEIGHT - 2 * BOTTOM) // span

    last_index = len(ratings) - 1
    points = [
        (LEFT + place * (WIDTH - LEFT - BOTTOM) // last_index, get_y(rating)) for place, rating in enumerate(ratings)
    ]
    return RatingPlot(
        path="M" + "L".join(f"{x} {y}" for x, y in points),
        last=points[-1],
        levels=tuple(Level(get_y(rating), rating) for rating in range(bottom, bottom + span + 1, step)),
    )
