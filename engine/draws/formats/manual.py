"""The draw made by hand: tables and byes as the director entered them, checked, and priced like a Swiss
draw."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.draws.history import History
from engine.draws.pairing_cost.costs import price_of
from engine.draws.rounds import slots_if, to_be_drawn
from engine.draws.schedules.foursomes import repeats_at
from engine.draws.settings import check_setting_names, choice
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
class _Typed:
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
    typed = _read_settings(draw_input.settings)
    by_hand = tuple(table for table in typed.tables if table not in draw_input.locked)
    _check_numbers((*draw_input.locked, *by_hand))
    _check_entries(draw_input, by_hand, typed.byes)
    seated = {entry for table in by_hand for entry in (*table.a, *table.b)}
    return Draw(
        format="manual",
        round=draw_input.round,
        seed=draw_input.seed,
        settings=draw_input.settings,
        tables=tuple(_tables(draw_input, by_hand)),
        byes=tuple(_byes(draw_input, typed.byes, seated)),
        price=_price(draw_input, by_hand),
    )


def _read_settings(plain: Mapping[str, Any]) -> _Typed:
    check_setting_names(plain, ("tables", "byes", "side"))
    side = choice(plain, "side", (1, 2))
    tables = tuple(_table(table, side=side) for table in _list(plain.get("tables", []), field="tables"))
    return _Typed(tables=tables, byes=_ids(plain.get("byes", []), field="byes"))


def _table(plain: Any, *, side: int) -> LockedTable:
    if not isinstance(plain, Mapping) or set(plain) != {"number", "a", "b"}:
        raise Refusal("not_a_table", field="tables", value=plain)
    number = plain["number"]
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise Refusal("number_too_small", field="tables", value=number, least=1)
    a, b = _ids(plain["a"], field="tables"), _ids(plain["b"], field="tables")
    if len(a) != len(b) or not 1 <= len(a) <= side:
        raise Refusal("side_size", field="tables", table=number, sizes=(len(a), len(b)), most=side)
    return LockedTable(number=number, a=a, b=b)


def _ids(plain: Any, *, field: str) -> Partners:
    entries = _list(plain, field=field)
    for entry in entries:
        if not isinstance(entry, int) or isinstance(entry, bool):
            raise Refusal("no_such_entrant", field=field, entry=entry)
    return tuple(EntryId(entry) for entry in entries)


def _list(plain: Any, *, field: str) -> Sequence[Any]:
    if not isinstance(plain, list | tuple):
        raise Refusal("not_a_list", field=field, value=plain)
    return plain


def _check_numbers(tables: Sequence[LockedTable]) -> None:
    numbers: set[int] = set()
    for table in tables:
        if table.number in numbers:
            raise Refusal("table_drawn_twice", field="tables", table=table.number)
        numbers.add(table.number)


def _check_entries(draw_input: DrawInput, tables: Sequence[LockedTable], byes: Sequence[EntryId]) -> None:
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    named = {*draw_input.at_locked_tables}
    at_tables = [("tables", entry) for table in tables for entry in (*table.a, *table.b)]
    for field, entry in [*at_tables, *(("byes", entry) for entry in byes)]:
        if entry not in entrants:
            raise Refusal("no_such_entrant", field=field, entry=entry)
        if not entrants[entry].is_present(draw_input.round):
            raise Refusal("not_present", field=field, entry=entry)
        if entry in named:
            raise Refusal("drawn_twice", field=field, entry=entry)
        named.add(entry)


def _tables(draw_input: DrawInput, by_hand: Sequence[LockedTable]) -> Iterator[DrawnTable]:
    history = History(draw_input.history)
    for tables, code in (
        (draw_input.locked, ReasonCode.LOCKED),
        (sorted(by_hand, key=lambda table: table.number), ReasonCode.BY_HAND),
    ):
        for table in tables:
            reasons = (Reason(code=code), *repeats_at((table.a, table.b), history))
            yield DrawnTable(number=table.number, a=table.a, b=table.b, reasons=reasons)


def _byes(draw_input: DrawInput, named: Sequence[EntryId], seated: set[EntryId]) -> Iterator[DrawnBye]:
    at_a_table = seated | draw_input.at_locked_tables
    for entrant in draw_input.entrants:
        if not entrant.is_present(draw_input.round) or entrant.id in at_a_table:
            continue
        code = ReasonCode.NOT_NAMED
        if entrant.id in named:
            code = ReasonCode.BY_HAND
        elif draw_input.round in entrant.byes_asked:
            code = ReasonCode.BYE_ASKED
        yield DrawnBye(entry=entrant.id, reasons=(Reason(code=code),))


def _price(draw_input: DrawInput, tables: Sequence[LockedTable]) -> Mapping[str, int]:
    if any(len(side) > 1 for table in tables for side in (table.a, table.b)):
        return {}
    pairs: list[tuple[EntryId, EntryId | None]] = [(table.a[0], table.b[0]) for table in tables]
    seated = {entry for pair in pairs for entry in pair}
    # Entries seated in spite of a requested bye are part of the price of this draw.
    entrants = tuple(
        replace(entrant, byes_asked=frozenset()) if entrant.id in seated else entrant
        for entrant in draw_input.entrants
    )
    field = replace(draw_input, entrants=entrants)
    pairs += [(entrant.id, None) for entrant in to_be_drawn(field) if entrant.id not in seated]
    return price_of(field, SWISS, pairs)


def _check(plain: Mapping[str, Any]) -> None:
    """Check settings before there are entrants: they must name nobody yet."""
    typed = _read_settings(plain)
    _check_numbers(typed.tables)
    _check_entries(DrawInput(round=1, entrants=()), typed.tables, typed.byes)


FORMAT = Format(
    key="manual",
    draw=draw_by_hand,
    slots_ahead=lambda ahead: slots_if(ahead, has_tables=bool(_read_settings(ahead.settings).tables)),
    check=_check,
    leaves_out=True,
)
