"""The draw made by hand: tables and byes as the director entered them, checked, and priced like a Swiss
draw."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.draws.history import History
from engine.draws.pairing_cost.costs import compute_price
from engine.draws.rounds import get_common_slots, list_drawable_entrants
from engine.draws.schedules.foursomes import list_repeat_reasons
from engine.draws.settings import check_setting_names, parse_choice
from engine.draws.values import (
    Draw,
    DrawInput,
    DrawnBye,
    DrawnTable,
    EntryId,
    Format,
    LockedTable,
    Partners,
    Reason,
    ReasonCode,
)
from errors import Refusal

from .swiss import SWISS


@dataclass(frozen=True, slots=True, kw_only=True)
class _ManualLineup:
    """Tables and byes as entered by the director; a table has the fields of a locked one."""

    tables: tuple[LockedTable, ...]
    byes: tuple[EntryId, ...]


def draw_by_hand(draw_input: DrawInput) -> Draw:
    """Return the round as entered, locked tables first; present entries that are not named have a bye.

    Settings: ``tables``, each ``{"number": 1, "a": [ids], "b": [ids]}``; ``byes``, ids; ``side``, 1 or 2: how
    many entries at most sit on one side. Where all sit alone the draw has a price, as a Swiss draw would.

    Refuses: no_such_setting, no_such_choice, not_a_list, not_a_table, number_too_small, table_drawn_twice,
    side_size, no_such_entrant, not_present, drawn_twice.
    """
    manual = _read_settings(draw_input.settings)
    manual_tables = tuple(table for table in manual.tables if table not in draw_input.locked)
    _check_numbers((*draw_input.locked, *manual_tables))
    _check_entries(draw_input, manual_tables, manual.byes)
    seated = {entry for table in manual_tables for entry in (*table.a, *table.b)}
    return Draw(
        format="manual",
        round=draw_input.round,
        seed=draw_input.seed,
        settings=draw_input.settings,
        tables=tuple(_build_tables(draw_input, manual_tables)),
        byes=tuple(_build_byes(draw_input, manual.byes, seated)),
        price=_compute_price(draw_input, manual_tables),
    )


def _read_settings(data: Mapping[str, Any]) -> _ManualLineup:
    check_setting_names(data, ("tables", "byes", "side"))
    side = parse_choice(data, "side", (1, 2))
    tables = tuple(_parse_table(table, side=side) for table in _check_list(data.get("tables", []), field="tables"))
    return _ManualLineup(tables=tables, byes=_parse_ids(data.get("byes", []), field="byes"))


def _parse_table(data: Any, *, side: int) -> LockedTable:
    if not isinstance(data, Mapping) or set(data) != {"number", "a", "b"}:
        raise Refusal("not_a_table", field="tables", value=data)
    number = data["number"]
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise Refusal("number_too_small", field="tables", value=number, least=1)
    a, b = _parse_ids(data["a"], field="tables"), _parse_ids(data["b"], field="tables")
    if len(a) != len(b) or not 1 <= len(a) <= side:
        raise Refusal("side_size", field="tables", table=number, sizes=(len(a), len(b)), most=side)
    return LockedTable(number=number, a=a, b=b)


def _parse_ids(data: Any, *, field: str) -> Partners:
    entries = _check_list(data, field=field)
    for entry in entries:
        if not isinstance(entry, int) or isinstance(entry, bool):
            raise Refusal("no_such_entrant", field=field, entry=entry)
    return tuple(EntryId(entry) for entry in entries)


def _check_list(data: Any, *, field: str) -> Sequence[Any]:
    if not isinstance(data, list | tuple):
        raise Refusal("not_a_list", field=field, value=data)
    return data


def _check_numbers(tables: Sequence[LockedTable]) -> None:
    numbers: set[int] = set()
    for table in tables:
        if table.number in numbers:
            raise Refusal("table_drawn_twice", field="tables", table=table.number)
        numbers.add(table.number)


def _check_entries(draw_input: DrawInput, tables: Sequence[LockedTable], byes: Sequence[EntryId]) -> None:
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    seen = {*draw_input.locked_entries}
    table_entries = [("tables", entry) for table in tables for entry in (*table.a, *table.b)]
    for field, entry in [*table_entries, *(("byes", entry) for entry in byes)]:
        if entry not in entrants:
            raise Refusal("no_such_entrant", field=field, entry=entry)
        if not entrants[entry].is_present(draw_input.round):
            raise Refusal("not_present", field=field, entry=entry)
        if entry in seen:
            raise Refusal("drawn_twice", field=field, entry=entry)
        seen.add(entry)


def _build_tables(draw_input: DrawInput, manual_tables: Sequence[LockedTable]) -> Iterator[DrawnTable]:
    history = History(draw_input.history)
    for tables, code in (
        (draw_input.locked, ReasonCode.LOCKED),
        (sorted(manual_tables, key=lambda table: table.number), ReasonCode.BY_HAND),
    ):
        for table in tables:
            reasons = (Reason(code=code), *list_repeat_reasons((table.a, table.b), history))
            yield DrawnTable(number=table.number, a=table.a, b=table.b, reasons=reasons)


def _build_byes(draw_input: DrawInput, bye_entries: Sequence[EntryId], seated: set[EntryId]) -> Iterator[DrawnBye]:
    seated_entries = seated | draw_input.locked_entries
    for entrant in draw_input.entrants:
        if not entrant.is_present(draw_input.round) or entrant.id in seated_entries:
            continue
        code = ReasonCode.NOT_NAMED
        if entrant.id in bye_entries:
            code = ReasonCode.BY_HAND
        elif draw_input.round in entrant.requested_byes:
            code = ReasonCode.BYE_REQUESTED
        yield DrawnBye(entry=entrant.id, reasons=(Reason(code=code),))


def _compute_price(draw_input: DrawInput, tables: Sequence[LockedTable]) -> Mapping[str, int]:
    if any(len(side) > 1 for table in tables for side in (table.a, table.b)):
        return {}
    pairs: list[tuple[EntryId, EntryId | None]] = [(table.a[0], table.b[0]) for table in tables]
    seated = {entry for pair in pairs for entry in pair}
    # Entries seated in spite of a requested bye are part of the price of this draw.
    entrants = tuple(
        replace(entrant, requested_byes=frozenset()) if entrant.id in seated else entrant
        for entrant in draw_input.entrants
    )
    field = replace(draw_input, entrants=entrants)
    pairs += [(entrant.id, None) for entrant in list_drawable_entrants(field) if entrant.id not in seated]
    return compute_price(field, SWISS, pairs)


def _check_settings(data: Mapping[str, Any]) -> None:
    """Check settings before there are entrants: they must name nobody yet."""
    manual = _read_settings(data)
    _check_numbers(manual.tables)
    _check_entries(DrawInput(round=1, entrants=()), manual.tables, manual.byes)


FORMAT = Format(
    key="manual",
    draw=draw_by_hand,
    next_slots=lambda ahead: get_common_slots(ahead, has_tables=bool(_read_settings(ahead.settings).tables)),
    check=_check_settings,
    can_leave_out=True,
)
