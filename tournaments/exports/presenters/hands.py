"""Hands of an event: the bids at its tables, their declarers and results."""

from collections.abc import Iterable, Sequence

from django.db.models import Prefetch

from rules import Misdeal, PassedOutHand, PlayedHand, Record, VoidHand
from scoring.fold import fold_match
from scoring.logs import ACTIVE_STATUSES, read_log
from scoring.models import Mark
from tournaments.models import Event
from tournaments.models import Table as PlayedTable
from web.sheets.tables import Sheet, number_column, text_column

from .file_names import get_event_name_parts

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
