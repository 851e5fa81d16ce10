"""What is written as one change: each row before and after, kept in a history, and taken back whole.

Two histories are kept so: a club's (``clubs.services.changes``), and an event's
(``tournaments.history.services.changes``), which adds who sat where.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from itertools import groupby
from typing import Any, ClassVar, NotRequired, TypedDict
from uuid import UUID

from django.db import models

from clubs.models import Account
from rules import Refusal
from versioning import VersionedJSONField

RecordedRow = list[Any]
"""``[kind, key, before, after]`` as JSON has it; a new row has no ``before``, one that went no ``after``."""


AFTER = 3  # where a recorded row has it


@dataclass(frozen=True, slots=True, kw_only=True)
class RowKinds:
    """The kinds of rows that a history keeps, and by which of its fields people know a row of each."""

    models: Mapping[str, type[models.Model]]
    named_by: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who does it, from where (``origin``) and why; the client's id of the request, by which a repeat is
    known; and the ``permission`` that it took, "" where nobody checked one."""

    account: Account | None = None
    key: UUID | None = None
    reason: str = ""
    origin: str = ""
    permission: str = ""


NOBODY = Actor()


class PlainActor(TypedDict):
    """An actor as JSON has it: the key of the account, and that of the form."""

    account: int | None
    key: str | None
    reason: str
    origin: str
    permission: NotRequired[str]  # not in what an older version wrote


def actor_to_json(by: Actor) -> PlainActor:
    """As JSON has it, for whoever does it later."""
    return {
        "account": None if by.account is None else by.account.pk,
        "key": None if by.key is None else str(by.key),
        "reason": by.reason,
        "origin": by.origin,
        "permission": by.permission,
    }


def actor_from_json(plain: PlainActor) -> Actor:
    """The inverse of ``actor_to_json``; nobody's account where it is no more."""
    return Actor(
        account=None if plain["account"] is None else Account.objects.filter(pk=plain["account"]).first(),
        key=UUID(plain["key"]) if plain["key"] else None,
        reason=plain["reason"],
        origin=plain["origin"],
        permission=plain.get("permission", ""),
    )


