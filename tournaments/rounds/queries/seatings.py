"""Seats of a round, whether it is a draft or published."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import Q

from engine.draws import DrawnBye, DrawnTable, EntryId
from engine.draws.lineups import Lineup, lineup_from_json, reasons_from_json
from rules import Side
from tournaments.models import Round


def lineup_of(drawn: Round, *, tables: Collection[int] | None = None) -> Lineup:
    """Return the tables and byes of a round; of a published one, optionally only the ``tables`` of these
    numbers. No query for a draft, two for others."""
    if drawn.draft is not None:
        return lineup_from_json(drawn.draft)
    sides: dict[tuple[int, int], list[EntryId]] = defaultdict(list)
    byes = []
    chosen, seated = Q(), Q()
    if tables is not None:
        chosen, seated = Q(number__in=tables), Q(table=None) | Q(table__number__in=tables)
    for seating in drawn.seatings.filter(seated).order_by("table", "side", "place", "pk"):
        entry = EntryId(seating.entry_id)
        if seating.table_id is None or seating.side is None:
            byes.append(DrawnBye(entry=entry, slot=seating.slot, reasons=reasons_from_json(seating.reasons)))
        else:
            sides[seating.table_id, seating.side].append(entry)
    drawn_tables = (
        DrawnTable(
            number=table.number,
            a=tuple(sides[table.pk, Side.A]),
            b=tuple(sides[table.pk, Side.B]),
            slot=table.slot,
            reasons=reasons_from_json(table.reasons),
        )
        for table in drawn.tables.filter(chosen).order_by("number")
    )
    return Lineup(tables=tuple(drawn_tables), byes=tuple(byes))
