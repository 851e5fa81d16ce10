"""Services of an event's wall screens: add, change, set the view, remove."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from tournaments.events.services.lifecycle import MOST_TABLES
from tournaments.history.services.changes import Change
from web.names import checked_title

from .boards import Board, Scene, boards_from_json, boards_to_json

MOST_BOARDS = 20
BOARD_NAME_LENGTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDetails:
    """Name of a wall screen, the tables of its room, and whether it is dark, as in ``Board``."""

    name: str
    first_table: int | None = None
    last_table: int | None = None
    is_dark: bool = False


@transaction.atomic
def add_board(*, event_id: int, details: BoardDetails, by: Actor = NOBODY) -> Board | None:
    """Add a wall screen that rotates its views. Safe to repeat with the same idempotency key: a repeat gives
    the same screen, or a 404 if it was removed.

    Refuses: too_many_boards, and what ``_check_details`` refuses.
    """
    change = Change(event_id, "add_board", by)
    boards = _boards_of(change)
    if change.is_repeat:
        return boards.get(change.event.actions.get(key=by.key).details.get("number", 0))
    if len(boards) >= MOST_BOARDS:
        raise Refusal("too_many_boards", most=MOST_BOARDS)
    added = _check_details(Board(number=max(boards, default=0) + 1), details)
    _keep(change, [*boards.values(), added])
    change.record(name=added.name, number=added.number)
    return added


@transaction.atomic
def change_board(*, event_id: int, number: int, details: BoardDetails, by: Actor = NOBODY) -> None:
    """Change the name, room or look of a wall screen. Safe to repeat.

    Refuses: no_such_board, and what ``_check_details`` refuses.
    """
    change = Change(event_id, "change_board", by)
    _replace(change, _check_details(_find_board(change, number), details))


@transaction.atomic
def show_on_board(*, event_id: int, number: int, scene: Scene, by: Actor = NOBODY) -> None:
    """Set what a wall screen shows. Safe to repeat.

    Refuses: no_such_board.
    """
    change = Change(event_id, "show_on_board", by)
    _replace(change, replace(_find_board(change, number), scene=scene), scene=scene.value)


@transaction.atomic
def remove_board(*, event_id: int, number: int, by: Actor = NOBODY) -> None:
    """Remove a wall screen. Its address stops working. Safe to repeat."""
    change = Change(event_id, "remove_board", by)
    boards = _boards_of(change)
    gone = boards.pop(number, None)
    if gone is not None and not change.is_repeat:
        _keep(change, boards.values())
        change.record(name=gone.name)


def _boards_of(change: Change) -> dict[int, Board]:
    return {board.number: board for board in boards_from_json(change.event.boards)}


def _find_board(change: Change, number: int) -> Board:
    """Find the wall screen. Refuses: no_such_board."""
    board = _boards_of(change).get(number)
    if board is None:
        raise Refusal("no_such_board")
    return board


def _keep(change: Change, boards: Iterable[Board]) -> None:
    change.alter(change.event, boards=boards_to_json(boards))


def _replace(change: Change, board: Board, **told: Any) -> None:
    if change.is_repeat:
        return
    _keep(change, (_boards_of(change) | {board.number: board}).values())
    if change.rows:
        change.record(name=board.name, **told)


def _check_details(board: Board, details: BoardDetails) -> Board:
    """Check the details and apply them. Refuses: board_name_required, name_too_long, number_too_small,
    number_too_large, board_tables."""
    name = checked_title(details.name, field="name")
    if not name:
        raise Refusal("board_name_required", field="name")
    if len(name) > BOARD_NAME_LENGTH:
        raise Refusal("name_too_long", field="name", most=BOARD_NAME_LENGTH)
    for field, table in (("first_table", details.first_table), ("last_table", details.last_table)):
        if table is not None and table < 1:
            raise Refusal("number_too_small", field=field, value=table, least=1)
        if table is not None and table > MOST_TABLES:
            raise Refusal("number_too_large", field=field, value=table, most=MOST_TABLES)
    changed = replace(
        board,
        name=name,
        first_table=details.first_table,
        last_table=details.last_table,
        is_dark=details.is_dark,
    )
    if changed.first_table is not None and not changed.has_table(changed.first_table):
        raise Refusal("board_tables", field="last_table")
    return changed