class RecordedChange:
    """What one change writes, and its line in the history ``actions``, which says by ``KINDS`` which rows it
    can put back.

    ``is_repeat``: the client has asked for this before, and it was done.
    """

    KINDS: ClassVar[Mapping[str, type[models.Model]]]
    NAMED_BY: ClassVar[Mapping[str, tuple[str, ...]]]
    NOT_RECORDED: ClassVar[Mapping[str, frozenset[str]]] = {}

    @classmethod
    def row_kinds(cls) -> RowKinds:
        return RowKinds(models=cls.KINDS, named_by=cls.NAMED_BY)

    def __init__(self, actions: Any, kind: str, by: Actor) -> None:
        self.rows: list[RecordedRow] = []
        self.kind = kind
        self.by = by
        self.is_repeat = by.key is not None and actions.model._default_manager.filter(key=by.key).exists()
        self._actions = actions

    def check_is_first(self) -> None:
        """Refuses: changed_since, if the client asked for this before, and it was taken back meanwhile."""
        if self.is_repeat:
            raise Refusal("changed_since")

    def keep(self, *, undoes: Any, details: Mapping[str, Any], **written: Any) -> Any:
        """The line in the history, with what was ``written``."""
        return self._actions.create(
            kind=self.kind,
            details=details,
            reason=self.by.reason,
            origin=self.by.origin,
            account=self.by.account,
            key=self.by.key,
            undoes=undoes,
            **written,
        )

    @staticmethod
    def details_of_undo(action: Any) -> dict[str, Any]:
        """Those of the line that takes ``action`` back: what it told; where that was an undo, that its deed
        is ``put_back``."""
        if action.kind != "undo":
            return {"of": action.kind, **action.details}
        return {**action.details, "put_back": action.has_taken_back}

    def to_undo(self, action_id: int) -> tuple[Any, Any]:
        """The line of this key, and the one that has undone it already, or None. Refuses: no_such_action."""
        action = self._actions.filter(pk=action_id).first()
        if action is None:
            raise Refusal("no_such_action")
        return action, self._actions.filter(undoes=action).first()

    def add(self, row: models.Model) -> None:
        """A new row."""
        row.save(force_insert=True)
        self.rows.append([kind_of(row), row.pk, None, self.plain(row)])

    def add_all(self, rows: Iterable[models.Model]) -> None:
        """New rows of one kind, in one query."""
        added = list(rows)
        if added:
            type(added[0])._default_manager.bulk_create(added)
            self.note_added(added)

    def note_added(self, rows: Iterable[models.Model]) -> None:
        """New rows that are there already: taking the change back removes them."""
        self.rows += [[kind_of(row), row.pk, None, self.plain(row)] for row in rows]

    def alter(self, row: models.Model, **values: object) -> None:
        """Other values in a row, if they are others."""
        changed = self._set(row, values)
        if changed:
            row.save(update_fields=changed)
            self.follow_alteration(row, changed)

    def alter_all(self, rows: Iterable[models.Model], **values: object) -> None:
        """The same values in several rows of one kind, in one query, without ``follow_alteration``."""
        changed = [row for row in rows if self._set(row, values)]
        if changed:
            type(changed[0])._default_manager.filter(pk__in=[row.pk for row in changed]).update(**values)

    def _set(self, row: models.Model, values: Mapping[str, object]) -> list[str]:
        """Notes what changes in a row; the names of it."""
        before = self.plain(row, values)
        for name, value in values.items():
            setattr(row, name, value)
        after = self.plain(row, values)
        changed = [name for name in after if before[name] != after[name]]
        if changed:
            self.rows.append(
                [kind_of(row), row.pk, *({name: each[name] for name in changed} for each in (before, after))]
            )
        return changed

    def follow_alteration(self, row: models.Model, names: Iterable[str]) -> None:
        """What follows when a row has other values; a history may say more."""

    def remove(self, row: models.Model) -> None:
        """No such row any more; taking it back makes it again."""
        self.rows.append([kind_of(row), row.pk, self.plain(row), None])
        row.delete()

    def remove_all(self, rows: Collection[models.Model]) -> None:
        """The same for several rows of one kind, at once."""
        removed = list(rows)
        if removed:
            self.rows += [[kind_of(row), row.pk, self.plain(row), None] for row in removed]
            type(removed[0])._default_manager.filter(pk__in=[row.pk for row in removed]).delete()

    def take_back_rows(self, rows: Iterable[RecordedRow]) -> None:
        """Writes back what was recorded, in the order given.

        Refuses: changed_since, if something is no longer as it was left, or names what is gone.
        """
        recorded = list(rows)
        for (kind, was_new, was_removed), alike in groupby(recorded, key=_sort_of):
            run = list(alike)
            found = self.current_rows(kind, [pk for _, pk, _, _ in run])
            if any((pk in found) == was_removed for _, pk, _, _ in run):
                raise Refusal("changed_since")
            if was_removed:
                self.add_all(
                    self.KINDS[kind](pk=pk, **self._values(kind, before)) for _, pk, before, _ in run
                )
                continue
            for _, pk, before, after in run:
                if self._values(kind, self.plain(found[pk], after)) != self._values(kind, after):
                    raise Refusal("changed_since")
                if not was_new:
                    self.alter(found[pk], **self._values(kind, before))
            if was_new:
                self.check_may_go(kind, found)
                self.remove_all(found.values())
        self._check_named_rows(recorded)

    def _check_named_rows(self, rows: Iterable[RecordedRow]) -> None:
        """That what these rows name again is there: of two people made one, one is not."""
        named: dict[Any, set[Any]] = {}
        for kind, _, before, _ in rows:
            for field in self.KINDS[kind]._meta.concrete_fields:
                if before and field.is_relation and before.get(field.attname) is not None:
                    named.setdefault(field.related_model, set()).add(before[field.attname])
        for model, pks in named.items():
            if model._default_manager.filter(pk__in=pks).count() < len(pks):
                raise Refusal("changed_since")

    def current_rows(self, kind: str, pks: Iterable[int]) -> dict[int, models.Model]:
        """The rows as they are now, those that there are."""
        return self.KINDS[kind]._default_manager.in_bulk(list(pks))

    def check_may_go(self, kind: str, pks: Collection[int]) -> None:
        """Refuses: changed_since, if something rests on one of the rows that taking back would remove."""

    def plain(self, row: models.Model, names: Iterable[str] | None = None) -> dict[str, Any]:
        """The values of a row, or those named, as JSON has them."""
        left_out = self.NOT_RECORDED.get(kind_of(row), frozenset())
        wanted = None if names is None else set(names)
        return {
            field.attname: value_to_json(field, row)
            for field in row._meta.concrete_fields
            if not field.primary_key
            and field.attname not in left_out
            and (wanted is None or wanted & {field.name, field.attname})
        }

    def _values(self, kind: str, plain: Mapping[str, Any]) -> dict[str, Any]:
        fields = {field.attname: field for field in self.KINDS[kind]._meta.concrete_fields}
        return {attname: value_from_json(fields[attname], value) for attname, value in plain.items()}


def _sort_of(row: RecordedRow) -> tuple[str, bool, bool]:
    """Its kind, and whether it was new, or was removed: rows of one sort are taken back together."""
    kind, _, before, after = row
    return kind, before is None, after is None


def kind_of(row: models.Model) -> str:
    return str(row._meta.model_name)


def value_to_json(field: Any, row: models.Model) -> Any:
    """The value of a field as it is kept in JSON: days and moments whole, in ISO 8601, JSON with its
    version."""
    value = field.value_from_object(row)
    if isinstance(field, VersionedJSONField):
        return field.to_stored(value)
    return value.isoformat() if isinstance(value, date | time) else value


def value_from_json(field: Any, plain: Any) -> Any:
    """The inverse of ``value_to_json``, whichever version of the program wrote it."""
    return display_value(field, plain) if isinstance(field, models.JSONField) else field.to_python(plain)


def display_value(field: Any, plain: Any) -> Any:
    """The same for people: JSON in its newest form, everything else as it is kept."""
    return field.from_stored(plain) if isinstance(field, VersionedJSONField) else plain
