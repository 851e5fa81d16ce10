"""Plot of a rating: it stays in its frame, and higher ratings are drawn higher."""

import re

from hypothesis import given
from hypothesis import strategies as st

from engine.records.plots import BOTTOM, HEIGHT, LEFT, MAX_LINES, WIDTH, build_rating_plot

RATINGS = st.lists(st.integers(0, 3000), min_size=2, max_size=50)


def parse_points(path: str) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in re.findall(r"(\d+) (\d+)", path)]


def test_single_night_has_no_plot() -> None:
    assert build_rating_plot([]) is None
    assert build_rating_plot([1500]) is None


@given(RATINGS)
def test_plot_stays_in_its_frame_from_left_to_right(ratings: list[int]) -> None:
    plot = build_rating_plot(ratings)
    assert plot is not None
    found = parse_points(plot.path)
    assert len(found) == len(ratings)
    assert found == sorted(found, key=lambda point: point[0])
    assert (found[0][0], found[-1]) == (LEFT, plot.last)
    assert plot.last[0] == WIDTH - BOTTOM
    assert all(x <= WIDTH and BOTTOM <= y <= HEIGHT - BOTTOM for x, y in found)


@given(RATINGS)
def test_higher_rating_is_never_drawn_lower(ratings: list[int]) -> None:
    plot = build_rating_plot(ratings)
    assert plot is not None
    heights = sorted(zip(ratings, (y for _, y in parse_points(plot.path)), strict=True))
    assert [y for _, y in heights] == sorted((y for _, y in heights), reverse=True)
    assert 2 <= len(plot.levels) <= MAX_LINES + 1
    assert plot.levels[0].rating <= min(ratings)
    assert plot.levels[-1].rating >= max(ratings)


def test_small_rating_change_looks_small() -> None:
    plot = build_rating_plot([1500, 1502])
    assert plot is not None
    (_, first), (_, last) = parse_points(plot.path)
    assert first - last <= HEIGHT // 20
