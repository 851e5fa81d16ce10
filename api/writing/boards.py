"""API: wall screens."""

from typing import Any

from django.http import Http404

from api.commands import direct_command, pack_fields, read_fields, reload_event
from api.fields import boolean_field, change_body, choice_field, optional_integer_field, request_body, text_field
from api.operation import ApiCall, Operation
from api.paths import EVENT
from api.shapes.boards import BoardOut
from errors import get_or_refuse
from tournaments.board import services
from tournaments.board.boards import Board, Scene, boards_from_json
from tournaments.models import Event

BOARDS = f"{EVENT}/boards"
BOARD = f"{BOARDS}/<int:number>"

BOARD_FIELDS = {
    "name": text_field(),
    "first_table": optional_integer_field(1, 9999),
    "last_table": optional_integer_field(1, 9999),
    "is_dark": boolean_field(default=False),
}
BoardIn = request_body("BoardIn", **BOARD_FIELDS)
BoardChange = change_body("BoardChange", **BOARD_FIELDS)


_read_details = pack_fields("details", Board, BOARD_FIELDS)


def _load_boards(event: Event) -> dict[int, Board]:
    return {board.number: board for board in boards_from_json(event.boards)}


def _get_board(call: ApiCall, result: Any) -> Board:
    """Find the board as it is after the change."""
    number = call.path.get("number") or (result and result.number)
    boards = _load_boards(reload_event(call, call.event))
    if number not in boards:
        raise Http404
    return boards[number]


def _find_board(call: ApiCall) -> Board:
    return get_or_refuse(_load_boards(call.event).get(call.path["number"]), "no_such_board")


BOARD_OPERATIONS: list[Operation] = [
    direct_command(
        BOARDS,
        services.add_board,
        BoardIn,
        response_shape=BoardOut,
        read_body=_read_details,
        build_response=_get_board,
        status=201,
    ),
    direct_command(
        BOARD,
        services.change_board,
        BoardChange,
        method="put",
        read_current=read_fields(_find_board, BOARD_FIELDS),
        response_shape=BoardOut,
        read_body=_read_details,
        build_response=_get_board,
    ),
    direct_command(
        f"{BOARD}/show",
        services.show_on_board,
        request_body("ShowIn", scene=choice_field(Scene)),
        response_shape=BoardOut,
        read_body=lambda call: {"scene": Scene(call.body["scene"])},
        build_response=_get_board,
    ),
    direct_command(BOARD, services.remove_board, method="delete"),
]
