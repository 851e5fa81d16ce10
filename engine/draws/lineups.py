"""The line-up of a round as a value: drawn, changed by hand, compared, and restored.

A change is kept as the *difference* of two line-ups: for every table and bye that differs, its state before
and after. So it can be shown, stored and undone, however large the round.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from engine.draws.schedules.foursomes import list_repeat_reasons
from engine.draws.stages import StagePlan, get_slot_stage, is_bracket_slot
from errors import Refusal

from .history import History
from .values import Draw, DrawnBye, DrawnTable, EntryId, LockedTable, Partners, Reason, ReasonCode

ReasonJson = dict[str, Any]
"""The ``code`` of a reason, and its details by their names."""

Difference = dict[str, dict[str, list[Any]]]
"""A difference as plain data: ``{"tables": {"3": [before, after]}, "byes": {"17": [before, after]}}``, or
null for none."""


class TableJson(TypedDict):
    number: int
    a: list[EntryId]
    b: list[EntryId]
    slot: str
    reasons: list[ReasonJson]


class ByeJson(TypedDict):
    entry: EntryId
    slot: str
    reasons: list[ReasonJson]


class LineupJson(TypedDict):
    """A line-up as JSON."""

    tables: list[TableJson]
    byes: list[ByeJson]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineup:
    """The tables of a round by number, and the byes."""

    tables: tuple[DrawnTable, ...] = ()
    byes: tuple[DrawnBye, ...] = ()

    @property
    def entries(self) -> frozenset[EntryId]:
        """All entries in the line-up, at a table or with a bye."""
        seated = {entry for table in self.tables for entry in (*table.a, *table.b)}
        return frozenset(seated.union(bye.entry for bye in self.byes))

    def get_table(self, number: int) -> DrawnTable:
        """Return the table of this number. Refuses: no_such_table_now."""
        found = next((table for table in self.tables if table.number == number), None)
        if found is None:
            raise Refusal("no_such_table_now", field="table", table=number)
        return found

    def find_place(self, entry: EntryId) -> DrawnTable | DrawnBye | None:
        """Return the table or the bye of this entry; None if it has neither."""
        for table in self.tables:
            if entry in (*table.a, *table.b):
                return table
        return next((bye for bye in self.byes if bye.entry == entry), None)

    def list_neighbours(self, *entries: EntryId) -> frozenset[EntryId]:
        """Return these entries, and all entries at their tables."""
        tables = ({*table.a, *table.b} for table in self.tables)
        return frozenset(entries).union(*(seated for seated in tables if not seated.isdisjoint(entries)))

    @property
    def free_number(self) -> int:
        """The lowest number that no table has."""
        taken = {table.number for table in self.tables}
        return next(free for free in range(1, len(taken) + 2) if free not in taken)

    def lock_tables(self, numbers: Iterable[int]) -> tuple[LockedTable, ...]:
        """Return the tables of these numbers as locked tables, for a draw of the others."""
        wanted = set(numbers)
        return tuple(
            LockedTable(number=table.number, a=table.a, b=table.b) for table in self.tables if table.number in wanted
        )


def build_lineup(draw: Draw) -> Lineup:
    return Lineup(tables=tuple(sorted(draw.tables, key=_get_number)), byes=draw.byes)


def swap_places(lineup: Lineup, one: EntryId, other: EntryId, history: History, plan: StagePlan) -> Lineup:
    """Swap the places of two entries, at tables or with a bye; an entry without a place takes the other's.

    Refuses: not_in_the_round (neither is); bracket_of_others (they are in different stages, and a bracket goes on
    with its own entries); same_place (both on one side, or both with the same bye).
    """
    slots = [place.slot for entry in (one, other) if (place := lineup.find_place(entry)) is not None]
    if not slots:
        raise Refusal("not_in_the_round", field="other", entry=other)
    if len(set(map(get_slot_stage, slots))) > 1 and any(is_bracket_slot(plan, slot) for slot in slots):
        raise Refusal("bracket_of_others", field="other")
    swaps = {one: other, other: one}
    tables = tuple(_swap_entries(table, swaps, history) for table in lineup.tables)
    byes = tuple(
        DrawnBye(entry=swaps[bye.entry], slot=bye.slot, reasons=(*_MANUAL_REASONS, *_list_place_reasons(bye)))
        if bye.entry in swaps
        else bye
        for bye in lineup.byes
    )
    new_lineup = Lineup(tables=tables, byes=byes)
    places = ({(bye.entry, bye.slot) for bye in each.byes} for each in (lineup, new_lineup))
    if _index_sides(new_lineup) == _index_sides(lineup) and next(places) == next(places):
        raise Refusal("same_place", field="other")
    return new_lineup


def _list_place_reasons(place: DrawnTable | DrawnBye) -> Iterator[Reason]:
    """Yield the reasons that belong to the place, not to its entry: a wait in a bracket, a board or a
    substitute's bye of a team match."""
    place_codes = (ReasonCode.WAITS, ReasonCode.SUBSTITUTE)
    return (reason for reason in place.reasons if reason.code in place_codes or "board" in reason.details)


