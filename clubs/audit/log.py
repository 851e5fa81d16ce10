"""Changes that are recorded row by row, before and after, and can be undone as a whole.

A club's history (``clubs.services.changes``) and an event's (``tournaments.history.services.changes``), which
adds the seats, are recorded this way.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from itertools import groupby
from typing import Any, ClassVar, NotRequired, TypedDict
from uuid import UUID

from django.db import models

from clubs.models import Account
from errors import Refusal, get_or_refuse
from versioning import VersionedJSONField, list_recorded_fields

RecordedRow = list[Any]
"""``[kind, key, before, after]`` in JSON; a new row has no ``before``, a deleted one no ``after``."""


AFTER_INDEX = 3  # its index in a recorded row


RowKinds = Mapping[str, type[models.Model]]
"""The kinds of rows that a history records: models by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """The author of a change: account, ``origin``, reason, idempotency key, and the ``permission`` that was
    checked; "" if none was. ``precondition`` refuses a change, once its event or club is locked, if the author
    has seen an older state."""

    account: Account | None = None
    key: UUID | None = None
    reason: str = ""
    origin: str = ""
    permission: str = ""
    precondition: Callable[[], None] | None = None

    def check_precondition(self) -> None:
        """Check the precondition, within the transaction of the change and under its lock."""
        if self.precondition is not None:
            self.precondition()


NOBODY = Actor()


class ActorJson(TypedDict):
    """An actor in JSON, with the keys of the account and of the form."""

    account: int | None
    key: str | None
    reason: str
    origin: str
    permission: NotRequired[str]  # older versions did not write it


def serialize_actor(by: Actor) -> ActorJson:
    """Serialize an actor for later use."""
    return {
        "account": None if by.account is None else by.account.pk,
        "key": None if by.key is None else str(by.key),
        "reason": by.reason,
        "origin": by.origin,
        "permission": by.permission,
    }


def deserialize_actor(data: ActorJson) -> Actor:
    """Restore an actor from ``serialize_actor``; without an account if the account was deleted."""
    return Actor(
        account=None if data["account"] is None else Account.objects.filter(pk=data["account"]).first(),
        key=UUID(data["key"]) if data["key"] else None,
        reason=data["reason"],
        origin=data["origin"],
        permission=data.get("permission", ""),
    )


