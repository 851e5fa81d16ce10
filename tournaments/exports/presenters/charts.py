"""Meetings of entries, stage by stage: a row for each two, which a spreadsheet can turn into a cross
table."""

from collections.abc import Iterable, Iterator, Sequence

from engine.charts import ChartMeeting, MeetingResult, StageChart
from tournaments.models import Event
from web.sheets.tables import Sheet, number_column, text_column

from .file_names import get_event_name_parts

DOUBLE_LOSS = "lost_by_both"


def build_meetings_table(event: Event, charts: Sequence[StageChart]) -> Sheet:
    """Return every meeting of cross tables, past and future, and every match of brackets. Meetings are from
    the side of the higher entry. Scores are games, or points if one game is a match. In the order of the
    stages."""
    rows = [row for chart in sorted(charts, key=lambda chart: chart.stage) for row in _iter_rows(chart)]
    return Sheet(
        key="met",
        about=get_event_name_parts(event),
        columns=(
            number_column("stage", heading_key="stage_of_event"),
            text_column("pool"),
            number_column("round"),
            number_column("table"),
            number_column("entry_id_one", heading_key="entry_id"),
            text_column("one"),
            number_column("entry_id_other", heading_key="entry_id"),
            text_column("other"),
            text_column("result", formatter="result"),
            number_column("score_one"),
            number_column("score_other"),
        ),
        rows=rows,
    )


def _iter_rows(chart: StageChart) -> Iterator[list[object]]:
    yield from _iter_bracket_rows(chart)
    for table in chart.tables:
        for place, row in enumerate(table.rows):
            for column, cell in enumerate(row.cells[place + 1 :], start=place + 1):
                opposite_meetings = table.rows[column].cells[place].meetings
                for meeting, opposite in zip(cell.meetings, opposite_meetings, strict=True):
                    yield [
                        chart.stage + 1,
                        table.pool,
                        meeting.round,
                        meeting.table,
                        row.entry,
                        row.name,
                        cell.opponent,
                        cell.name,
                        _get_result(meeting, opposite),
                        *(meeting.score or (None, None)),
                    ]


def _get_result(meeting: ChartMeeting, opposite: ChartMeeting) -> str:
    """Return the result of the first side; a double forfeit, which brackets do not have, is lost by both."""
    is_double_loss = meeting.result is opposite.result is MeetingResult.LOST
    return DOUBLE_LOSS if is_double_loss else meeting.result.value


def _iter_bracket_rows(chart: StageChart) -> Iterable[list[object]]:
    parts = () if chart.bracket is None else chart.bracket.parts
    for part in parts:
        for column in part.rounds:
            for slot in column.slots:
                side_a, side_b = slot.sides
                if slot.number is not None and (side_a.entry is not None or side_b.entry is not None):
                    sides = (side_a.entry, side_a.name, side_b.entry, side_b.name)
                    result = "won" if side_a.has_won else "lost" if side_b.has_won else "to_play"
                    yield [
                        chart.stage + 1,
                        "",
                        slot.round,
                        slot.table,
                        *sides,
                        result,
                        side_a.score,
                        side_b.score,
                    ]
