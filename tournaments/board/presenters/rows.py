"""What a line of the board says: a table, who sits out, a seat, a rank."""

from dataclasses import dataclass

from clubs.wording import numbered_name
from tournaments.rounds.byes import ByeKind
from tournaments.rounds.presenters.rounds import ByeView, TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """Somebody, and the number of the table, or how they sit out. ``partner`` where another has the same
    name, and the ``number`` of the entry where another has such a partner, too, or there is none."""

    name: str
    table: int | None = None
    bye: ByeKind | None = None
    partner: str = ""
    number: int | None = None

    @property
    def label(self) -> str:
        """``Jean R.``; ``Jean R. / Marcel D.`` where there are two of them, ``Jean R. / Marcel D. (no. 7)``
        where that is not enough."""
        named = f"{self.name} / {self.partner}" if self.partner else self.name
        return named if self.number is None else numbered_name(named, self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """A line of the standings by the entry's name as this reader may see it, and its figures by metric;
    ``left_after`` the round after which it has left, if it has, and whether it ``is_disqualified``."""

    rank: int
    entry: int
    entry_id: int
    names: str
    left_after: int | None = None
    is_disqualified: bool = False
    figures: tuple[tuple[str, int | None], ...]


BoardRow = TableView | ByeView | SeatRow | RankRow


def names_in_row(row: BoardRow) -> str:
    """The names in a row, those of a table apart."""
    return row.label if isinstance(row, SeatRow) else "" if isinstance(row, TableView) else row.names
