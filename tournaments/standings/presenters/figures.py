"""Figures in the columns of the standings."""

from collections.abc import Collection, Iterable, Sequence

from engine.ranking import COLUMNS, NO_PLACE, PER_MATCH_METRICS, STILL_PLAYING_PLACE
from engine.standings import StandingsRowJson

Figures = tuple[tuple[str, int | None], ...]
"""Values by metric, in the order of the columns."""

BRACKET, PLAY_OFF = "bracket", "play_off"


def has_places(rows: Iterable[StandingsRowJson], key: str) -> bool:
    """Check whether any entry has reached a bracket or a play-off; before that, its column would be empty."""
    return any(row.get(key, NO_PLACE) != NO_PLACE for row in rows)


def list_figures(row: StandingsRowJson, columns: Sequence[str], *, left_numbers: Collection[int]) -> Figures:
    """Return the values of a row in these columns. An entry still playing in the bracket has no place there yet, and
    none at all if it has left (``left_numbers``)."""
    figures: dict[str, int | None] = {key: row.get(key) for key in columns}
    if row.get("plays_on"):
        place = NO_PLACE if row["entry"] in left_numbers else STILL_PLAYING_PLACE
        figures |= {key: place for key in (BRACKET, PLAY_OFF) if key in figures}
    return tuple(figures.items())


def list_column_metrics(order: Iterable[str]) -> tuple[str, ...]:
    """Convert the ranking metrics to columns: totals replace metrics that are compared match by match."""
    return tuple(dict.fromkeys(_TOTALS.get(key, key) for key in order))


_TOTALS = {PER_MATCH_METRICS[key]: key for key in COLUMNS if key in PER_MATCH_METRICS}
