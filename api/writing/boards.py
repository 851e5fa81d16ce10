"""API: wall screens."""

from typing import Any

from django.http import Http404

from api.commands import command, event_made
from api.fields import body, change, maybe_number, one_of, text, yes_no
from api.operation import Operation, ProgramCall
from api.paths import EVENT
from api.shapes.boards import BoardOut
from clubs.policy import Permission
from errors import Refusal
from tournaments.board import services
from tournaments.board.boards import Board, Scene, boards_from_json
from tournaments.models import Event

DIRECT = Permission.DIRECT
BOARDS = f"{EVENT}/boards"
BOARD = f"{BOARDS}/<int:number>"

BOARD_FIELDS = {
    "name": text(),
    "first_table": maybe_number(1, 9999),
    "last_table": maybe_number(1, 9999),
    "is_dark": yes_no(default=False),
}
BoardIn = body("BoardIn", **BOARD_FIELDS)
BoardChange = change("BoardChange", **BOARD_FIELDS)


def _details(call: ProgramCall) -> dict[str, Any]:
    return {"details": services.BoardDetails(**{name: call.body[name] for name in BOARD_FIELDS})}


def _boards_of(event: Event) -> dict[int, Board]:
    return {board.number: board for board in boards_from_json(event.boards)}


def _board(call: ProgramCall, made: Any) -> Board:
    """Find the board as it is after the change."""
    number = call.path.get("number") or (made and made.number)
    now = _boards_of(event_made(call, call.event))
    if number not in now:
        raise Http404
    return now[number]


def _board_now(call: ProgramCall) -> dict[str, Any]:
    now = _boards_of(call.event).get(call.path["number"])
    if now is None:
        raise Refusal("no_such_board")
    return {name: getattr(now, name) for name in BOARD_FIELDS}


OF_BOARDS: list[Operation] = [
    command(
        BOARDS,
        services.add_board,
        DIRECT,
        takes=BoardIn,
        gives=BoardOut,
        reads=_details,
        answers=_board,
        status=201,
    ),
    command(
        BOARD,
        services.change_board,
        DIRECT,
        method="put",
        takes=BoardChange,
        keeps=_board_now,
        gives=BoardOut,
        reads=_details,
        answers=_board,
    ),
    command(
        f"{BOARD}/show",
        services.show_on_board,
        DIRECT,
        takes=body("ShowIn", scene=one_of(Scene)),
        gives=BoardOut,
        reads=lambda call: {"scene": Scene(call.body["scene"])},
        answers=_board,
    ),
    command(BOARD, services.remove_board, DIRECT, method="delete"),
]
