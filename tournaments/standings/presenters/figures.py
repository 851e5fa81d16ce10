"""The figures that stand in the columns of the standings."""

from collections.abc import Callable, Collection, Iterable, Sequence

from engine.ranking import COLUMNS, METRICS, NO_PLACE, PER_MATCH, PLACES, STILL_IN
from engine.standings import PlainRow

Figures = tuple[tuple[str, int | None], ...]
"""By metric, in the order of the columns."""

BRACKET = "bracket"


def has_bracket_places(rows: Iterable[PlainRow]) -> bool:
    """Whether anybody has come to a bracket: before that, its column would be empty."""
    return any(row.get(BRACKET, NO_PLACE) != NO_PLACE for row in rows)


def figures_shown(columns: Sequence[str], *, left: Collection[int]) -> Callable[[PlainRow], Figures]:
    """What stands in these columns of a row: as counted, but no place in a bracket for who still plays there,
    and none at all for who of them has ``left``, by number."""

    def figure(row: PlainRow, key: str) -> int | None:
        if key == BRACKET and row.get("plays_on"):
            return NO_PLACE if row["entry"] in left else STILL_IN
        return row.get(key)

    return lambda row: tuple((key, figure(row, key)) for key in columns)


def tells_a_result(figures: Figures) -> bool:
    """Whether any of them was won in a match: a place to play for has everybody before the first one."""
    return any(value for key, value in figures if METRICS[key].scope not in PLACES)


def in_columns(order: Iterable[str]) -> tuple[str, ...]:
    """What ranks, as columns show it: what everybody has in all, where it is compared for each match."""
    return tuple(dict.fromkeys(_TOTALS.get(key, key) for key in order))


_TOTALS = {PER_MATCH[key]: key for key in COLUMNS if key in PER_MATCH}
