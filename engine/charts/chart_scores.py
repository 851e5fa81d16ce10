"""Charts with the score of each match that was played."""

from collections.abc import Mapping
from dataclasses import replace

from engine.draws import EntryId

from .values import BracketChart, ChartMeeting, ChartSide, ChartSlot, CrossTable, CrossTableCell, StageChart

Scores = Mapping[tuple[int, int], Mapping[EntryId, tuple[int, int]]]
"""Scores by round and table, for each entry there: its own, and that of its opponents."""


def scored_stage(chart: StageChart, scores: Scores) -> StageChart:
    """Add the known scores to the bracket and cross tables of a stage."""
    return replace(
        chart,
        bracket=None if chart.bracket is None else _bracket(chart.bracket, scores),
        tables=tuple(_cross_table(table, scores) for table in chart.tables),
    )


def _bracket(chart: BracketChart, scores: Scores) -> BracketChart:
    return BracketChart(
        parts=tuple(
            replace(
                part,
                rounds=tuple(
                    replace(column, slots=tuple(_slot(slot, scores) for slot in column.slots))
                    for column in part.rounds
                ),
            )
            for part in chart.parts
        )
    )


def _slot(slot: ChartSlot, scores: Scores) -> ChartSlot:
    made = scores.get((slot.round, slot.table or 0), {})

    def add_score(side: ChartSide) -> ChartSide:
        if side.entry is None or side.entry not in made:
            return side
        return replace(side, score=made[side.entry][0])

    return replace(slot, sides=(add_score(slot.sides[0]), add_score(slot.sides[1])))


def _cross_table(chart: CrossTable, scores: Scores) -> CrossTable:
    def add_score(entry: EntryId, cell: CrossTableCell) -> CrossTableCell:
        return replace(cell, meetings=tuple(_meeting(entry, meeting, scores) for meeting in cell.meetings))

    return replace(
        chart,
        rows=tuple(
            replace(row, cells=tuple(add_score(row.entry, cell) for cell in row.cells)) for row in chart.rows
        ),
    )


def _meeting(entry: EntryId, meeting: ChartMeeting, scores: Scores) -> ChartMeeting:
    made = scores.get((meeting.round or 0, meeting.table or 0), {})
    return replace(meeting, score=made[entry]) if entry in made else meeting
