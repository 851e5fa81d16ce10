"""Boards of several rooms: put up at the desk, each at its own address, showing what a director chose."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from errors import Refusal
from tests.builders import (
    a_played_night,
    a_running_night,
    mark,
    matches_of,
    next_round,
    play_round,
    standings_after,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.board.boards import Board, Scene, boards_from_json, boards_to_json
from tournaments.board.presenters import board_revision
from tournaments.board.presenters.layout import LAYOUTS, SCALES, board_pages
from tournaments.board.services import (
    MOST_BOARDS,
    BoardDetails,
    add_board,
    change_board,
    remove_board,
    show_on_board,
)
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.services.clock import begin_round

from .test_board import kinds, table_rows

pytestmark = pytest.mark.django_db
ROOM = BoardDetails(name="Large hall", first_table=2, last_table=3)


def boards_of(event: Event) -> list[Board]:
    return list(boards_from_json(Event.objects.get(pk=event.pk).boards))


def a_board(event: Event, scene: Scene = Scene.TABLES, details: BoardDetails = ROOM) -> int:
    """Its number."""
    added = add_board(event_id=event.pk, details=details)
    assert added is not None
    show_on_board(event_id=event.pk, number=added.number, scene=scene)
    return added.number


def open_board(event: Event, number: int = 1) -> Page:
    return Browser().open(f"/e/{event.short}/board/{number}")


def tables_on(page: Page) -> list[str]:
    return [tile.text for tile in page.every("span", class_="tile")]


class TestABoard:
    def test_has_the_tables_of_its_room(self) -> None:
        event = a_running_night(pairs=8)
        a_board(event)
        assert tables_on(open_board(event)) == ["Table 2", "Table 3"]

    def test_of_a_room_without_a_limit_has_all_on_that_side(self) -> None:
        event = a_running_night(pairs=8)
        for first, last, tables in ((3, None, [3, 4]), (None, 2, [1, 2]), (None, None, [1, 2, 3, 4])):
            number = a_board(event, details=BoardDetails(name="Hall", first_table=first, last_table=last))
            assert tables_on(open_board(event, number)) == [f"Table {table}" for table in tables]

    def test_of_any_room_names_who_sits_out(self) -> None:
        event = a_running_night(pairs=5)
        a_board(event, details=BoardDetails(name="Bar", first_table=9))
        assert "Bye" in open_board(event).text

    @pytest.mark.slow
    def test_shows_what_was_chosen_and_the_standings_once_there_are_no_seats(self) -> None:
        shown = {
            Scene.TURNING: ["tables", "standings"],
            Scene.BY_NAME: ["names", "standings"],
            Scene.TABLES: ["tables"],
            Scene.NAMES: ["names"],
            Scene.STANDINGS: ["standings"],
            Scene.CLOCK: ["clock"],
        }
        event = a_played_night()
        boards = {scene: a_board(event, scene) for scene in shown}

        def kinds_shown() -> dict[Scene, list[str]]:
            found = {scene: kinds(open_board(event, number)) for scene, number in boards.items()}
            return {scene: [kind.partition("-")[0] for kind in every] for scene, every in found.items()}

        standings_after(event)
        next_round(event)
        assert kinds_shown() == shown
        play_round(event, 2)
        standings_after(event)
        assert kinds_shown() == {scene: ["standings"] for scene in shown} | {Scene.CLOCK: ["clock"]}

    def test_is_dark_where_a_director_has_it_so(self) -> None:
        event = a_running_night()
        number = a_board(event)
        assert "class" not in open_board(event).one("main").attrs
        change_board(event_id=event.pk, number=number, details=BoardDetails(name="Hall", is_dark=True))
        assert open_board(event).one("main").attrs["class"] == "dark"

    def test_that_there_is_not_is_a_404(self) -> None:
        event = a_running_night()
        number = a_board(event)
        assert open_board(event, number + 1).status == 404
        remove_board(event_id=event.pk, number=number)
        assert open_board(event, number).status == 404

    @pytest.mark.snapshot
    def test_is_sent_anew_as_soon_as_it_shows_something_else(self) -> None:
        event = a_running_night()
        number = a_board(event)
        before = open_board(event).revision
        show_on_board(event_id=event.pk, number=number, scene=Scene.CLOCK)
        assert open_board(event).revision != before


class TestScores:
    def test_stand_at_their_table_once_the_round_is_played(self) -> None:
        event = a_running_night()
        a_board(event, details=BoardDetails(name="Hall"))
        mark(matches_of(event)[0], "A 6 7")
        assert open_board(event).every("b", class_="score") == []
        begin_round(event_id=event.pk, number=1)
        scores = [one.text for one in open_board(event).every("b", class_="score")]
        assert len(scores) == 4
        assert {score.partition(" ")[0] for score in scores} != {"0"}

    def test_are_not_there_where_results_are_kept_back(self) -> None:
        event = a_running_night()
        a_board(event, details=BoardDetails(name="Hall"))
        win(matches_of(event)[0])
        begin_round(event_id=event.pk, number=1)
        Event.objects.filter(pk=event.pk).update(shows_results="nothing")
        page = open_board(event)
        assert page.every("b", class_="score") == page.every("li", class_="winner") == []

    def test_wait_for_a_quarter_of_a_minute(self) -> None:
        event = a_running_night()
        begin_round(event_id=event.pk, number=1)
        now = datetime.fromisoformat("2026-11-18T00:14:00Z")
        first, same, next_one = (
            board_revision(event, now=now + timedelta(seconds=seconds)) for seconds in (0, 14, 15)
        )
        assert first == same != next_one


class TestNames:
    def test_are_twice_as_large_where_there_is_room(self) -> None:
        assert {page.scale for page in board_pages("tables", table_rows(4))} == {SCALES[0]}
        assert {page.scale for page in board_pages("tables", table_rows(10))} == {SCALES[-1]}

    @pytest.mark.parametrize("tables", range(1, 30))
    def test_take_no_page_more_for_being_large(self, tables: int) -> None:
        rows = table_rows(tables)
        assert len(board_pages("tables", rows)) == len(LAYOUTS["tables"].fill_pages(rows))


class TestPuttingThemUp:
    def test_gives_each_a_number_of_its_own(self) -> None:
        event = a_running_night()
        assert [a_board(event) for _ in range(3)] == [1, 2, 3]
        remove_board(event_id=event.pk, number=2)
        assert a_board(event) == 4
        assert [board.number for board in boards_of(event)] == [1, 3, 4]

    def test_is_undone_in_the_history(self) -> None:
        event = a_running_night()
        number = a_board(event, Scene.CLOCK)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert [board.scene for board in boards_of(event)] == [Scene.TURNING]
        remove_board(event_id=event.pk, number=number)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert [board.name for board in boards_of(event)] == ["Large hall"]

    @pytest.mark.parametrize(
        ("details", "code", "field"),
        [
            ({"name": " "}, "board_name_required", "name"),
            ({"name": "x" * 41}, "name_too_long", "name"),
            ({"name": "Bar", "first_table": 0}, "number_too_small", "first_table"),
            ({"name": "Bar", "last_table": 1_001}, "number_too_large", "last_table"),
            ({"name": "Bar", "first_table": 5, "last_table": 4}, "board_tables", "last_table"),
        ],
    )
    def test_refuses_what_is_no_room(self, details: dict[str, Any], code: str, field: str) -> None:
        event = a_running_night()
        with pytest.raises(Refusal) as refused:
            add_board(event_id=event.pk, details=BoardDetails(**details))
        assert (refused.value.code, refused.value.field) == (code, field)

    def test_ends_at_twenty(self) -> None:
        event = a_running_night()
        Event.objects.filter(pk=event.pk).update(
            boards=boards_to_json(Board(number=number, name="x") for number in range(1, MOST_BOARDS + 1))
        )
        with pytest.raises(Refusal, match="too_many_boards"):
            add_board(event_id=event.pk, details=ROOM)

    def test_refuses_to_change_what_is_not_there(self) -> None:
        event = a_running_night()
        with pytest.raises(Refusal, match="no_such_board"):
            show_on_board(event_id=event.pk, number=1, scene=Scene.CLOCK)


class TestThePageAtTheDesk:
    def boards(self, hall: Hall) -> Page:
        return hall.desk.open(f"/e/{hall.event.short}/desk/boards")

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_adds_a_board_chooses_what_it_shows_and_takes_it_away(self) -> None:
        hall = Hall()
        page = self.boards(hall)
        page = hall.desk.send(
            page, page.form(having="first_table"), name="Bar", first_table="2", last_table=""
        )
        assert "Tables from 2 on" in page.text
        page = hall.desk.send(page, page.form(having="scene"), ("scene", "clock"))
        (pressed,) = [one.text for one in page.every("button") if one.attrs.get("aria-pressed") == "true"]
        assert pressed == "Clock"
        page = hall.desk.open(f"/e/{hall.event.short}/desk/boards/1")
        assert page.one("textarea").text.endswith(f"/e/{hall.event.short}/board/1")
        hall.desk.send(page, page.form(having="is_dark"), name="Above the bar", is_dark="on")
        (board,) = boards_of(hall.event)
        assert board == Board(number=1, name="Above the bar", scene=Scene.CLOCK, first_table=2, is_dark=True)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/boards/1")
        hall.desk.send(page, page.form(having="remove"), ("remove", "1"))
        assert boards_of(hall.event) == []

    def test_says_what_is_wrong_and_keeps_what_was_typed(self) -> None:
        hall = Hall()
        page = self.boards(hall)
        page = hall.desk.send(
            page, page.form(having="first_table"), name="Bar", first_table="4", last_table="2"
        )
        assert "Enter the smaller table number first." in page.said_at("last_table")
        assert page.field("name").value == "Bar"
        page = hall.desk.send(page, page.form(having="first_table"), name="", first_table="x", last_table="")
        assert "Name the wall screen, for example “Large hall”" in page.said_at("name")
        assert page.said_at("first_table") != ""

    @pytest.mark.snapshot
    def test_tells_where_nobody_sees_the_event(self) -> None:
        hall = Hall()
        a_board(hall.event)
        assert "Hidden event:" not in self.boards(hall).text
        Event.objects.filter(pk=hall.event.pk).update(is_public=False)
        assert "Hidden event:" in self.boards(hall).text
        assert open_board(hall.event).status == 404
