"""Presenters of wall screens, and the lists that they share with printed papers."""

from .board import WHOLE, BoardShare, BoardView, board_revision, board_view
from .layout import LAYOUTS, BoardLayout, BoardPage
from .ranks import metrics_in_columns, rank_rows
from .rows import BoardRow, RankRow, SeatRow
from .seats import seat_rows

__all__ = [
    "LAYOUTS",
    "WHOLE",
    "BoardLayout",
    "BoardPage",
    "BoardRow",
    "BoardShare",
    "BoardView",
    "RankRow",
    "SeatRow",
    "board_revision",
    "board_view",
    "metrics_in_columns",
    "rank_rows",
    "seat_rows",
]
