"""Matches of a bracket are called as soon as both sides are known, while other matches continue."""

from datetime import timedelta
from random import Random

import pytest

from scoring.models import Match
from scoring.moves import find_move
from scoring.services.time_calls import call_time
from tests.builders import (
    FIFTY_MINUTES,
    build_running_night,
    get_refusal_code,
    get_score,
    mark,
    matches_of,
    reload_match,
    win,
)
from tests.support.event_files import export_event, list_differences
from tests.support.hall import Hall
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from tournaments.public.presenters.next_matches import NextMatch
from tournaments.public.presenters.player_page import build_player_page
from tournaments.rounds.queries.ready_matches import find_ready_matches
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import call_matches, close_round, draw_round

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def slots(event: Event, number: int) -> dict[int, str]:
    return {table.number: table.slot for table in lineup_of(event.rounds.get(number=number)).tables}


def a_bracket_half_played() -> Event:
    """Build a bracket of four first matches: two over, one begun, one not begun."""
    event = build_running_night(8, draw_format="knockout")
    for match in matches_of(event)[:2]:
        win(match)
    mark(matches_of(event)[2], "A 6 7")
    return event


def test_ready_match_is_called_while_others_play() -> None:
    event = a_bracket_half_played()
    third, fourth = matches_of(event)[2:]
    called = call_matches(event_id=event.pk)
    assert (called.number, called.state) == (2, RoundState.PUBLISHED)
    assert event.rounds.get(number=1).state == RoundState.CLOSED
    assert slots(event, 1) == {1: "1:W1-1", 2: "1:W1-2"}
    assert slots(event, 2) == {1: "1:W2-1", 3: "1:W1-3", 4: "1:W1-4"}
    assert matches_of(event, 2)[1:] == [third, fourth]
    (winner,) = {player.person for player in matches_of(event)[1].players.filter(seat=0)}
    move = find_move(matches_of(event)[1], person=winner.pk, device="")
    assert move is not None
    assert (move.is_own, [seat.table for seat in move.seats]) == (True, [1])
    assert find_move(third, person=third.players.get(seat=0).person_id, device="") is None
    assert (get_score(third), reload_match(third).round_number, reload_match(third).closed_at) == ([6, 0], 2, None)
    assert get_refusal_code(call_matches, event_id=event.pk) == "no_match_ready"
    for match in (third, fourth):
        win(match)
    call_matches(event_id=event.pk)
    assert slots(event, 3) == {1: "1:W2-1", 2: "1:W2-2"}
    for match in matches_of(event, 3):
        win(match)
    close_round(event_id=event.pk, number=3)
    assert not list_differences(export_event(event))


@pytest.mark.long
def test_the_desk_calls_ready_matches() -> None:
    hall = Hall(8, draw_format="knockout")
    desk = f"/e/{hall.event.short}/desk"
    for match in matches_of(hall.event)[:2]:
        assert "Call 1 match" not in hall.desk.open(desk).text
        win(match)
    page = hall.desk.open(desk)
    assert "Call 1 match" in page.text
    page = hall.desk.send(page, page.find_form("/call-matches"))
    assert "Round 2: 0 of 3 tables done" in page.text
    assert "Round 2: ready matches called, unfinished tables moved to it" in page.text


def test_timed_rounds_cannot_call_matches_early() -> None:
    event = build_running_night(8, draw_format="knockout", match_format=FIFTY_MINUTES)
    for match in matches_of(event)[:2]:
        win(match)
    call_time(match_ids=[match.pk for match in matches_of(event)[:2]])
    assert get_refusal_code(call_matches, event_id=event.pk) == "ends_by_the_clock"


def test_player_page_announces_the_next_match() -> None:
    hall = Hall(8, draw_format="knockout")
    first, second, third, _ = matches_of(hall.event)
    win(first)
    half_an_hour = timedelta(minutes=30)
    Match.objects.filter(pk=first.pk).update(last_marked_at=first.opened_at + half_an_hour)
    winner, loser, waiting = (
        hall.event.entries.get(player_1=match.players.get(seat=seat).person_id)
        for match, seat in ((first, 0), (first, 1), (third, 0))
    )
    page = build_player_page(hall.event, winner.player_1)
    assert page.next_match == NextMatch(table=2, at=second.opened_at + half_an_hour)
    assert build_player_page(hall.event, loser.player_1).next_match is None
    assert build_player_page(hall.event, waiting.player_1).next_match is None
    win(second)
    assert build_player_page(hall.event, winner.player_1).next_match == NextMatch()
    call_matches(event_id=hall.event.pk)
    assert build_player_page(hall.event, winner.player_1).next_match is None


def test_undone_call_keeps_all_hands() -> None:
    event = a_bracket_half_played()
    before = slots(event, 1)
    call_matches(event_id=event.pk)
    third = matches_of(event, 2)[1]
    mark(third, "B 7 7")
    action = event.actions.order_by("-pk")[0]
    undo_action(event_id=event.pk, action_id=action.pk)
    assert (event.rounds.get().state, slots(event, 1)) == (RoundState.PUBLISHED, before)
    assert (reload_match(third).round_number, get_score(third)) == (1, [6, 7])
    assert not list_differences(export_event(event))


@pytest.mark.long
@pytest.mark.parametrize("draw_format", ["knockout", "double_elimination", "consolation"])
@pytest.mark.parametrize("pairs", [5, 11])
def test_brackets_can_be_called_match_by_match_to_the_end(draw_format: str, pairs: int) -> None:
    event, chance = build_running_night(pairs, draw_format=draw_format), Random(pairs)
    for _ in range(4 * pairs):
        last = event.rounds.latest("number")
        going_on = [match for match in matches_of(event, last.number) if not reload_match(match).is_over]
        if going_on:
            win(chance.choice(going_on), chance.choice("AB"))
        found = find_ready_matches(event, last)
        if found is not None and found.slots:
            call_matches(event_id=event.pk)
        elif len(going_on) <= 1:
            break
        if chance.random() < 0.2:
            action = event.actions.latest("pk")
            if action.kind == "call_matches":
                undo_action(event_id=event.pk, action_id=action.pk)
                call_matches(event_id=event.pk)
    close_round(event_id=event.pk, number=last.number)
    assert get_refusal_code(draw_round, event_id=event.pk) == "nothing_left_to_draw"
    assert not list_differences(export_event(event))
