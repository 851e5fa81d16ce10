"""Seats of a round, whether it is a draft or published."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import Q

from engine.draws import DrawnBye, DrawnTable, EntryId
from engine.draws.lineups import Lineup, lineup_from_json, reasons_from_json
from rules import Side
from tournaments.models import Round, Table


def lineup_of(round_row: Round, *, tables: Collection[int] | None = None) -> Lineup:
    """Return the tables and byes of a round; of a published one, optionally only the ``tables`` of these
    numbers. No query for a draft, one for others."""
    if round_row.draft is not None:
        return lineup_from_json(round_row.draft)
    tables_by_number: dict[int, Table] = {}
    sides: dict[tuple[int, int], list[EntryId]] = defaultdict(list)
    byes = []
    condition = Q() if tables is None else Q(table=None) | Q(table__number__in=tables)
    rows = round_row.seatings.filter(condition).select_related("table")
    for seating in rows.order_by("table__number", "side", "place", "pk"):
        entry = EntryId(seating.entry_id)
        if seating.table is None or seating.side is None:
            byes.append(DrawnBye(entry=entry, slot=seating.slot, reasons=reasons_from_json(seating.reasons)))
        else:
            tables_by_number[seating.table.number] = seating.table
            sides[seating.table.number, seating.side].append(entry)
    drawn_tables = (
        DrawnTable(
            number=number,
            a=tuple(sides[number, Side.A]),
            b=tuple(sides[number, Side.B]),
            slot=table.slot,
            reasons=reasons_from_json(table.reasons),
        )
        for number, table in tables_by_number.items()
    )
    return Lineup(tables=tuple(drawn_tables), byes=tuple(byes))
