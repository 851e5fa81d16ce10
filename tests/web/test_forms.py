"""Fields of forms, read as values of their kinds."""

from datetime import date

import pytest

from tests.builders import code_of
from web.forms import read_day


@pytest.mark.parametrize("typed", ["1900-01-01", "2199-12-31"])
def test_a_day_is_one_of_the_years_of_anybody_who_plays_or_plans(typed: str) -> None:
    assert read_day(typed, field="day") == date.fromisoformat(typed)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("1899-12-31", "day_out_of_range"),
        ("2200-01-01", "day_out_of_range"),
        ("2026-02-30", "not_a_date"),
        ("tomorrow", "not_a_date"),
    ],
)
def test_what_is_no_such_day_is_refused(typed: str, code: str) -> None:
    assert code_of(read_day, typed, field="day") == code
