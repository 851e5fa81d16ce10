"""The rows of an event's standings, as they are kept and exported."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .draws import EntryId
from .ranking import Row, decisive

PlainRow = dict[str, Any]


def plain_row(row: Row, numbers: Mapping[EntryId, int]) -> PlainRow:
    """A row as plain data, entries by number: the metrics of the order first, then the usual columns::

        {"rank": 1, "entry": 12, "match_wins": 5, "head_to_head": 1, "games_won": 10, "points_for": 210,
         "points_against": 85, "difference": 125, "decided_by": null}

    Where there is something to tell, with the rounds ``dropped``, what the director ``adjusted``, and the
    matches that head to head looked at, from the entry's side::

        {"dropped": [3], "adjusted": {"points_for": -10},
         "met": [{"entry": 7, "round": 2, "outcome": "won", "points": [32, 12]}]}
    """
    told = {
        "dropped": list(row.dropped),
        "adjusted": dict(row.adjusted),
        "met": [
            {
                "entry": numbers[meeting.opponent],
                "round": meeting.result.round,
                "outcome": meeting.result.outcome.value,
                "points": [meeting.result.points_for, meeting.result.points_against],
            }
            for meeting in row.meetings
        ],
    }
    return {
        "rank": row.rank,
        "entry": numbers[row.entry],
        **row.values,
        "decided_by": row.decided_by,
        **{name: value for name, value in told.items() if value},
    }


def within(
    rows: Iterable[PlainRow], section_of: Mapping[int, str], order: Sequence[str]
) -> dict[str, list[PlainRow]]:
    """Kept rows by section (number of the entry to section), each ranked by itself, in the order of all.

    Who is in no section is left out.
    """
    sections: dict[str, list[PlainRow]] = defaultdict(list)
    for row in rows:
        if row["entry"] in section_of:
            sections[section_of[row["entry"]]].append(row)
    return {section: _ranked_again(those, order) for section, those in sections.items()}


def _ranked_again(rows: Sequence[PlainRow], order: Sequence[str]) -> list[PlainRow]:
    found: list[PlainRow] = []
    for row, above in zip(rows, [None, *rows], strict=False):
        if above is None:
            found.append({**row, "rank": 1, "decided_by": None})
        elif above["rank"] == row["rank"]:
            found.append({**row, "rank": found[-1]["rank"], "decided_by": None})
        else:
            found.append({**row, "rank": len(found) + 1, "decided_by": decisive(row, above, order)})
    return found
