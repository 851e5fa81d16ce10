"""Hands of an event: the bids at its tables, their declarers and results."""

from collections.abc import Iterable, Sequence

from django.db.models import Prefetch

from rules import Misdeal, PassedOut, PlayedHand, Record, VoidHand
from scoring.fold import fold_match
from scoring.logs import STANDING, read_log
from scoring.models import Mark
from tournaments.models import Event
from tournaments.models import Table as PlayedTable
from web.sheets import Sheet
from web.sheets.tables import number, text_column

from .file_names import about_event

_Row = list[object]


def hands_table(
    event: Event, rounds: Sequence[int], *, table: int | None = None, about: Sequence[str] = ()
) -> Sheet:
    """Return the hands of these rounds, of all tables or of one, in the order of play. ``counted`` is what
    the gaining side gained. Hands on which two phones differ are left out, as they do not count yet. Two
    queries."""
    marks = Mark.objects.filter(status__in=STANDING).order_by("pk")
    played = PlayedTable.objects.filter(round__event=event, round__number__in=rounds, match__isnull=False)
    if table is not None:
        played = played.filter(number=table)
    played = played.select_related("round", "match").prefetch_related(
        Prefetch("match__marks", queryset=marks)
    )
    return Sheet(
        key="hands",
        about=about_event(event, *about),
        columns=(
            number("round"),
            number("table"),
            number("game"),
            number("hand"),
            text_column("side"),
            text_column("contract", said="contract"),
            text_column("tricks", said="tricks"),
            number("counted"),
        ),
        rows=[row for one in played.order_by("round__number", "number") for row in _hands(event, one)],
    )


def _hands(event: Event, played: PlayedTable) -> Iterable[_Row]:
    assert played.match is not None
    played.match.terms = event.terms
    log = read_log(played.match.marks.all(), played.match.ruleset)
    for line in fold_match(played.match, log.places).lines:
        told = _row_of_record(line.record)
        if told is not None and not line.is_surplus:
            yield [played.round.number, played.number, line.game.number, line.number, *told, max(line.gained)]


def _row_of_record(record: Record) -> _Row | None:
    """Return side, contract and tricks (made or failed if not counted); None if it is not a deal."""
    if isinstance(record, PlayedHand):
        outcome = "made" if record.made else "failed"
        return [record.side.name, record.contract, outcome if record.tricks is None else record.tricks]
    if isinstance(record, PassedOut | Misdeal | VoidHand):
        return [None, record.kind, None]
    return None
