"""A pair leaves a round robin: the rounds that are left, and what the others are credited."""

import pytest

from errors import Refusal
from tests.builders import a_running_night, matches_of, next_round, standings_after, win
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.services.settings import change_stages
from tournaments.models import Event, Seating
from tournaments.rounds.services.rounds import close_round

pytestmark = pytest.mark.django_db


def play(event: Event, number: int) -> None:
    """The fifth pair wins its matches, and of two others the one listed first."""
    for match in matches_of(event, number):
        seats = Seating.objects.filter(table__match=match).order_by("side").select_related("entry")
        numbers = [seat.entry.number for seat in seats]
        win(match, "A" if numbers[0] == 5 or (numbers[1] != 5 and numbers[0] < numbers[1]) else "B")
    close_round(event_id=event.pk, number=number)


def left_after_two_rounds() -> Event:
    event = a_running_night(5, draw_format="round_robin")
    play(event, 1)
    next_round(event)
    play(event, 2)
    withdraw_entry(event_id=event.pk, number=5)
    return event


def wins(event: Event) -> dict[int, int]:
    return {row["entry"]: row["match_wins"] for row in standings_after(event)}


def test_the_others_play_two_rounds_more_and_nobody_is_credited_a_match_that_never_was() -> None:
    event = left_after_two_rounds()
    for number in (3, 4):
        drawn = next_round(event)
        assert drawn.tables.count() == 2
        play(event, number)
    with pytest.raises(Refusal) as refused:
        next_round(event)
    assert refused.value.code == "nothing_left_to_draw"
    found = wins(event)
    assert found[4] == 0
    assert sum(found.values()) == 8


def test_the_results_of_a_pair_that_left_early_are_annulled_when_the_director_says_so() -> None:
    event = a_running_night(5, draw_format="round_robin")
    play(event, 1)
    before = wins(event)
    withdraw_entry(event_id=event.pk, number=5)
    change_stages(event_id=event.pk, stages=[{"format": "round_robin", "settings": {"leavers": "annul"}}])
    after = wins(event)
    assert after.get(5, 0) == 0
    assert sum(before.values()) - sum(after.values()) == before.get(5, 0)
