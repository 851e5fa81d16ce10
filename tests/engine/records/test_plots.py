"""The plot of a rating: everything lies inside of it, and higher is higher."""

import re

from hypothesis import given
from hypothesis import strategies as st

from engine.records.plots import BOTTOM, HEIGHT, LEFT, MOST_LINES, WIDTH, rating_plot

RATINGS = st.lists(st.integers(0, 3000), min_size=2, max_size=50)


def points(path: str) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in re.findall(r"(\d+) (\d+)", path)]


def test_one_night_is_no_line() -> None:
    assert rating_plot([]) is None
    assert rating_plot([1500]) is None


@given(RATINGS)
def test_it_lies_in_its_frame_from_the_left_to_the_right(ratings: list[int]) -> None:
    plot = rating_plot(ratings)
    assert plot is not None
    found = points(plot.path)
    assert len(found) == len(ratings)
    assert found == sorted(found, key=lambda point: point[0])
    assert (found[0][0], found[-1]) == (LEFT, plot.last)
    assert plot.last[0] == WIDTH - BOTTOM
    assert all(x <= WIDTH and BOTTOM <= y <= HEIGHT - BOTTOM for x, y in found)


@given(RATINGS)
def test_a_higher_rating_is_never_lower_and_stands_between_the_lines_around_it(ratings: list[int]) -> None:
    plot = rating_plot(ratings)
    assert plot is not None
    heights = sorted(zip(ratings, (y for _, y in points(plot.path)), strict=True))
    assert [y for _, y in heights] == sorted((y for _, y in heights), reverse=True)
    assert 2 <= len(plot.levels) <= MOST_LINES + 1
    assert plot.levels[0].rating <= min(ratings)
    assert plot.levels[-1].rating >= max(ratings)


def test_a_rating_that_hardly_moves_looks_so() -> None:
    plot = rating_plot([1500, 1502])
    assert plot is not None
    (_, first), (_, last) = points(plot.path)
    assert first - last <= HEIGHT // 20
