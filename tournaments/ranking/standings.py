"""Ranks by a chain of metrics: the first that differs decides, and equal on all is an equal rank."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tournaments.draws import EntryId

from .metrics import METRICS, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the standings.

    ``values`` holds every metric, those of the ranking's order first. ``equals`` are all the entries of this
    rank, itself among them. ``decided_by`` is the metric that parts it from the row above: None at the top,
    and between equals.
    """

    entry: EntryId
    rank: int
    values: Mapping[str, int] = field(hash=False)
    equals: tuple[EntryId, ...]
    decided_by: str | None

    @property
    def tied_with(self) -> tuple[EntryId, ...]:
        """The other entries of this rank, by id."""
        return tuple(entry for entry in self.equals if entry != self.entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One criterion of two rows: both values, and whether this is the one that parts them."""

    metric: str
    value: int
    neighbour_value: int
    decided: bool


def rank(
    entries: Iterable[EntryId], results_by_entry: Mapping[EntryId, Sequence[Result]], order: Sequence[str]
) -> tuple[Row, ...]:
    """The standings of these entries, best first, equals by id; ranks count as 1, 2, 2, 4.

    An entry without results counts as zero. Raises ValueError on a key in the order that is no metric.
    """
    if unknown := [key for key in order if key not in METRICS]:
        raise ValueError(f"no such metric: {', '.join(unknown)}")
    shown = dict.fromkeys((*order, *METRICS))
    values = {
        entry: {key: METRICS[key].value(results_by_entry.get(entry, ())) for key in shown}
        for entry in entries
    }

    def merits(entry: EntryId) -> tuple[int, ...]:
        return tuple(METRICS[key].merit(values[entry][key]) for key in order)

    rows: list[Row] = []
    for _, group in groupby(sorted(sorted(values), key=merits, reverse=True), key=merits):
        place, equals = len(rows) + 1, tuple(group)
        for entry in equals:
            decided_by = _decisive(values[entry], rows[-1].values, order) if rows else None
            rows.append(
                Row(entry=entry, rank=place, values=values[entry], equals=equals, decided_by=decided_by)
            )
    return tuple(rows)


def why(row: Row, neighbour: Row, order: Sequence[str]) -> tuple[Comparison, ...]:
    """The two rows criterion by criterion, in the order they were ranked by; between equals none decided."""
    return compare(row.values, neighbour.values, order)


def compare(
    values: Mapping[str, int], neighbour_values: Mapping[str, int], order: Sequence[str]
) -> tuple[Comparison, ...]:
    """The same from the values of two rows, as standings are kept."""
    decisive = _decisive(values, neighbour_values, order)
    return tuple(
        Comparison(
            metric=key,
            value=values[key],
            neighbour_value=neighbour_values[key],
            decided=key == decisive,
        )
        for key in order
    )


def _decisive(one: Mapping[str, int], other: Mapping[str, int], order: Sequence[str]) -> str | None:
    return next((key for key in order if one[key] != other[key]), None)
