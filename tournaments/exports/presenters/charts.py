"""Meetings of entries, stage by stage: a row for each two, which a spreadsheet can turn into a cross
table."""

from collections.abc import Iterable, Iterator, Sequence

from engine.charts import ChartMeeting, MeetingResult, StageChart
from tournaments.models import Event
from web.sheets import Sheet
from web.sheets.tables import number, text_column

from .file_names import about_event

LOST_BY_BOTH = "lost_by_both"


def meetings_table(event: Event, charts: Sequence[StageChart]) -> Sheet:
    """Return every meeting of cross tables, past and future, and every match of brackets. Meetings are from
    the side of the higher entry. Scores are games, or points if one game is a match. In the order of the
    stages."""
    rows = [row for chart in sorted(charts, key=lambda chart: chart.stage) for row in _rows(chart)]
    return Sheet(
        key="met",
        about=about_event(event),
        columns=(
            number("stage", called="stage_of_event"),
            text_column("pool"),
            number("round"),
            number("table"),
            number("entry_id_one", called="entry_id"),
            text_column("one"),
            number("entry_id_other", called="entry_id"),
            text_column("other"),
            text_column("result", said="result"),
            number("score_one"),
            number("score_other"),
        ),
        rows=rows,
    )


def _rows(chart: StageChart) -> Iterator[list[object]]:
    yield from _bracket(chart)
    for table in chart.tables:
        for place, row in enumerate(table.rows):
            for column, cell in enumerate(row.cells[place + 1 :], start=place + 1):
                seen_by_other = table.rows[column].cells[place].meetings
                for meeting, of_other in zip(cell.meetings, seen_by_other, strict=True):
                    yield [
                        chart.stage + 1,
                        table.pool,
                        meeting.round,
                        meeting.table,
                        row.entry,
                        row.name,
                        cell.opponent,
                        cell.name,
                        _result(meeting, of_other),
                        *(meeting.score or (None, None)),
                    ]


def _result(meeting: ChartMeeting, of_other: ChartMeeting) -> str:
    """Return the result of the first side; a double forfeit, which brackets do not have, is lost by both."""
    is_of_both = meeting.result is of_other.result is MeetingResult.LOST
    return LOST_BY_BOTH if is_of_both else meeting.result.value


def _bracket(chart: StageChart) -> Iterable[list[object]]:
    parts = () if chart.bracket is None else chart.bracket.parts
    for part in parts:
        for column in part.rounds:
            for slot in column.slots:
                one, other = slot.sides
                if slot.number is not None and (one.entry is not None or other.entry is not None):
                    sides = (one.entry, one.name, other.entry, other.name)
                    result = "won" if one.has_won else "lost" if other.has_won else "to_play"
                    yield [
                        chart.stage + 1,
                        "",
                        slot.round,
                        slot.table,
                        *sides,
                        result,
                        one.score,
                        other.score,
                    ]
