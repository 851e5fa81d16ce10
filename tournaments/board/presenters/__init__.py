"""Presenters of wall screens."""

from .board import WHOLE, BoardShare, BoardView, board_revision, board_view
from .layout import LAYOUTS, BoardLayout, BoardPage
from .rows import BoardRow

__all__ = [
    "LAYOUTS",
    "WHOLE",
    "BoardLayout",
    "BoardPage",
    "BoardRow",
    "BoardShare",
    "BoardView",
    "board_revision",
    "board_view",
]
