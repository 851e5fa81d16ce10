"""The ranking rules of an event in words, as its pages show them."""

import pytest

from tests.builders import build_played_night, compute_standings
from tests.support.browser import Browser

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

BYE = "A bye counts as a win, with the games of the best win at a table"


@pytest.mark.parametrize(("draw_format", "counts_byes"), [("swiss", True), ("knockout", False)])
def test_bye_counts_as_a_win_except_in_a_bracket(*, draw_format: str, counts_byes: bool) -> None:
    event = build_played_night(6, draw_format=draw_format)
    compute_standings(event)
    page = Browser().open(f"/e/{event.short}/standings")
    assert "a win if present, a loss if absent" in page.text
    assert (BYE in page.text) is counts_byes
