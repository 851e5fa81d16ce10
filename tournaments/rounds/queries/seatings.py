"""Seats of a round, whether it is a draft or published."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import Q

from engine.draws import DrawnBye, DrawnTable, EntryId
from engine.draws.history import History
from engine.draws.lineups import Lineup, lineup_from_json, reasons_from_json, swap_places
from engine.draws.stages import get_slot_stage, is_bracket_slot
from errors import Refusal
from rules import Side
from tournaments.models import Event, Round, Table


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


def swap_seats(event: Event, lineup: Lineup, one: EntryId, other: EntryId, history: History) -> Lineup:
    """Return the line-up with these two entries swapped.

    Refuses: bracket_of_others, as a bracket goes on with its own entries; what ``swap_places`` refuses.
    """
    slots = {place.slot for entry in (one, other) if (place := lineup.find_place(entry)) is not None}
    if len(set(map(get_slot_stage, slots))) > 1 and any(is_bracket_slot(event.plan, slot) for slot in slots):
        raise Refusal("bracket_of_others", field="other")
    return swap_places(lineup, one, other, history)
