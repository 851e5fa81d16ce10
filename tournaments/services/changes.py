"""What is done to an event: one change, written whole, kept in its history, and undone whole.

A change records every row that it writes, before and after, and for a round who sat where. Undoing it writes
all of that back, if everything is still as it left it, and if what came later does not rest on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db import IntegrityError, models, transaction

from clubs.models import Account
from jobs.services import enqueue
from live.revisions import raise_revision
from rules import Refusal
from tournaments import selectors
from tournaments.draws.lineups import Difference, Lineup, difference, put_back
from tournaments.models import Action, Adjustment, Entry, Event, Round, Table

from .lineups import bring_in_line, reseat_entry, write_lineup
from .locking import locked_event

ROWS: dict[str, type[models.Model]] = {
    "event": Event,
    "entry": Entry,
    "round": Round,
    "adjustment": Adjustment,
}
"""What a change writes row by row; who sits where, and the director's results, come beside it."""

NOT_RECORDED = {"round": {"draft"}, "event": {"created_at"}}
"""``draft`` is recorded as a line-up."""

PLAYERS = {"player_1_id", "player_2_id"}

AFTER = 3  # in a recorded row: its kind, its key, before, after

PARKED = 20_000
"""Added to starting numbers while several change at once: no two entries may have one number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class By:
    """Who does it and why, and the client's id of the request, by which a repeat is known."""

    account: Account | None = None
    key: UUID | None = None
    reason: str = ""


NOBODY = By()


