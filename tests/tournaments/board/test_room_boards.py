"""Wall screens for several rooms: added at the desk, each with its own address and chosen content."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from errors import Refusal
from tests.builders import (
    build_played_night,
    build_running_night,
    compute_standings,
    mark,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.board.boards import Board, Scene, boards_from_json, boards_to_json
from tournaments.board.presenters.board import get_board_revision
from tournaments.board.presenters.layout import LAYOUTS, SCALES, build_board_pages
from tournaments.board.services import MAX_BOARDS, add_board, change_board, remove_board, show_on_board
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.services.clock import begin_round

from .test_board import build_table_rows, list_kinds

pytestmark = pytest.mark.django_db
ROOM = Board(name="Large hall", first_table=2, last_table=3)


def list_boards(event: Event) -> list[Board]:
    return list(boards_from_json(Event.objects.get(pk=event.pk).boards))


def build_board(event: Event, scene: Scene = Scene.TABLES, details: Board = ROOM) -> int:
    """Add a wall screen with this scene and return its number."""
    added = add_board(event_id=event.pk, details=details)
    assert added is not None
    show_on_board(event_id=event.pk, number=added.number, scene=scene)
    return added.number


def open_board(event: Event, number: int = 1) -> Page:
    return Browser().open(f"/e/{event.short}/board/{number}")


def list_tables(page: Page) -> list[str]:
    return [tile.text for tile in page.find_all("span", class_="tile")]


class TestRoomBoard:
    def test_room_board_shows_the_tables_of_its_room(self) -> None:
        event = build_running_night(pairs=8)
        build_board(event)
        assert list_tables(open_board(event)) == ["Table 2", "Table 3"]

    @pytest.mark.long
    def test_room_without_a_limit_is_open_ended(self) -> None:
        event = build_running_night(pairs=8)
        for first, last, tables in ((3, None, [3, 4]), (None, 2, [1, 2]), (None, None, [1, 2, 3, 4])):
            number = build_board(event, details=Board(name="Hall", first_table=first, last_table=last))
            assert list_tables(open_board(event, number)) == [f"Table {table}" for table in tables]

    def test_every_room_board_names_the_bye(self) -> None:
        event = build_running_night(pairs=5)
        build_board(event, details=Board(name="Bar", first_table=9))
        assert "Bye" in open_board(event).text

    @pytest.mark.long
    def test_room_board_shows_its_scene_then_the_standings(self) -> None:
        shown = {
            Scene.ROTATING: ["tables", "standings"],
            Scene.BY_NAME: ["names", "standings"],
            Scene.TABLES: ["tables"],
            Scene.NAMES: ["names"],
            Scene.STANDINGS: ["standings"],
            Scene.CLOCK: ["clock"],
        }
        event = build_played_night()
        boards = {scene: build_board(event, scene) for scene in shown}

        def list_kinds_by_scene() -> dict[Scene, list[str]]:
            found = {scene: list_kinds(open_board(event, number)) for scene, number in boards.items()}
            return {scene: [kind.partition("-")[0] for kind in every] for scene, every in found.items()}

        compute_standings(event)
        start_next_round(event)
        assert list_kinds_by_scene() == shown
        play_round(event, 2)
        compute_standings(event)
        assert list_kinds_by_scene() == {scene: ["standings"] for scene in shown} | {Scene.CLOCK: ["clock"]}

    @pytest.mark.long
    def test_dark_board_gets_the_dark_class(self) -> None:
        event = build_running_night()
        number = build_board(event)
        assert "class" not in open_board(event).find_one("main").attrs
        change_board(event_id=event.pk, number=number, details=Board(name="Hall", is_dark=True))
        assert open_board(event).find_one("main").attrs["class"] == "dark"

    def test_unknown_room_board_is_404(self) -> None:
        event = build_running_night()
        number = build_board(event)
        assert open_board(event, number + 1).status == 404
        remove_board(event_id=event.pk, number=number)
        assert open_board(event, number).status == 404

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_new_scene_refreshes_the_room_board(self) -> None:
        event = build_running_night()
        number = build_board(event)
        before = open_board(event).revision
        show_on_board(event_id=event.pk, number=number, scene=Scene.CLOCK)
        assert open_board(event).revision != before


class TestBoardScores:
    @pytest.mark.slow
    def test_scores_appear_at_their_table_during_the_round(self) -> None:
        event = build_running_night()
        build_board(event, details=Board(name="Hall"))
        mark(matches_of(event)[0], "A 6 7")
        assert open_board(event).find_all("b", class_="score") == []
        begin_round(event_id=event.pk, number=1)
        scores = [one.text for one in open_board(event).find_all("b", class_="score")]
        assert len(scores) == 4
        assert {score.partition(" ")[0] for score in scores} != {"0"}

    @pytest.mark.long
    def test_hidden_results_remove_scores_and_winners(self) -> None:
        event = build_running_night()
        build_board(event, details=Board(name="Hall"))
        win(matches_of(event)[0])
        begin_round(event_id=event.pk, number=1)
        Event.objects.filter(pk=event.pk).update(shows_results="nothing")
        page = open_board(event)
        assert page.find_all("b", class_="score") == page.find_all("li", class_="winner") == []

    def test_board_scores_update_every_fifteen_seconds(self) -> None:
        event = build_running_night()
        begin_round(event_id=event.pk, number=1)
        now = datetime.fromisoformat("2026-11-18T00:14:00Z")
        first, same, next_one = (
            get_board_revision(event, now=now + timedelta(seconds=seconds)) for seconds in (0, 14, 15)
        )
        assert first == same != next_one


class TestBoardNameSize:
    def test_few_tables_double_the_name_size(self) -> None:
        assert {page.scale for page in build_board_pages("tables", build_table_rows(4))} == {SCALES[0]}
        assert {page.scale for page in build_board_pages("tables", build_table_rows(10))} == {SCALES[-1]}

    @pytest.mark.parametrize("tables", range(1, 30))
    def test_larger_names_add_no_pages(self, tables: int) -> None:
        rows = build_table_rows(tables)
        assert len(build_board_pages("tables", rows)) == len(LAYOUTS["tables"].fill_pages(rows))


class TestAddBoard:
    @pytest.mark.long
    def test_boards_get_consecutive_unused_numbers(self) -> None:
        event = build_running_night()
        assert [build_board(event) for _ in range(3)] == [1, 2, 3]
        remove_board(event_id=event.pk, number=2)
        assert build_board(event) == 4
        assert [board.number for board in list_boards(event)] == [1, 3, 4]

    @pytest.mark.long
    def test_board_changes_can_be_undone_in_the_history(self) -> None:
        event = build_running_night()
        number = build_board(event, Scene.CLOCK)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert [board.scene for board in list_boards(event)] == [Scene.ROTATING]
        remove_board(event_id=event.pk, number=number)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert [board.name for board in list_boards(event)] == ["Large hall"]

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
    def test_invalid_room_is_refused(self, details: dict[str, Any], code: str, field: str) -> None:
        event = build_running_night()
        with pytest.raises(Refusal) as refused:
            add_board(event_id=event.pk, details=Board(**details))
        assert (refused.value.code, refused.value.field) == (code, field)

    def test_event_has_at_most_twenty_boards(self) -> None:
        event = build_running_night()
        Event.objects.filter(pk=event.pk).update(
            boards=boards_to_json(Board(number=number, name="x") for number in range(1, MAX_BOARDS + 1))
        )
        with pytest.raises(Refusal, match="too_many_boards"):
            add_board(event_id=event.pk, details=ROOM)

    def test_unknown_board_cannot_be_changed(self) -> None:
        event = build_running_night()
        with pytest.raises(Refusal, match="no_such_board"):
            show_on_board(event_id=event.pk, number=1, scene=Scene.CLOCK)


@pytest.mark.slow
class TestBoardsDeskPage:
    def open_boards(self, hall: Hall) -> Page:
        return hall.desk.open(f"/e/{hall.event.short}/desk/boards")

    @pytest.mark.snapshot
    def test_director_adds_changes_and_removes_a_board(self) -> None:
        hall = Hall()
        page = self.open_boards(hall)
        page = hall.desk.send(
            page, page.find_form(control_name="first_table"), name="Bar", first_table="2", last_table=""
        )
        assert "Tables from 2 on" in page.text
        page = hall.desk.send(page, page.find_form(control_name="scene"), ("scene", "clock"))
        (pressed,) = [one.text for one in page.find_all("button") if one.attrs.get("aria-pressed") == "true"]
        assert pressed == "Clock"
        page = hall.desk.open(f"/e/{hall.event.short}/desk/boards/1")
        assert page.find_one("textarea").text.endswith(f"/e/{hall.event.short}/board/1")
        hall.desk.send(page, page.find_form(control_name="is_dark"), name="Above the bar", is_dark="on")
        (board,) = list_boards(hall.event)
        assert board == Board(number=1, name="Above the bar", scene=Scene.CLOCK, first_table=2, is_dark=True)
        page = hall.desk.open(f"/e/{hall.event.short}/desk/boards/1")
        hall.desk.send(page, page.find_form(control_name="remove"), ("remove", "1"))
        assert list_boards(hall.event) == []

    @pytest.mark.slow
    def test_refused_board_form_shows_errors_and_keeps_input(self) -> None:
        hall = Hall()
        page = self.open_boards(hall)
        page = hall.desk.send(
            page, page.find_form(control_name="first_table"), name="Bar", first_table="4", last_table="2"
        )
        assert "Enter the smaller table number first." in page.get_field_error("last_table")
        assert page.find_field("name").value == "Bar"
        page = hall.desk.send(page, page.find_form(control_name="first_table"), name="", first_table="x", last_table="")
        assert "Name the wall screen, for example “Large hall”" in page.get_field_error("name")
        assert page.get_field_error("first_table") != ""

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_boards_page_warns_about_a_hidden_event(self) -> None:
        hall = Hall()
        build_board(hall.event)
        assert "Hidden event:" not in self.open_boards(hall).text
        Event.objects.filter(pk=hall.event.pk).update(is_public=False)
        assert "Hidden event:" in self.open_boards(hall).text
        assert open_board(hall.event).status == 404
