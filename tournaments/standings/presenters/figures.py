"""Figures in the columns of the standings."""

from collections.abc import Callable, Collection, Iterable, Sequence

from engine.ranking import COLUMNS, METRICS, NO_PLACE, PER_MATCH, PLACES, STILL_IN
from engine.standings import PlainRow

Figures = tuple[tuple[str, int | None], ...]
"""Values by metric, in the order of the columns."""

BRACKET = "bracket"


def has_bracket_places(rows: Iterable[PlainRow]) -> bool:
    """Check whether any entry has reached a bracket; before that, its column would be empty."""
    return any(row.get(BRACKET, NO_PLACE) != NO_PLACE for row in rows)


def figures_shown(columns: Sequence[str], *, left: Collection[int]) -> Callable[[PlainRow], Figures]:
    """Return a function that gives the values of a row in these columns. An entry still playing in the
    bracket has no place there yet, and none at all if it has ``left``, by number."""

    def figure(row: PlainRow, key: str) -> int | None:
        if key == BRACKET and row.get("plays_on"):
            return NO_PLACE if row["entry"] in left else STILL_IN
        return row.get(key)

    return lambda row: tuple((key, figure(row, key)) for key in columns)


def tells_a_result(figures: Figures) -> bool:
    """Check whether any value comes from a match. Places to play for exist before the first one."""
    return any(value for key, value in figures if METRICS[key].scope not in PLACES)


def in_columns(order: Iterable[str]) -> tuple[str, ...]:
    """Convert the ranking metrics to columns: totals replace metrics that are compared match by match."""
    return tuple(dict.fromkeys(_TOTALS.get(key, key) for key in order))


_TOTALS = {PER_MATCH[key]: key for key in COLUMNS if key in PER_MATCH}
