"""Services of an event's wall screens: add, change, set the view, remove."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from errors import Refusal, get_or_refuse
from tournaments.events.services.lifecycle import MAX_TABLES
from tournaments.history.services.changes import Change
from web.names import validate_title

from .boards import Board, Scene, boards_from_json, boards_to_json

MAX_BOARDS = 20
BOARD_NAME_LENGTH = 40


@transaction.atomic
def add_board(*, event_id: int, details: Board, by: Actor = NOBODY) -> Board | None:
    """Add a wall screen that rotates its views. Safe to repeat with the same idempotency key: a repeat gives
    the same screen, or a 404 if it was removed.

    Refuses: too_many_boards, and what ``_check_details`` refuses.
    """
    change = Change(event_id, "add_board", by)
    boards = _get_boards(change)
    if change.is_repeat:
        return boards.get(change.event.actions.get(key=by.key).details.get("number", 0))
    if len(boards) >= MAX_BOARDS:
        raise Refusal("too_many_boards", most=MAX_BOARDS)
    added = _check_details(Board(number=max(boards, default=0) + 1), details)
    _save_boards(change, [*boards.values(), added])
    change.record(name=added.name, number=added.number)
    return added


@transaction.atomic
def change_board(*, event_id: int, number: int, details: Board, by: Actor = NOBODY) -> None:
    """Change the name, room or look of a wall screen. Safe to repeat.

    Refuses: no_such_board, and what ``_check_details`` refuses.
    """
    change = Change(event_id, "change_board", by)
    _save_board(change, _check_details(_find_board(change, number), details))


@transaction.atomic
def show_on_board(*, event_id: int, number: int, scene: Scene, by: Actor = NOBODY) -> None:
    """Set what a wall screen shows. Safe to repeat.

    Refuses: no_such_board.
    """
    change = Change(event_id, "show_on_board", by)
    _save_board(change, replace(_find_board(change, number), scene=scene), scene=scene.value)


@transaction.atomic
def remove_board(*, event_id: int, number: int, by: Actor = NOBODY) -> None:
    """Remove a wall screen. Its address stops working. Safe to repeat."""
    change = Change(event_id, "remove_board", by)
    boards = _get_boards(change)
    removed = boards.pop(number, None)
    if removed is not None and not change.is_repeat:
        _save_boards(change, boards.values())
        change.record(name=removed.name)


def _get_boards(change: Change) -> dict[int, Board]:
    return {board.number: board for board in boards_from_json(change.event.boards)}


def _find_board(change: Change, number: int) -> Board:
    """Find the wall screen. Refuses: no_such_board."""
    return get_or_refuse(_get_boards(change).get(number), "no_such_board")


def _save_boards(change: Change, boards: Iterable[Board]) -> None:
    change.update(change.event, boards=boards_to_json(boards))


def _save_board(change: Change, board: Board, **details: Any) -> None:
    if change.is_repeat:
        return
    _save_boards(change, (_get_boards(change) | {board.number: board}).values())
    if change.rows:
        change.record(name=board.name, **details)


def _check_details(board: Board, details: Board) -> Board:
    """Check the details; return them with the number and the view of the board.

    Refuses: board_name_required, name_too_long, number_too_small, number_too_large, board_tables.
    """
    name = validate_title(details.name, field="name")
    if not name:
        raise Refusal("board_name_required", field="name")
    if len(name) > BOARD_NAME_LENGTH:
        raise Refusal("name_too_long", field="name", most=BOARD_NAME_LENGTH)
    for field, table in (("first_table", details.first_table), ("last_table", details.last_table)):
        if table is not None and table < 1:
            raise Refusal("number_too_small", field=field, value=table, least=1)
        if table is not None and table > MAX_TABLES:
            raise Refusal("number_too_large", field=field, value=table, most=MAX_TABLES)
    if details.first_table is not None and not details.has_table(details.first_table):
        raise Refusal("board_tables", field="last_table")
    return replace(details, name=name, number=board.number, scene=board.scene)
