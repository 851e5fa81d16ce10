"""Charts with the names that a reader may see."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from engine.draws import EntryId

from .values import BracketChart, ChartSide, CrossTable, StageChart

NO_NUMBERS: Mapping[EntryId, int] = {}

_Chart = TypeVar("_Chart", BracketChart, CrossTable)


def add_chart_names(chart: _Chart, names: Mapping[EntryId, str], numbers: Mapping[EntryId, int] = NO_NUMBERS) -> _Chart:
    """Add to a chart the name of every entry, and the number of each entry in ``numbers``. ``names`` must
    have all of them."""
    if isinstance(chart, BracketChart):
        return add_bracket_names(chart, names, numbers)
    return _add_cross_table_names(chart, names, numbers)


def add_stage_names(
    chart: StageChart, names: Mapping[EntryId, str], numbers: Mapping[EntryId, int] = NO_NUMBERS
) -> StageChart:
    """Add the name and number of every entry to the bracket and cross tables of a stage."""
    return replace(
        chart,
        bracket=None if chart.bracket is None else add_chart_names(chart.bracket, names, numbers),
        tables=tuple(add_chart_names(table, names, numbers) for table in chart.tables),
    )


def add_bracket_names(
    chart: BracketChart, names: Mapping[EntryId, str], numbers: Mapping[EntryId, int]
) -> BracketChart:
    def name_side(chart_side: ChartSide) -> ChartSide:
        return (
            chart_side
            if chart_side.entry is None
            else replace(chart_side, name=names[chart_side.entry], number=numbers.get(chart_side.entry))
        )

    return BracketChart(
        parts=tuple(
            replace(
                part,
                rounds=tuple(
                    replace(
                        column,
                        slots=tuple(
                            replace(slot, sides=(name_side(slot.sides[0]), name_side(slot.sides[1])))
                            for slot in column.slots
                        ),
                    )
                    for column in part.rounds
                ),
            )
            for part in chart.parts
        )
    )


def _add_cross_table_names(
    chart: CrossTable, names: Mapping[EntryId, str], numbers: Mapping[EntryId, int]
) -> CrossTable:
    return replace(
        chart,
        rows=tuple(
            replace(
                row,
                name=names[row.entry],
                number=numbers.get(row.entry),
                cells=tuple(replace(cell, name=names[cell.opponent]) for cell in row.cells),
            )
            for row in chart.rows
        ),
    )
