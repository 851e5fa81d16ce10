"""Tables of an event's rounds to export: seats, hands and charts."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from django.db.models import Prefetch

from engine.charts import ChartMeeting, MeetingResult, StageChart
from rules import Misdeal, PassedOutHand, PlayedHand, Record, VoidHand
from scoring.fold import fold_match
from scoring.logs import ACTIVE_STATUSES, read_log
from scoring.models import Mark
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import EntryFormatter
from tournaments.models import Entry, Event
from tournaments.models import Table as PlayedTable
from tournaments.rounds.presenters.rounds import RoundView, TableSide
from web.sheets.tables import Sheet, SheetColumn, number_column, text_column

from .file_names import format_round, get_event_name_parts
from .standings import build_names_column


def build_round_table(event: Event, view: RoundView | None) -> Sheet:
    """Return the tables of a round with their results and match names, then the byes. Byes have no table.
    There are no rows before the first round. Sides also have the numbers and ids of their entries, which
    substitutes do not change. The points of a match decided by a Charlemagne may not tell the winner."""
    entries_per_side = 2 if event.draws_partners else 1
    return Sheet(
        key="round",
        about=get_event_name_parts(event, "" if view is None else format_round(view.number)),
        columns=(
            number_column("round"),
            text_column("match", formatter="place"),
            number_column("table"),
            *_iter_side_columns("a", entries_per_side),
            *_iter_side_columns("b", entries_per_side),
            number_column("points_a"),
            number_column("points_b"),
            number_column("games_a"),
            number_column("games_b"),
            text_column("winner", formatter="side"),
            text_column("ruling", formatter="ruling"),
            text_column("decided_by", formatter="contract"),
        ),
        rows=[]
        if view is None
        else _build_table_rows(view, entries_per_side) + _build_bye_rows(view, entries_per_side),
    )


def _iter_side_columns(side: str, entries_per_side: int) -> Iterator[SheetColumn]:
    for place in range(1, entries_per_side + 1):
        name = side if entries_per_side == 1 else f"{side}_{place}"
        yield number_column(f"entry_{name}", heading_key=f"entry_{side}")
        yield number_column(f"entry_id_{name}", heading_key=f"entry_id_{side}")
    yield text_column(f"side_{side}")


def _build_table_rows(view: RoundView, entries_per_side: int) -> list[list[object]]:
    rows: list[list[object]] = []
    for table in view.tables:
        a, b = table.sides
        winner = next((name for name, side in zip("AB", (a, b), strict=True) if side.has_won), None)
        decided_by = "charlemagne" if table.is_decided_by_charlemagne else None
        figures = [a.points, b.points, a.games_won, b.games_won, winner, table.ruling_kind, decided_by]
        sides = [*_build_side_cells(a, entries_per_side), *_build_side_cells(b, entries_per_side)]
        rows.append([view.number, table.place, table.number, *sides, *figures])
    return rows


def _build_side_cells(side: TableSide, entries_per_side: int) -> list[object]:
    entry_cells = [value for pair in zip(side.entries, side.entry_ids, strict=True) for value in pair]
    return [*entry_cells, *[None] * (2 * entries_per_side - len(entry_cells)), side.names]


def _build_bye_rows(view: RoundView, entries_per_side: int) -> list[list[object]]:
    blank_partner = [None] * (2 * entries_per_side - 2)
    blank_cells = [None] * (2 * entries_per_side + 1 + 7)
    return [
        [view.number, None, None, bye.entry, bye.entry_id, *blank_partner, bye.names, *blank_cells] for bye in view.byes
    ]


def build_public_entries_table(event: Event, make_formatter: Callable[[Iterable[Entry]], EntryFormatter]) -> Sheet:
    """Return the entries that take part, by number, with public names. One query."""
    entries = [entry for entry in get_entries(event) if not entry.is_waiting]
    format_entry = make_formatter(entries)
    has_sections = any(entry.section for entry in entries)
    columns = (
        number_column("entry", "number"),
        number_column("entry_id", "pk"),
        build_names_column(event, format_entry),
        *((text_column("section", lambda entry: entry.section or None),) if has_sections else ()),
    )
    return Sheet.from_lines("entries", entries, columns, about=get_event_name_parts(event))


_Row = list[object]


def build_hands_table(
    event: Event, rounds: Sequence[int], *, table: int | None = None, name_parts: Sequence[str] = ()
) -> Sheet:
    """Return the hands of these rounds, of all tables or of one, in the order of play. ``counted`` is what
    the gaining side gained. Hands on which two phones differ are left out, as they do not count yet. Two
    queries."""
    marks = Mark.objects.filter(status__in=ACTIVE_STATUSES).order_by("pk")
    tables = PlayedTable.objects.filter(round__event=event, round__number__in=rounds, match__isnull=False)
    if table is not None:
        tables = tables.filter(number=table)
    tables = tables.select_related("round", "match").prefetch_related(Prefetch("match__marks", queryset=marks))
    return Sheet(
        key="hands",
        about=get_event_name_parts(event, *name_parts),
        columns=(
            number_column("round"),
            number_column("table"),
            number_column("game"),
            number_column("hand"),
            text_column("side"),
            text_column("contract", formatter="contract"),
            text_column("tricks", formatter="tricks"),
            number_column("counted"),
        ),
        rows=[
            row
            for played_table in tables.order_by("round__number", "number")
            for row in _iter_hand_rows(event, played_table)
        ],
    )


def _iter_hand_rows(event: Event, table: PlayedTable) -> Iterable[_Row]:
    assert table.match is not None
    table.match.terms = event.terms
    log = read_log(table.match.marks.all(), table.match.ruleset)
    for line in fold_match(table.match, log.places).lines:
        record_row = _build_record_row(line.record)
        if record_row is not None and not line.is_surplus:
            yield [table.round.number, table.number, line.game.number, line.number, *record_row, max(line.gained)]


def _build_record_row(record: Record) -> _Row | None:
    """Return side, contract and tricks (made or failed if not counted); None if it is not a deal."""
    if isinstance(record, PlayedHand):
        outcome = "made" if record.made else "failed"
        return [record.side.name, record.contract, outcome if record.tricks is None else record.tricks]
    if isinstance(record, PassedOutHand | Misdeal | VoidHand):
        return [None, record.kind, None]
    return None


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