class RecordedChange:
    """One change: the rows that it writes, and its line in the history ``actions``. ``KINDS`` lists the kinds
    of rows that an undo can restore.

    ``is_repeat``: a change with this idempotency key is already in the history.
    """

    KINDS: ClassVar[RowKinds]

    def __init__(self, actions: Any, kind: str, by: Actor) -> None:
        self.rows: list[RecordedRow] = []
        self.kind = kind
        self.by = by
        self.is_repeat = by.key is not None and actions.model._default_manager.filter(key=by.key).exists()
        if not self.is_repeat:
            by.check_precondition()
        self._actions = actions

    def check_is_first(self) -> None:
        """Check that this is not a repeat of a change that was undone.

        Refuses: changed_since, if the client asked for this before, and it was undone meanwhile.
        """
        if self.is_repeat:
            raise Refusal("changed_since")

    def save(self, *, undoes: Any, details: Mapping[str, Any], **column_values: Any) -> Any:
        """Write the line of the history, with these ``column_values``."""
        return self._actions.create(
            kind=self.kind,
            details=details,
            reason=self.by.reason,
            origin=self.by.origin,
            account=self.by.account,
            key=self.by.key,
            undoes=undoes,
            **column_values,
        )

    @staticmethod
    def build_undo_details(action: Any) -> dict[str, Any]:
        """Return the details of the line that undoes ``action``: those of ``action``, and its kind as ``of``.
        For an undo of an undo, ``put_back`` says that the change is restored."""
        if action.kind != "undo":
            return {"of": action.kind, **action.details}
        return {**action.details, "put_back": action.has_taken_back}

    def get_undo_pair(self, action_id: int) -> tuple[Any, Any]:
        """Return the line with this key, and the line that has undone it, or None. Refuses:
        no_such_action."""
        action = get_or_refuse(self._actions.filter(pk=action_id).first(), "no_such_action")
        return action, self._actions.filter(undoes=action).first()

    def add(self, row: models.Model) -> None:
        """Insert a new row."""
        row.save(force_insert=True)
        self.rows.append([self._get_kind(row), row.pk, None, self.plain(row)])

    def add_all(self, rows: Iterable[models.Model]) -> None:
        """Insert new rows of one kind, in one query."""
        added = list(rows)
        if added:
            type(added[0])._default_manager.bulk_create(added)
            self.record_added(added)

    def record_added(self, rows: Iterable[models.Model]) -> None:
        """Record rows that were inserted elsewhere: undoing the change deletes them."""
        self.rows += [[self._get_kind(row), row.pk, None, self.plain(row)] for row in rows]

    def update(self, row: models.Model, **values: object) -> None:
        """Update a row, if a value differs."""
        changed = self._set(row, values)
        if changed:
            row.save(update_fields=changed)
            self.after_update(row, changed)

    def update_all(self, rows: Iterable[models.Model], **values: object) -> None:
        """Update several rows of one kind with the same values, in one query, without
        ``after_update``."""
        changed = [row for row in rows if self._set(row, values)]
        if changed:
            type(changed[0])._default_manager.filter(pk__in=[row.pk for row in changed]).update(**values)

    def _set(self, row: models.Model, values: Mapping[str, object]) -> list[str]:
        """Set the values on the row, record those that differ, and return their names."""
        before = self.plain(row, values)
        for name, value in values.items():
            setattr(row, name, value)
        after = self.plain(row, values)
        changed = [name for name in after if before[name] != after[name]]
        if changed:
            self.rows.append(
                [self._get_kind(row), row.pk, *({name: each[name] for name in changed} for each in (before, after))]
            )
        return changed

    def after_update(self, row: models.Model, names: Iterable[str]) -> None:
        """Do what follows an update of a row; subclasses override it."""

    def remove(self, row: models.Model) -> None:
        """Delete a row; undoing the change inserts it again."""
        self.rows.append([self._get_kind(row), row.pk, self.plain(row), None])
        row.delete()

    def remove_all(self, rows: Collection[models.Model]) -> None:
        """Delete several rows of one kind, in one query."""
        removed = list(rows)
        if removed:
            self.rows += [[self._get_kind(row), row.pk, self.plain(row), None] for row in removed]
            type(removed[0])._default_manager.filter(pk__in=[row.pk for row in removed]).delete()

    def _get_kind(self, row: models.Model) -> str:
        """Return the row's kind. One that is missing in ``KINDS`` is a bug: an undo could not restore it."""
        kind = str(row._meta.model_name)
        if kind not in self.KINDS:
            raise LookupError(f"{kind} is not in KINDS of {type(self).__name__}")
        return kind

    def undo_rows(self, rows: Iterable[RecordedRow]) -> None:
        """Restore the recorded rows, in the given order.

        Refuses: changed_since, if a row has changed since, or names a deleted row.
        """
        recorded = list(rows)
        for (kind, was_new, was_removed), group in groupby(recorded, key=_get_change_type):
            batch = list(group)
            found = self.get_current_rows(kind, [pk for _, pk, _, _ in batch])
            if any((pk in found) == was_removed for _, pk, _, _ in batch):
                raise Refusal("changed_since")
            if was_removed:
                self.add_all(
                    self.KINDS[kind](pk=pk, **self._deserialize_values(kind, before)) for _, pk, before, _ in batch
                )
                continue
            for _, pk, before, after in batch:
                if self._deserialize_values(kind, self.plain(found[pk], after)) != self._deserialize_values(
                    kind, after
                ):
                    raise Refusal("changed_since")
                if not was_new:
                    self.update(found[pk], **self._deserialize_values(kind, before))
            if was_new:
                self.check_is_deletable(kind, found)
                self.remove_all(found.values())
        self._check_referenced_rows(recorded)

    def _check_referenced_rows(self, rows: Iterable[RecordedRow]) -> None:
        """Check that the rows named by restored rows still exist; a merged person does not."""
        referenced_pks: dict[Any, set[Any]] = {}
        for kind, _, before, _ in rows:
            for field in self.KINDS[kind]._meta.concrete_fields:
                if before and field.is_relation and before.get(field.attname) is not None:
                    referenced_pks.setdefault(field.related_model, set()).add(before[field.attname])
        for model, pks in referenced_pks.items():
            if model._default_manager.filter(pk__in=pks).count() < len(pks):
                raise Refusal("changed_since")

    def get_current_rows(self, kind: str, pks: Iterable[int]) -> dict[int, models.Model]:
        """Return the rows with these keys that exist now."""
        return self.KINDS[kind]._default_manager.in_bulk(list(pks))

    def check_is_deletable(self, kind: str, pks: Collection[int]) -> None:
        """Check that nothing depends on rows that an undo would delete.

        Refuses: changed_since, if something depends on one of them.
        """

    def plain(self, row: models.Model, names: Iterable[str] | None = None) -> dict[str, Any]:
        """Return the values of a row, or the named ones, in JSON."""
        wanted_names = None if names is None else set(names)
        return {
            field.attname: serialize_value(field, row)
            for field in list_recorded_fields(type(row))
            if wanted_names is None or wanted_names & {field.name, field.attname}
        }

    def _deserialize_values(self, kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
        fields = {field.attname: field for field in self.KINDS[kind]._meta.concrete_fields}
        return {attname: deserialize_value(fields[attname], value) for attname, value in data.items()}


def _get_change_type(row: RecordedRow) -> tuple[str, bool, bool]:
    """Return its kind, and whether it was new or deleted: rows that share these are undone together."""
    kind, _, before, after = row
    return kind, before is None, after is None


def serialize_value(field: Any, row: models.Model) -> Any:
    """Return the value of a field in JSON: dates and times in ISO 8601, JSON values with their version."""
    value = field.value_from_object(row)
    if isinstance(field, VersionedJSONField):
        return field.to_stored(value)
    return value.isoformat() if isinstance(value, date | time) else value


def deserialize_value(field: Any, stored_value: Any) -> Any:
    """Restore a value from ``serialize_value``, whichever version of the program wrote it."""
    return (
        get_display_value(field, stored_value) if isinstance(field, models.JSONField) else field.to_python(stored_value)
    )


def get_display_value(field: Any, stored_value: Any) -> Any:
    """Return a recorded value for display: JSON values in the newest form, others as stored."""
    return field.from_stored(stored_value) if isinstance(field, VersionedJSONField) else stored_value
