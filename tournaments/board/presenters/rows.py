"""Lines of a wall screen: a table, a bye, a seat or a rank."""

from tournaments.rounds.presenters.rounds import ByeView, TableView
from tournaments.rounds.presenters.seats import SeatRow
from tournaments.standings.presenters.short_list import RankRow

BoardRow = TableView | ByeView | SeatRow | RankRow


def get_row_names(row: BoardRow) -> str:
    """Return the names in a row; "" for a table, which has its own."""
    return row.label if isinstance(row, SeatRow) else "" if isinstance(row, TableView) else row.names
