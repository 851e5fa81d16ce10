"""The ranking rules of an event in words, as its pages show them."""

import pytest

from engine.ranking import Bye, RankingRules
from tests.builders import build_played_night, compute_standings, play_round, start_next_round
from tests.support.browser import Browser
from tournaments.events.services.settings import change_ranking

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

BYE = "A bye counts as a win, with no more games than the round’s best win"


@pytest.mark.parametrize(("draw_format", "counts_byes"), [("swiss", True), ("knockout", False)])
def test_bye_counts_as_a_win_except_in_a_bracket(*, draw_format: str, counts_byes: bool) -> None:
    event = build_played_night(6, draw_format=draw_format)
    compute_standings(event)
    page = Browser().open(f"/e/{event.short}/standings")
    assert "a win if present, a loss if absent" in page.text
    assert (BYE in page.text) is counts_byes


def test_victory_points_of_a_bye_are_those_of_the_average() -> None:
    event = build_played_night(5, draw_format="swiss")
    rules = RankingRules(order=("victory_points",), bye=Bye.AVERAGE)
    change_ranking(event_id=event.pk, rules=rules)
    start_next_round(event)
    play_round(event, 2)
    bye = event.entries.get(seatings__table=None, seatings__round__number=1)
    (row,) = (row for row in compute_standings(event) if row["entry"] == bye.number)
    assert row["victory_points"] == 40 * row["match_wins"]  # 20–0 or 0–20 at its table, and as much for the bye
    page = Browser().open(f"/e/{event.short}/standings")
    assert "Unplayed rounds: 12 for a win, 10 for half a win, a share of 20 for an average" in page.text
