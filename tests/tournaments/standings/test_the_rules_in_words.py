"""Ranking rules of an event, in the words of its pages."""

import pytest

from tests.builders import a_played_night, standings_after
from tests.support.browser import Browser

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

BYE = "A bye counts as a win, with the games of the best win at a table"


@pytest.mark.parametrize(("draw_format", "counts_byes"), [("swiss", True), ("knockout", False)])
def test_a_bye_counts_as_a_match_won_but_in_a_bracket(*, draw_format: str, counts_byes: bool) -> None:
    event = a_played_night(6, draw_format=draw_format)
    standings_after(event)
    page = Browser().open(f"/e/{event.short}/standings")
    assert "a win if present, a loss if absent" in page.text
    assert (BYE in page.text) is counts_byes
