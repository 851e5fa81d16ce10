"""Reasons of a rank: two rows criterion by criterion, and the rounds that make up a value."""

from collections.abc import Mapping, Sequence

from engine.draws import EntryId

from .field import RankedField
from .metrics import DISQUALIFIED, METRICS, SCOPES_WITHOUT_PARTS
from .values import CriterionComparison, MetricPart, Row


def compare_rows(row: Row, neighbour: Row, order: Sequence[str]) -> tuple[CriterionComparison, ...]:
    """Compare two rows criterion by criterion, in the order of the ranking; between equals none decided."""
    return compare_values(row.values, neighbour.values, order)


def compare_values(
    values: Mapping[str, int | None], neighbour_values: Mapping[str, int | None], order: Sequence[str]
) -> tuple[CriterionComparison, ...]:
    """Compare the stored values of two rows. A metric missing from the rows, as the order has changed since,
    does not decide."""
    deciding_metric = find_deciding_metric(values, neighbour_values, order)
    if deciding_metric == DISQUALIFIED:
        order = (DISQUALIFIED, *order)
    return tuple(
        CriterionComparison(
            metric=key,
            value=values.get(key),
            neighbour_value=neighbour_values.get(key),
            is_deciding=key == deciding_metric,
        )
        for key in order
    )


def find_deciding_metric(
    one: Mapping[str, int | None], other: Mapping[str, int | None], order: Sequence[str]
) -> str | None:
    """Return the first metric on which two rows differ: whether one is disqualified, then those of the
    order."""
    return next((key for key in (DISQUALIFIED, *order) if one.get(key) != other.get(key)), None)


def break_down_metric(field: RankedField, entry: EntryId, key: str) -> tuple[MetricPart, ...]:
    """Return what each round adds to a metric of this entry, first to last, with dropped and cut parts.

    This works for own metrics and opponents'. The parts that count add up to the value, with the director's
    adjustments; or their mean is the value. Head to head is explained by the row's meetings; lots, places in
    a pool, and how far an entry came, have no parts: empty.
    """
    metric, line = METRICS[key], field.lines[entry]
    if metric.scope in SCOPES_WITHOUT_PARTS:
        return ()
    parts = metric.parts(line)
    cut = metric.get_cut_places(line, parts)
    counted = [
        MetricPart(result=result, value=part, is_counted=place not in cut)
        for place, (result, part) in enumerate(zip(line.results, parts, strict=True))
    ]
    dropped = [MetricPart(result=result, value=0, is_counted=False) for result in line.dropped]
    return tuple(sorted(counted + dropped, key=lambda part: part.result.round))
