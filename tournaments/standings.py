"""The rows of an event's standings, as they are kept and exported."""

from collections.abc import Mapping
from typing import Any

from .draws import EntryId
from .ranking import Row


def plain_row(row: Row, numbers: Mapping[EntryId, int]) -> dict[str, Any]:
    """A row as plain data, its entry by number::

    {"rank": 1, "entry": 12, "match_wins": 5, "games_won": 10, "points_for": 210, "points_against": 85,
     "difference": 125, "decided_by": null}
    """
    return {
        "rank": row.rank,
        "entry": numbers[row.entry],
        **row.values,
        "decided_by": row.decided_by,
    }
