"""A timed round: tables stop after the last hand, and one button counts unfinished games by their current score."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.audit.log import Actor
from rules import MatchFormat
from scoring.models import Match
from scoring.presenters.rows import TableState
from scoring.services.agreement import call_desk
from tests.builders import build_running_night, get_refusal_code, mark, matches_of, play, reload_match, win
from tests.saved_states import saved_state
from tests.support.browser import Page
from tests.support.hall import Hall
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.desk import DeskView, build_desk_view
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.services.clock import begin_round, call_last_hand, take_back_last_hand
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import count_unfinished

pytestmark = pytest.mark.django_db

TWO_GAMES = MatchFormat(games_to_win=2)


@saved_state
def build_timed_round(pairs: int = 8, **settings: object) -> Event:
    event = build_running_night(pairs, **settings)
    begin_round(event_id=event.pk, number=1, minutes=45)
    return event


def get_desk_view(event: Event) -> DeskView:
    return build_desk_view(event, event.rounds.last(), get_entries(event), now=timezone.now())


def get_table_states(event: Event) -> dict[int, TableState]:
    return {row.number: row.state for row in get_desk_view(event).rows}


def list_results(event: Event) -> list[tuple[bool, str | None, list[int]]]:
    return [(match.is_over, match.summary["winner"], match.summary["points"]) for match in matches_of(event)]


class TestLastHand:
    @pytest.mark.slow
    def test_last_hand_is_the_first_recorded_after_the_call(self) -> None:
        event = build_timed_round()
        first, second, third, _ = matches_of(event)
        for match in (first, second, third):
            mark(match, "A 6 7")
        call_last_hand(event_id=event.pk, number=1)
        mark(first, "B 5 made")
        mark(second, "misdeal")
        play_on = get_table_states(event)
        assert play_on[1] is TableState.LAST_HAND_PLAYED
        assert play_on[2] is play_on[3] is TableState.PLAYING
        assert get_desk_view(event).playing_numbers == [2, 3, 4]
        take_back_last_hand(event_id=event.pk, number=1)
        assert get_table_states(event)[1] is TableState.PLAYING

    @pytest.mark.long
    def test_last_hand_is_the_first_recorded_after_time_expires(self) -> None:
        event = build_timed_round()
        match = matches_of(event)[0]
        mark(match, "A 6 7")
        assert get_table_states(event)[1] is TableState.PLAYING
        event.rounds.update(started_at=timezone.now() - timedelta(minutes=46))
        call_last_hand(event_id=event.pk, number=1)  # so that the clocks of the tables are updated
        match.marks.update(created_at=timezone.now() - timedelta(minutes=5))
        assert get_table_states(event)[1] is TableState.PLAYING
        mark(match, "A 5 made")
        assert get_table_states(event)[1] is TableState.LAST_HAND_PLAYED

    def test_corrected_hand_is_not_the_last_hand(self) -> None:
        event = build_timed_round()
        match = matches_of(event)[0]
        played = mark(match, "A 6 7")
        call_last_hand(event_id=event.pk, number=1)
        mark(match, "B 6 7", replaced=played)
        assert get_table_states(event)[1] is TableState.PLAYING

    @pytest.mark.long
    def test_tied_bracket_table_plays_an_extra_hand(self) -> None:
        event = build_timed_round(draw_format="knockout")
        match = matches_of(event)[0]
        call_last_hand(event_id=event.pk, number=1)
        play(match, "A 6 made", "B 6 made")
        assert get_table_states(event)[1] is TableState.PLAYING
        mark(match, "A 5 made")
        assert get_table_states(event)[1] is TableState.LAST_HAND_PLAYED

    @pytest.mark.long
    def test_last_hand_closes_the_keypad_at_the_table_only(self) -> None:
        hall = Hall(4)
        begin_round(event_id=hall.event.pk, number=1)
        call_last_hand(event_id=hall.event.pk, number=1)
        phone = hall.add_phone()
        assert phone.open(hall.table).find_all("div", id="lanes")
        mark(hall.match, "A 6 7")
        page = phone.open(hall.table)
        assert not page.find_all("div", id="lanes")
        assert "The desk counts this game as it stands." in page.text
        assert hall.desk.open(hall.desk_match).find_all("div", id="lanes")


@pytest.mark.slow
class TestCountUnfinished:
    @pytest.mark.long
    def test_count_ends_every_match_and_one_undo_reopens_them(self) -> None:
        event = build_timed_round(match_format=TWO_GAMES)
        first, second, third, fourth = matches_of(event)
        play(first, "A gros_charlemagne made", "B 6 made")
        play(second, "B 5 made")
        play(third, "A 6 7")
        win(fourth)
        win(fourth)
        before = list_results(event)
        count_unfinished(event_id=event.pk, number=1)
        assert [(over, winner) for over, winner, _ in list_results(event)] == [
            *((True, "A"), (True, "B"), (True, "A"), (True, "A"))
        ]
        line = event.actions.latest("pk")
        assert (line.kind, line.details["tables"]) == ("count_unfinished", [1, 2, 3])
        undo_action(event_id=event.pk, action_id=line.pk)
        assert list_results(event) == before
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert all(over for over, *_ in list_results(event))
        close_round(event_id=event.pk, number=1)

    @pytest.mark.long
    def test_count_skips_tables_with_calls_conflicts_or_no_hand(self) -> None:
        event = build_timed_round()
        called, contested, _, last = matches_of(event)
        for match in (called, contested, last):
            mark(match, "A 6 7")
        call_desk(match_id=called.pk, note="")
        mark(contested, "B 6 7", number=1)
        count_unfinished(event_id=event.pk, number=1)
        assert [over for over, *_ in list_results(event)] == [False, False, False, True]
        assert get_refusal_code(close_round, event_id=event.pk, number=1) == "tables_missing"

    @pytest.mark.slow
    def test_count_leaves_tied_bracket_tables_open(self) -> None:
        event = build_timed_round(draw_format="knockout")
        for match in matches_of(event):
            play(match, "A 6 made", "B 6 made")
        count_unfinished(event_id=event.pk, number=1)
        assert not any(over for over, *_ in list_results(event))
        mark(matches_of(event)[0], "B 5 made")
        count_unfinished(event_id=event.pk, number=1)
        assert [winner for _, winner, _ in list_results(event)] == ["B", None, None, None]

    @pytest.mark.long
    def test_count_accepts_a_tie_outside_a_bracket(self) -> None:
        event = build_timed_round()
        for match in matches_of(event):
            play(match, "A 6 made", "B 6 made")
        count_unfinished(event_id=event.pk, number=1)
        assert all(over and winner is None for over, winner, _ in list_results(event))

    @pytest.mark.slow
    def test_count_cannot_be_undone_after_a_table_change(self) -> None:
        event = build_timed_round()
        match = matches_of(event)[0]
        mark(match, "A 6 7")
        count_unfinished(event_id=event.pk, number=1)
        mark(match, "B 6 7", replaced=match.marks.get(number=2))
        line = event.actions.get(kind="count_unfinished")
        assert get_refusal_code(undo_action, event_id=event.pk, action_id=line.pk) == "changed_since"

    @pytest.mark.long
    def test_director_count_cannot_be_undone_at_the_table(self) -> None:
        hall = Hall(4)
        mark(hall.match, "A 6 7")
        count_unfinished(event_id=hall.event.pk, number=1, by=Actor(account=hall.owner))
        ended = hall.match.marks.get(number=2)
        assert get_refusal_code(mark, hall.match, "undone", replaced=ended) == "director_only"

    @pytest.mark.slow
    def test_closed_round_cannot_be_counted(self) -> None:
        event = build_timed_round(4)
        for match in matches_of(event):
            win(match)
        close_round(event_id=event.pk, number=1)
        assert get_refusal_code(count_unfinished, event_id=event.pk, number=1) == "step_not_allowed"


@pytest.mark.slow
@pytest.mark.snapshot
class TestDesk:
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
        return hall.desk.send(page, page.find_form("/count"))

    def test_desk_previews_counts_and_undoes_unfinished_games(self, hall: Hall) -> None:
        assert "unfinished" not in hall.desk.open(f"/e/{hall.event.short}/desk").text
        call_last_hand(event_id=hall.event.pk, number=1)
        play(matches_of(hall.event)[0], "A 5 made")
        desk = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Last hand: tables 2, 3 and 4 still play." in desk.text
        assert "Time’s up: count 3 unfinished games" in desk.text
        confirmation = self.count(hall)
        (listed,) = confirmation.find_all("ul", id="unfinished")
        list_text = re.sub(r"\s+", " ", listed.text)
        assert all(part in list_text for part in ("37–6 games 1–0", "0–5 games 0–0", "6–0 games 0–0")), list_text
        assert "Not counted: table 4." in confirmation.text
        done = hall.desk.send(confirmation, confirmation.find_form())
        assert "time called, unfinished games counted: 3" in done.text
        assert sum(match.is_over for match in matches_of(hall.event)) == 3
        undo = hall.desk.send(done, done.find_form("/undo"))
        hall.desk.send(undo, undo.find_form(control_name="confirmed"))
        assert not any(match.is_over for match in matches_of(hall.event))


def test_late_hand_from_an_offline_phone_becomes_a_rival() -> None:
    event = build_timed_round()
    match = matches_of(event)[0]
    mark(match, "A 6 7")
    count_unfinished(event_id=event.pk, number=1)
    mark(match, "B 6 7", number=2)
    assert reload_match(match).has_rivals
    assert Match.objects.filter(has_rivals=True).count() == 1
