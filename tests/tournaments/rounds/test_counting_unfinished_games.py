"""A timed round: after the last hand the tables stop, and one button counts their games as they stand."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.audit.log import Actor
from rules import MatchFormat
from scoring.models import Match
from scoring.presenters.rows import TableState
from scoring.services import dispute
from tests.builders import a_running_night, code_of, fresh, mark, matches_of, play, win
from tests.saved_states import saved_state
from tests.support.browser import Page
from tests.support.hall import Hall
from tournaments.events.presenters.desk import DeskView, desk_view
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.services.clock import begin_round, call_last_hand, take_back_last_hand
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import count_unfinished

pytestmark = pytest.mark.django_db

TWO_GAMES = MatchFormat(games_to_win=2)


@saved_state
def a_timed_round(pairs: int = 8, **settings: object) -> Event:
    event = a_running_night(pairs, **settings)
    begin_round(event_id=event.pk, number=1, minutes=45)
    return event


def desk_of(event: Event) -> DeskView:
    return desk_view(event, event.rounds.last(), now=timezone.now())


def states(event: Event) -> dict[int, TableState]:
    return {row.number: row.state for row in desk_of(event).rows}


def results(event: Event) -> list[tuple[bool, str | None, list[int]]]:
    return [(match.is_over, match.summary["winner"], match.summary["points"]) for match in matches_of(event)]


class TestTheLastHand:
    @pytest.mark.slow
    def test_is_the_first_one_recorded_after_the_call(self) -> None:
        event = a_timed_round()
        first, second, third, _ = matches_of(event)
        for match in (first, second, third):
            mark(match, "A 6 7")
        call_last_hand(event_id=event.pk, number=1)
        mark(first, "B 5 made")
        mark(second, "misdeal")
        play_on = states(event)
        assert play_on[1] is TableState.LAST_HAND_PLAYED
        assert play_on[2] is play_on[3] is TableState.PLAYING
        assert desk_of(event).still_playing == [2, 3, 4]
        take_back_last_hand(event_id=event.pk, number=1)
        assert states(event)[1] is TableState.PLAYING

    def test_is_also_the_first_one_after_the_end_of_the_countdown(self) -> None:
        event = a_timed_round()
        match = matches_of(event)[0]
        mark(match, "A 6 7")
        assert states(event)[1] is TableState.PLAYING
        event.rounds.update(started_at=timezone.now() - timedelta(minutes=46))
        call_last_hand(event_id=event.pk, number=1)  # so that the tables' clocks are written again
        match.marks.update(created_at=timezone.now() - timedelta(minutes=5))
        assert states(event)[1] is TableState.PLAYING
        mark(match, "A 5 made")
        assert states(event)[1] is TableState.LAST_HAND_PLAYED

    def test_is_not_ended_by_correcting_an_earlier_hand(self) -> None:
        event = a_timed_round()
        match = matches_of(event)[0]
        played = mark(match, "A 6 7")
        call_last_hand(event_id=event.pk, number=1)
        mark(match, "B 6 7", replacing=played)
        assert states(event)[1] is TableState.PLAYING

    def test_of_a_tied_table_in_a_bracket_is_followed_by_an_extra_hand(self) -> None:
        event = a_timed_round(draw_format="knockout")
        match = matches_of(event)[0]
        call_last_hand(event_id=event.pk, number=1)
        play(match, "A 6 made", "B 6 made")
        assert states(event)[1] is TableState.PLAYING
        mark(match, "A 5 made")
        assert states(event)[1] is TableState.LAST_HAND_PLAYED

    @pytest.mark.slow
    def test_closes_the_keypad_of_the_table_and_not_of_the_desk(self) -> None:
        hall = Hall(4)
        begin_round(event_id=hall.event.pk, number=1)
        call_last_hand(event_id=hall.event.pk, number=1)
        phone = hall.phone()
        assert phone.open(hall.table).every("div", id="lanes")
        mark(hall.match, "A 6 7")
        page = phone.open(hall.table)
        assert not page.every("div", id="lanes")
        assert "The desk counts this game as it stands." in page.text
        assert hall.desk.open(hall.ruled).every("div", id="lanes")


class TestCounting:
    @pytest.mark.slow
    def test_ends_every_match_as_it_stands_and_one_undo_reopens_all(self) -> None:
        event = a_timed_round(match_format=TWO_GAMES)
        first, second, third, fourth = matches_of(event)
        play(first, "A gros_charlemagne made", "B 6 made")
        play(second, "B 5 made")
        play(third, "A 6 7")
        win(fourth)
        win(fourth)
        before = results(event)
        count_unfinished(event_id=event.pk, number=1)
        assert [(over, winner) for over, winner, _ in results(event)] == [
            *((True, "A"), (True, "B"), (True, "A"), (True, "A"))
        ]
        line = event.actions.latest("pk")
        assert (line.kind, line.details["tables"]) == ("count_unfinished", [1, 2, 3])
        undo_action(event_id=event.pk, action_id=line.pk)
        assert results(event) == before
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert all(over for over, *_ in results(event))
        close_round(event_id=event.pk, number=1)

    def test_leaves_tables_with_a_call_two_scores_or_no_hand_open(self) -> None:
        event = a_timed_round()
        called, contested, _, last = matches_of(event)
        for match in (called, contested, last):
            mark(match, "A 6 7")
        dispute(match_id=called.pk, note="")
        mark(contested, "B 6 7", number=1)
        count_unfinished(event_id=event.pk, number=1)
        assert [over for over, *_ in results(event)] == [False, False, False, True]
        assert code_of(close_round, event_id=event.pk, number=1) == "tables_missing"

    def test_leaves_tied_tables_of_a_bracket_open_for_an_extra_hand(self) -> None:
        event = a_timed_round(draw_format="knockout")
        for match in matches_of(event):
            play(match, "A 6 made", "B 6 made")
        count_unfinished(event_id=event.pk, number=1)
        assert not any(over for over, *_ in results(event))
        mark(matches_of(event)[0], "B 5 made")
        count_unfinished(event_id=event.pk, number=1)
        assert [winner for _, winner, _ in results(event)] == ["B", None, None, None]

    def test_counts_a_tie_where_nobody_has_to_win(self) -> None:
        event = a_timed_round()
        for match in matches_of(event):
            play(match, "A 6 made", "B 6 made")
        count_unfinished(event_id=event.pk, number=1)
        assert all(over and winner is None for over, winner, _ in results(event))

    def test_is_not_undone_after_somebody_has_changed_a_table(self) -> None:
        event = a_timed_round()
        match = matches_of(event)[0]
        mark(match, "A 6 7")
        count_unfinished(event_id=event.pk, number=1)
        mark(match, "B 6 7", replacing=match.marks.get(number=2))
        line = event.actions.get(kind="count_unfinished")
        assert code_of(undo_action, event_id=event.pk, action_id=line.pk) == "changed_since"

    def test_of_a_director_is_not_undone_at_the_table(self) -> None:
        hall = Hall(4)
        mark(hall.match, "A 6 7")
        count_unfinished(event_id=hall.event.pk, number=1, by=Actor(account=hall.owner))
        ended = hall.match.marks.get(number=2)
        assert code_of(mark, hall.match, "undone", replacing=ended) == "director_only"

    def test_is_refused_once_the_round_is_closed(self) -> None:
        event = a_timed_round(4)
        for match in matches_of(event):
            win(match)
        close_round(event_id=event.pk, number=1)
        assert code_of(count_unfinished, event_id=event.pk, number=1) == "step_not_allowed"


@pytest.mark.slow
@pytest.mark.snapshot
class TestAtTheDesk:
    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall(8, match_format=TWO_GAMES)
        first, second, third, _ = matches_of(hall.event)
        play(first, "A gros_charlemagne made", "B 6 made")
        play(second, "B 5 made")
        play(third, "A 6 made")
        begin_round(event_id=hall.event.pk, number=1, minutes=45)
        return hall

    def count(self, hall: Hall) -> Page:
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        return hall.desk.send(page, page.form("/count"))

    def test_one_button_lists_the_games_counts_them_and_is_undone(self, hall: Hall) -> None:
        assert "unfinished" not in hall.desk.open(f"/e/{hall.event.short}/desk").text
        call_last_hand(event_id=hall.event.pk, number=1)
        play(matches_of(hall.event)[0], "A 5 made")
        desk = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Last hand: tables 2, 3 and 4 still play." in desk.text
        assert "Time: count 3 unfinished games" in desk.text
        asked = self.count(hall)
        (listed,) = asked.every("ul", id="unfinished")
        told = re.sub(r"\s+", " ", listed.text)
        assert all(part in told for part in ("5–6 games 1–0", "0–5 games 0–0", "6–0 games 0–0")), told
        assert "Not counted: table 4." in asked.text
        done = hall.desk.send(asked, asked.form())
        assert "time called, unfinished games counted: 3" in done.text
        assert sum(match.is_over for match in matches_of(hall.event)) == 3
        undo = hall.desk.send(done, done.form("/undo"))
        hall.desk.send(undo, undo.form(having="confirmed"))
        assert not any(match.is_over for match in matches_of(hall.event))


def test_hand_of_an_offline_phone_after_the_count_is_kept_beside_it() -> None:
    event = a_timed_round()
    match = matches_of(event)[0]
    mark(match, "A 6 7")
    count_unfinished(event_id=event.pk, number=1)
    mark(match, "B 6 7", number=2)
    assert fresh(match).has_rivals
    assert Match.objects.filter(has_rivals=True).count() == 1
