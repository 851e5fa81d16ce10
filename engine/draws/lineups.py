"""The line-up of a round as a value: drawn, changed by hand, compared, and restored.

A change is kept as the *difference* of two line-ups: for every table and bye that differs, its state before
and after. So it can be shown, stored and undone, however large the round.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from engine.draws.schedules.foursomes import repeats_at
from errors import Refusal

from .history import History
from .values import Draw, DrawnBye, DrawnTable, EntryId, LockedTable, Partners, Reason, ReasonCode

PlainReason = dict[str, Any]
"""The ``code`` of a reason, and its details by their names."""

Difference = dict[str, dict[str, list[Any]]]
"""A difference as plain data: ``{"tables": {"3": [before, after]}, "byes": {"17": [before, after]}}``, or
null for none."""


class PlainTable(TypedDict):
    number: int
    a: list[EntryId]
    b: list[EntryId]
    slot: str
    reasons: list[PlainReason]


class PlainBye(TypedDict):
    entry: EntryId
    slot: str
    reasons: list[PlainReason]


class PlainLineup(TypedDict):
    """A line-up as JSON."""

    tables: list[PlainTable]
    byes: list[PlainBye]


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

    def table(self, number: int) -> DrawnTable:
        """Return the table of this number. Refuses: no_such_table_now."""
        found = next((table for table in self.tables if table.number == number), None)
        if found is None:
            raise Refusal("no_such_table_now", field="table", table=number)
        return found

    def place_of(self, entry: EntryId) -> DrawnTable | DrawnBye | None:
        """Return the table or the bye of this entry; None if it has neither."""
        for table in self.tables:
            if entry in (*table.a, *table.b):
                return table
        return next((bye for bye in self.byes if bye.entry == entry), None)

    def neighbours(self, *entries: EntryId) -> frozenset[EntryId]:
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
            LockedTable(number=table.number, a=table.a, b=table.b)
            for table in self.tables
            if table.number in wanted
        )


def lineup_of(drawn: Draw) -> Lineup:
    return Lineup(tables=tuple(sorted(drawn.tables, key=_number)), byes=drawn.byes)


def swap_places(lineup: Lineup, one: EntryId, other: EntryId, history: History) -> Lineup:
    """Swap the places of two entries, at tables or with a bye; an entry without a place takes the other's.

    Refuses: not_in_the_round (neither is), same_place (both on one side, or both with a bye).
    """
    if lineup.place_of(one) is None and lineup.place_of(other) is None:
        raise Refusal("not_in_the_round", field="other", entry=other)
    traded = {one: other, other: one}
    tables = tuple(_trade_entries(table, traded, history) for table in lineup.tables)
    byes = tuple(
        DrawnBye(entry=traded[bye.entry], slot=bye.slot, reasons=_BY_HAND) if bye.entry in traded else bye
        for bye in lineup.byes
    )
    after = Lineup(tables=tables, byes=byes)
    if _sides_by_table(after) == _sides_by_table(lineup):
        raise Refusal("same_place", field="other")
    return after


def with_table(lineup: Lineup, number: int, a: Partners, b: Partners, history: History) -> Lineup:
    """Add a table of entries that had a bye or no place.

    Refuses: table_taken, already_at_a_table.
    """
    if any(table.number == number for table in lineup.tables):
        raise Refusal("table_taken", field="table", table=number)
    for entry in (*a, *b):
        if isinstance(lineup.place_of(entry), DrawnTable):
            raise Refusal("already_at_a_table", field="other", entry=entry)
    reasons = (*_BY_HAND, *repeats_at((a, b), history))
    slot = next((bye.slot.partition(":")[0] for bye in lineup.byes if bye.entry in (*a, *b)), "")
    table = DrawnTable(number=number, a=a, b=b, slot=slot and f"{slot}:", reasons=reasons)
    return Lineup(
        tables=tuple(sorted((*lineup.tables, table), key=_number)),
        byes=tuple(bye for bye in lineup.byes if bye.entry not in (*a, *b)),
    )


def lineup_difference(before: Lineup, after: Lineup) -> Difference:
    """Return the tables and byes that differ; empty if none do."""
    found: Difference = {}
    for name, old, new in (
        ("tables", _plain_tables(before), _plain_tables(after)),
        ("byes", _plain_byes(before), _plain_byes(after)),
    ):
        changed = {
            key: [old.get(key), new.get(key)]
            for key in dict.fromkeys((*old, *new))
            if old.get(key) != new.get(key)
        }
        if changed:
            found[name] = changed
    return found


def undo_difference(lineup: Lineup, done: Difference) -> Lineup:
    """Return the line-up before this difference. Refuses: changed_since, if it is not as the difference left
    it."""
    tables, byes = _plain_tables(lineup), _plain_byes(lineup)
    for kept, changed in ((tables, done.get("tables", {})), (byes, done.get("byes", {}))):
        for key, (before, after) in changed.items():
            if kept.get(key) != after:
                raise Refusal("changed_since")
            if before is None:
                del kept[key]
            else:
                kept[key] = before
    return lineup_from_json({"tables": list(tables.values()), "byes": list(byes.values())})


def lineup_to_json(lineup: Lineup) -> PlainLineup:
    """Return the line-up as plain data, for JSON."""
    return {
        "tables": list(_plain_tables(lineup).values()),
        "byes": list(_plain_byes(lineup).values()),
    }


def lineup_from_json(plain: Mapping[str, Any]) -> Lineup:
    """Return the line-up from the output of ``lineup_to_json``."""
    tables = (
        DrawnTable(
            number=table["number"],
            a=tuple(EntryId(entry) for entry in table["a"]),
            b=tuple(EntryId(entry) for entry in table["b"]),
            slot=table["slot"],
            reasons=reasons_from_json(table["reasons"]),
        )
        for table in plain["tables"]
    )
    byes = (
        DrawnBye(entry=EntryId(bye["entry"]), slot=bye["slot"], reasons=reasons_from_json(bye["reasons"]))
        for bye in plain["byes"]
    )
    return Lineup(tables=tuple(sorted(tables, key=_number)), byes=tuple(byes))


def reasons_to_json(reasons: Iterable[Reason]) -> list[PlainReason]:
    return [{"code": reason.code.value} | _lists_for_tuples(reason.details) for reason in reasons]


def renumber_reasons(reasons: Iterable[Mapping[str, Any]], numbers: Mapping[int, int]) -> list[PlainReason]:
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


def reasons_from_json(plain: Iterable[Mapping[str, Any]]) -> tuple[Reason, ...]:
    return tuple(
        Reason(
            code=ReasonCode(reason["code"]),
            details={name: value for name, value in reason.items() if name != "code"},
        )
        for reason in plain
    )


_BY_HAND = (Reason(code=ReasonCode.BY_HAND),)


def _number(table: DrawnTable) -> int:
    return table.number


def _trade_entries(table: DrawnTable, traded: Mapping[EntryId, EntryId], history: History) -> DrawnTable:
    if traded.keys().isdisjoint((*table.a, *table.b)):
        return table
    a, b = (tuple(traded.get(entry, entry) for entry in side) for side in (table.a, table.b))
    return replace(table, a=a, b=b, reasons=(*_BY_HAND, *repeats_at((a, b), history)))


def _sides_by_table(lineup: Lineup) -> dict[int, tuple[frozenset[EntryId], frozenset[EntryId]]]:
    return {table.number: (frozenset(table.a), frozenset(table.b)) for table in lineup.tables}


def _plain_tables(lineup: Lineup) -> dict[str, PlainTable]:
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


def _plain_byes(lineup: Lineup) -> dict[str, PlainBye]:
    return {
        str(bye.entry): {"entry": bye.entry, "slot": bye.slot, "reasons": reasons_to_json(bye.reasons)}
        for bye in lineup.byes
    }


def _lists_for_tuples(details: Mapping[str, Any]) -> dict[str, Any]:
    """Convert tuples to lists as JSON does, so that stored and new data are equal."""
    return {name: _plain(value) for name, value in details.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value
