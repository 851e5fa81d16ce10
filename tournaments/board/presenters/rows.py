"""Lines of a wall screen: a table, a bye, a seat or a rank."""

from dataclasses import dataclass

from clubs.wording import numbered_name
from tournaments.rounds.byes import ByeKind
from tournaments.rounds.presenters.rounds import ByeView, TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """A person with the number of the table, or the bye. ``partner`` is set if another person has this name,
    and the ``number`` of the entry if that is not enough, or there is no partner."""

    name: str
    table: int | None = None
    bye: ByeKind | None = None
    partner: str = ""
    number: int | None = None

    @property
    def label(self) -> str:
        """Name as shown: ``Jean R.``; ``Jean R. / Marcel D.`` for namesakes, ``Jean R. / Marcel D. (no. 7)``
        if that is not enough."""
        named = f"{self.name} / {self.partner}" if self.partner else self.name
        return named if self.number is None else numbered_name(named, self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """A line of the standings: the entry's name as this reader may see it, and its figures by metric.
    ``left_after`` is the round after which it withdrew or was disqualified (``is_disqualified``), if it
    did."""

    rank: int
    entry: int
    entry_id: int
    names: str
    left_after: int | None = None
    is_disqualified: bool = False
    figures: tuple[tuple[str, int | None], ...]


BoardRow = TableView | ByeView | SeatRow | RankRow


def names_in_row(row: BoardRow) -> str:
    """Return the names in a row; "" for a table, which has its own."""
    return row.label if isinstance(row, SeatRow) else "" if isinstance(row, TableView) else row.names
