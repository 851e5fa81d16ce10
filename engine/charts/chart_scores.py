"""Charts with the score of each match that was played, and with ranks in pools."""

from collections.abc import Mapping
from dataclasses import replace

from engine.draws import EntryId

from .values import BracketChart, ChartMeeting, ChartSide, ChartSlot, CrossTable, CrossTableCell, StageChart

Scores = Mapping[tuple[int, int], Mapping[EntryId, tuple[int, int]]]
"""Scores by round and table, for each entry there: its own, and that of its opponents."""


def add_scores(chart: StageChart, scores: Scores) -> StageChart:
    """Add the known scores to the bracket and cross tables of a stage."""
    return replace(
        chart,
        bracket=None if chart.bracket is None else _score_bracket(chart.bracket, scores),
        tables=tuple(_score_cross_table(table, scores) for table in chart.tables),
    )


def add_ranks(chart: StageChart, ranks: Mapping[EntryId, int]) -> StageChart:
    """Add the rank of each entry in its pool, as ``rank_pools`` gives them for this stage."""
    tables = (
        replace(table, rows=tuple(replace(row, rank=ranks.get(row.entry)) for row in table.rows))
        for table in chart.tables
    )
    return replace(chart, tables=tuple(tables))


def _score_bracket(chart: BracketChart, scores: Scores) -> BracketChart:
    return BracketChart(
        parts=tuple(
            replace(
                part,
                rounds=tuple(
                    replace(column, slots=tuple(_score_slot(slot, scores) for slot in column.slots))
                    for column in part.rounds
                ),
            )
            for part in chart.parts
        )
    )


def _score_slot(slot: ChartSlot, scores: Scores) -> ChartSlot:
    slot_scores = scores.get((slot.round, slot.table or 0), {})

    def add_score(side: ChartSide) -> ChartSide:
        if side.entry is None or side.entry not in slot_scores:
            return side
        return replace(side, score=slot_scores[side.entry][0])

    return replace(slot, sides=(add_score(slot.sides[0]), add_score(slot.sides[1])))


def _score_cross_table(chart: CrossTable, scores: Scores) -> CrossTable:
    def add_score(entry: EntryId, cell: CrossTableCell) -> CrossTableCell:
        return replace(cell, meetings=tuple(_score_meeting(entry, meeting, scores) for meeting in cell.meetings))

    return replace(
        chart,
        rows=tuple(replace(row, cells=tuple(add_score(row.entry, cell) for cell in row.cells)) for row in chart.rows),
    )


def _score_meeting(entry: EntryId, meeting: ChartMeeting, scores: Scores) -> ChartMeeting:
    table_scores = scores.get((meeting.round or 0, meeting.table or 0), {})
    return replace(meeting, score=table_scores[entry]) if entry in table_scores else meeting
