"""Presenters of wall screens."""

from .board import WHOLE_SCREEN, BoardShare, BoardView, build_board_view, get_board_revision
from .layout import LAYOUTS, BoardLayout, BoardPage
from .rows import BoardRow

__all__ = [
    "LAYOUTS",
    "WHOLE_SCREEN",
    "BoardLayout",
    "BoardPage",
    "BoardRow",
    "BoardShare",
    "BoardView",
    "build_board_view",
    "get_board_revision",
]
