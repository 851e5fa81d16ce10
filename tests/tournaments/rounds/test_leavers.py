"""Withdrawal from a round robin: the remaining rounds, and the credit to the other pairs."""

import pytest

from errors import Refusal
from tests.builders import build_running_night, compute_standings, matches_of, start_next_round, win
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.services.settings import change_stages
from tournaments.models import Event, Seating
from tournaments.rounds.services.rounds import close_round

pytestmark = pytest.mark.django_db


def play(event: Event, number: int) -> None:
    """Play the round: pair 5 wins its matches, and the lower number wins the others."""
    for match in matches_of(event, number):
        seats = Seating.objects.filter(table__match=match).order_by("side").select_related("entry")
        numbers = [seat.entry.number for seat in seats]
        win(match, "A" if numbers[0] == 5 or (numbers[1] != 5 and numbers[0] < numbers[1]) else "B")
    close_round(event_id=event.pk, number=number)


def build_event_with_leavers() -> Event:
    event = build_running_night(5, draw_format="round_robin")
    play(event, 1)
    start_next_round(event)
    play(event, 2)
    withdraw_entry(event_id=event.pk, number=5)
    return event


def get_wins(event: Event) -> dict[int, int]:
    return {row["entry"]: row["match_wins"] for row in compute_standings(event)}


@pytest.mark.long
def test_entries_get_no_credit_for_matches_with_a_withdrawn_pair() -> None:
    event = build_event_with_leavers()
    for number in (3, 4):
        drawn = start_next_round(event)
        assert drawn.tables.count() == 2
        play(event, number)
    with pytest.raises(Refusal) as refused:
        start_next_round(event)
    assert refused.value.code == "nothing_left_to_draw"
    found = get_wins(event)
    assert found[4] == 0
    assert sum(found.values()) == 8


@pytest.mark.slow
def test_annul_setting_removes_results_of_a_withdrawn_pair() -> None:
    event = build_running_night(5, draw_format="round_robin")
    play(event, 1)
    before = get_wins(event)
    withdraw_entry(event_id=event.pk, number=5)
    change_stages(event_id=event.pk, stages=[{"format": "round_robin", "settings": {"leavers": "annul"}}])
    after = get_wins(event)
    assert after.get(5, 0) == 0
    assert sum(before.values()) - sum(after.values()) == before.get(5, 0)