def add_table(lineup: Lineup, number: int, a: Partners, b: Partners, history: History) -> Lineup:
    """Add a table of entries that had a bye or no place. It belongs to the stage of the bye, else to the first
    stage of the round.

    Refuses: table_taken, already_at_a_table.
    """
    if any(table.number == number for table in lineup.tables):
        raise Refusal("table_taken", field="table", table=number)
    for entry in (*a, *b):
        if isinstance(lineup.find_place(entry), DrawnTable):
            raise Refusal("already_at_a_table", field="other", entry=entry)
    reasons = (*_MANUAL_REASONS, *list_repeat_reasons((a, b), history))
    own_slots = (bye.slot for bye in lineup.byes if bye.entry in (*a, *b))
    slots = [table.slot for table in lineup.tables] + [bye.slot for bye in lineup.byes]
    slot = next(own_slots, "") or min((each for each in slots if ":" in each), key=get_slot_stage, default="")
    stage, colon, _ = slot.partition(":")
    table = DrawnTable(number=number, a=a, b=b, slot=stage + colon, reasons=reasons)
    return Lineup(
        tables=tuple(sorted((*lineup.tables, table), key=_get_number)),
        byes=tuple(bye for bye in lineup.byes if bye.entry not in (*a, *b)),
    )


def diff_lineups(before: Lineup, after: Lineup) -> Difference:
    """Return the tables and byes that differ; empty if none do."""
    found: Difference = {}
    for name, old, new in (
        ("tables", _tables_to_json(before), _tables_to_json(after)),
        ("byes", _byes_to_json(before), _byes_to_json(after)),
    ):
        changed = {
            key: [old.get(key), new.get(key)] for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)
        }
        if changed:
            found[name] = changed
    return found


def undo_difference(lineup: Lineup, difference: Difference) -> Lineup:
    """Return the line-up before this difference. Refuses: changed_since, if it is not as the difference left
    it."""
    tables, byes = _tables_to_json(lineup), _byes_to_json(lineup)
    for stored, changed in ((tables, difference.get("tables", {})), (byes, difference.get("byes", {}))):
        for key, (before, after) in changed.items():
            if stored.get(key) != after:
                raise Refusal("changed_since")
            if before is None:
                del stored[key]
            else:
                stored[key] = before
    return lineup_from_json({"tables": list(tables.values()), "byes": list(byes.values())})


def lineup_to_json(lineup: Lineup) -> LineupJson:
    """Return the line-up as plain data, for JSON."""
    return {
        "tables": list(_tables_to_json(lineup).values()),
        "byes": list(_byes_to_json(lineup).values()),
    }


def lineup_from_json(data: Mapping[str, Any]) -> Lineup:
    """Return the line-up from the output of ``lineup_to_json``."""
    tables = (
        DrawnTable(
            number=table["number"],
            a=tuple(EntryId(entry) for entry in table["a"]),
            b=tuple(EntryId(entry) for entry in table["b"]),
            slot=table["slot"],
            reasons=reasons_from_json(table["reasons"]),
        )
        for table in data["tables"]
    )
    byes = (
        DrawnBye(entry=EntryId(bye["entry"]), slot=bye["slot"], reasons=reasons_from_json(bye["reasons"]))
        for bye in data["byes"]
    )
    return Lineup(tables=tuple(sorted(tables, key=_get_number)), byes=tuple(byes))


def reasons_to_json(reasons: Iterable[Reason]) -> list[ReasonJson]:
    return [{"code": reason.code.value} | _convert_tuples(reason.details) for reason in reasons]


def renumber_reasons(reasons: Iterable[Mapping[str, Any]], numbers: Mapping[int, int]) -> list[ReasonJson]:
    """Replace the entries in plain reasons, for example ids by numbers; entries without a number become 0."""
    return [
        {
            name: [numbers.get(entry, 0) for entry in value]
            if name == "entries"
            else numbers.get(value, 0)
            if name in ("entry", "opponent")
            else value
            for name, value in reason.items()
        }
        for reason in reasons
    ]


def reasons_from_json(data: Iterable[Mapping[str, Any]]) -> tuple[Reason, ...]:
    return tuple(
        Reason(
            code=ReasonCode(reason["code"]),
            details={name: value for name, value in reason.items() if name != "code"},
        )
        for reason in data
    )


_MANUAL_REASONS = (Reason(code=ReasonCode.BY_HAND),)


def _get_number(table: DrawnTable) -> int:
    return table.number


def _swap_entries(table: DrawnTable, swaps: Mapping[EntryId, EntryId], history: History) -> DrawnTable:
    if swaps.keys().isdisjoint((*table.a, *table.b)):
        return table
    a, b = (tuple(swaps.get(entry, entry) for entry in side) for side in (table.a, table.b))
    reasons = (*_MANUAL_REASONS, *_list_place_reasons(table), *list_repeat_reasons((a, b), history))
    return replace(table, a=a, b=b, reasons=reasons)


def _index_sides(lineup: Lineup) -> dict[int, tuple[frozenset[EntryId], frozenset[EntryId]]]:
    return {table.number: (frozenset(table.a), frozenset(table.b)) for table in lineup.tables}


def _tables_to_json(lineup: Lineup) -> dict[str, TableJson]:
    return {
        str(table.number): {
            "number": table.number,
            "a": list(table.a),
            "b": list(table.b),
            "slot": table.slot,
            "reasons": reasons_to_json(table.reasons),
        }
        for table in lineup.tables
    }


def _byes_to_json(lineup: Lineup) -> dict[str, ByeJson]:
    return {
        str(bye.entry): {"entry": bye.entry, "slot": bye.slot, "reasons": reasons_to_json(bye.reasons)}
        for bye in lineup.byes
    }


def _convert_tuples(details: Mapping[str, Any]) -> dict[str, Any]:
    """Convert tuples to lists as JSON does, so that stored and new data are equal."""
    return {name: _to_json(value) for name, value in details.items()}


def _to_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _to_json(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_to_json(each) for each in value]
    return value