class Change:
    """One change of an event: the event is locked until the transaction ends.

    ``is_repeat``: the client has asked for this before, and it was done.
    """

    def __init__(self, event_id: int, kind: str, by: By = NOBODY) -> None:
        """Refuses: no_such_event."""
        self.event = locked_event(event_id)
        self.kind = kind
        self.by = by
        self.is_repeat = by.key is not None and Action.objects.filter(key=by.key).exists()
        self._rows: list[list[Any]] = []
        self._lineups: dict[int, Difference] = {}
        self._rulings: list[list[Any]] = []

    def add(self, row: models.Model) -> None:
        """A new row."""
        row.save(force_insert=True)
        self._rows.append([_name(row), row.pk, None, _plain(row)])

    def add_all(self, rows: Iterable[models.Model]) -> None:
        """New rows of one kind, in one query."""
        added = list(rows)
        if added:
            type(added[0])._default_manager.bulk_create(added)
            self._rows += [[_name(row), row.pk, None, _plain(row)] for row in added]

    def alter(self, row: models.Model, **values: object) -> None:
        """Other values in a row, if they are others."""
        before = _plain(row, values)
        for name, value in values.items():
            setattr(row, name, value)
        after = _plain(row, values)
        changed = [name for name in after if before[name] != after[name]]
        if changed:
            row.save(update_fields=changed)
            self._rows.append(
                [_name(row), row.pk, *({name: each[name] for name in changed} for each in (before, after))]
            )
            if isinstance(row, Entry) and PLAYERS & set(changed):
                reseat_entry(row)

    def renumber(self, entries: Iterable[Entry], numbers: Iterable[int]) -> None:
        """Other places in the starting list, for several entries at once."""
        moved = [
            (entry, number) for entry, number in zip(entries, numbers, strict=True) if entry.number != number
        ]
        for entry, number in moved:
            self._rows.append(["entry", entry.pk, {"number": entry.number}, {"number": number}])
        _renumber({entry.pk: number for entry, number in moved})
        for entry, number in moved:
            entry.number = number

    def remove(self, row: models.Model) -> None:
        """No such row any more; its undo makes it again."""
        self._rows.append([_name(row), row.pk, _plain(row), None])
        row.delete()

    def seat(self, drawn: Round, lineup: Lineup) -> None:
        """Another line-up in a round, be it a draft or published."""
        done = difference(selectors.lineup_of(drawn), lineup)
        if done:
            write_lineup(drawn, lineup, done)
            self._lineups[drawn.number] = done

    def rule(self, table: Table, ruling: dict[str, Any] | None) -> None:
        """The director's result of a table, or none. Tables come and go with their round: known by number."""
        if table.ruling != ruling:
            self._rulings.append([table.round.number, table.number, table.ruling, ruling])
            table.ruling = ruling
            table.save(update_fields=["ruling"])

    def done(self, *, undoes: Action | None = None, **details: Any) -> Action:
        """Brings tables and cards in line, and keeps the line in the history. Call it last.

        Refuses: changed_since, if the client has asked for this before, and it was taken back meanwhile.
        """
        if self.is_repeat:
            raise Refusal("changed_since")
        bring_in_line(self.event)
        enqueue(kind="refresh_standings", key=str(self.event.pk))
        action = Action.objects.create(
            event=self.event,
            kind=self.kind,
            details=details,
            changes={"rows": self._rows, "lineups": self._lineups, "rulings": self._rulings},
            reason=self.by.reason,
            account=self.by.account,
            key=self.by.key,
            undoes=undoes,
        )
        raise_revision(self.event.topic)
        return action

    def take_back(self, action: Action) -> None:
        """Writes back everything that an action wrote.

        Refuses: changed_since, if something is no longer as it left it or is needed by what came later.
        """
        rows = action.changes["rows"][::-1]
        try:
            with transaction.atomic():
                self._take_back_rows([row for row in rows if row[AFTER] is None])
                for number, done in action.changes["lineups"].items():
                    drawn = self.event.rounds.get(number=number)
                    self.seat(drawn, put_back(selectors.lineup_of(drawn), done))
                self._take_back_rows([row for row in rows if row[AFTER] is not None])
                bring_in_line(self.event)
                for number, table, before, after in action.changes["rulings"][::-1]:
                    self._take_back_ruling(number, table, before, after)
        except (IntegrityError, models.ProtectedError, models.ObjectDoesNotExist):
            raise Refusal("changed_since") from None

    def _take_back_rows(self, rows: list[list[Any]]) -> None:
        numbers: dict[int, int] = {}
        for name, pk, before, after in rows:
            found = self.event if name == "event" else ROWS[name]._default_manager.filter(pk=pk).first()
            if (found is None) != (after is None):
                raise Refusal("changed_since")
            if found is None:
                self.add(_row(name, pk, before))
                continue
            if _plain(found, after) != after:
                raise Refusal("changed_since")
            if before is None:
                if isinstance(found, Entry) and found.adjustments.exists():
                    raise Refusal("changed_since")  # they would go with it, and no undo would bring them back
                self.remove(found)
            elif name == "entry" and set(before) == {"number"}:
                numbers[pk] = before["number"]
            else:
                self.alter(found, **_values(name, before))
        entries = Entry.objects.in_bulk(numbers)
        self.renumber(entries.values(), [numbers[pk] for pk in entries])

    def _take_back_ruling(self, number: int, table_number: int, before: Any, after: Any) -> None:
        table = Table.objects.select_related("round").get(
            round__event=self.event, round__number=number, number=table_number
        )
        if table.ruling != after:
            raise Refusal("changed_since")
        self.rule(table, before)


def _name(row: models.Model) -> str:
    return str(row._meta.model_name)


def _plain(row: models.Model, names: Iterable[str] | None = None) -> dict[str, Any]:
    """The values of a row, or those named, as JSON has them."""
    left_out = NOT_RECORDED.get(_name(row), set())
    wanted = None if names is None else set(names)
    return {
        field.attname: _json(field.value_from_object(row))
        for field in row._meta.concrete_fields
        if not field.primary_key
        and field.attname not in left_out
        and (wanted is None or wanted & {field.name, field.attname})
    }


def _json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _values(name: str, plain: dict[str, Any]) -> dict[str, Any]:
    fields = {field.attname: field for field in ROWS[name]._meta.concrete_fields}
    return {
        attname: value if isinstance(fields[attname], models.JSONField) else fields[attname].to_python(value)
        for attname, value in plain.items()
    }


def _row(name: str, pk: int, plain: dict[str, Any]) -> models.Model:
    return ROWS[name](pk=pk, **_values(name, plain))


def _renumber(numbers: dict[int, int]) -> None:
    """In two steps, since the numbers of an event's entries are all different at any moment."""
    entries = Entry.objects.filter(pk__in=numbers)
    entries.update(number=models.F("number") + PARKED)
    moved = list(entries)
    for entry in moved:
        entry.number = numbers[entry.pk]
    Entry.objects.bulk_update(moved, ["number"])
