"""Differences that a change made, for readers: one entry per row, with names instead of keys."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.db.models import Field, Model

from .log import RecordedRow, RowKinds, display_value, value_to_json

MOST_ROWS = 100
"""The most rows shown; of a longer change, the page shows how many more there are."""

Names = Mapping[str, Mapping[int, str]]
"""Names of rows by kind, then by key."""


class ChangeKind(Enum):
    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRow:
    """One row of a change. ``before`` and ``after`` hold the values that differ, as stored; for a new or
    deleted row, the values that are not the default. ``known`` holds the values that name the row."""

    kind: str
    became: ChangeKind
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    known: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditDiff:
    """The rows of one change, the number ``left`` out, and the names of the rows that they point to."""

    rows: Sequence[WrittenRow] = ()
    left: int = 0
    names: Names = field(default_factory=dict)


def audit_diff(recorded: Sequence[RecordedRow], kinds: RowKinds, *, names: Names | None = None) -> AuditDiff:
    """Return what a change wrote. As many queries as there are kinds of rows that it wrote or points to;
    ``names`` need no query."""
    once = _each_once(_upgrade_row(row, kinds) for row in recorded)
    told = once[:MOST_ROWS]
    called = _names_of_rows(told, kinds)
    rows = [_row(one, kinds, called) for one in told]
    return AuditDiff(
        rows=tuple(row for row in rows if row.became is not ChangeKind.CHANGED or row.after),
        left=len(once) - len(told),
        names={**_names(told, rows, kinds, known=names or {}), **(names or {})},
    )


def _upgrade_row(recorded: RecordedRow, kinds: RowKinds) -> RecordedRow:
    """Return the row with its values in the newest form."""
    kind, pk, *values = recorded
    return [kind, pk, *(value and _values(kinds.models[kind], value) for value in values)]


def _values(model: type[Model], plain: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Field[Any, Any]] = {each.attname: each for each in model._meta.concrete_fields}
    return {name: display_value(fields[name], value) for name, value in plain.items()}


def _each_once(recorded: Iterable[RecordedRow]) -> list[RecordedRow]:
    """Combine several changes of the same row into one, from its first state to its last."""
    once: dict[tuple[str, int], RecordedRow] = {}
    for kind, pk, before, after in recorded:
        known = once.get((kind, pk))
        if known is None:
            once[kind, pk] = [kind, pk, before, after]
            continue
        _, _, first, last = known
        once[kind, pk] = [
            kind,
            pk,
            None if first is None else {**(before or {}), **first},
            None if after is None else {**(last or {}), **after},
        ]
    return [row for row in once.values() if row[2] is not None or row[3] is not None]


def _names_of_rows(told: Iterable[RecordedRow], kinds: RowKinds) -> dict[tuple[str, int], dict[str, Any]]:
    """Return the current values that name each changed row. One query per kind."""
    wanted: dict[str, list[int]] = {}
    for kind, pk, before, after in told:
        if before is not None and after is not None:
            wanted.setdefault(kind, []).append(pk)
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for kind, pks in wanted.items():
        by = kinds.named_by[kind]
        for row in kinds.models[kind]._default_manager.filter(pk__in=pks).only(*by):
            found[kind, row.pk] = {name: _plain(row, name) for name in by}
    return found


def _row(
    recorded: RecordedRow, kinds: RowKinds, called: Mapping[tuple[str, int], Mapping[str, Any]]
) -> WrittenRow:
    kind, pk, before, after = recorded
    by = kinds.named_by[kind]
    whole = {**called.get((kind, pk), {}), **(before or {}), **(after or {})}
    known = {name: whole[name] for name in by if name in whole}
    if before is not None and after is not None:
        differ = [name for name in after if before.get(name) != after[name]]
        return WrittenRow(
            kind=kind,
            became=ChangeKind.CHANGED,
            before={name: before.get(name) for name in differ},
            after={name: after[name] for name in differ},
            known=known,
        )
    usual = _usual(kinds.models[kind])
    says = {
        name: value
        for name, value in (after or before or {}).items()
        if name not in by and value not in (None, "", [], {}) and value != usual.get(name, False)
    }
    is_new = before is None
    return WrittenRow(
        kind=kind,
        became=ChangeKind.ADDED if is_new else ChangeKind.REMOVED,
        before={} if is_new else says,
        after=says if is_new else {},
        known=known,
    )


def _usual(model: type[Model]) -> dict[str, Any]:
    """Return the default values of a model, without those that a function makes."""
    return {
        each.attname: each.default
        for each in model._meta.concrete_fields
        if each.has_default() and not callable(each.default)
    }


def _names(
    told: Iterable[RecordedRow], rows: Iterable[WrittenRow], kinds: RowKinds, *, known: Names
) -> dict[str, dict[int, str]]:
    """Return the names of the rows pointed to; for rows deleted in this change, the recorded names. One query
    for each kind that has names."""
    wanted: dict[type[Model], set[int]] = {}
    for row in rows:
        pointing = _pointing(kinds.models[row.kind])
        for values in (row.before, row.after, row.known):
            for name in pointing.keys() & values.keys():
                if values[name] is not None:
                    wanted.setdefault(pointing[name], set()).add(values[name])
    found: dict[str, dict[int, str]] = {}
    for kind, pk, before, after in told:
        if called := (after or {}).get("name") or (before or {}).get("name"):
            found.setdefault(kind, {})[pk] = str(called)
    for model, pks in wanted.items():
        kind = str(model._meta.model_name)
        if kind not in known:
            found.setdefault(kind, {}).update(
                model._default_manager.filter(pk__in=pks).values_list("pk", "name")
            )
    return found


def _pointing(model: type[Model]) -> dict[str, type[Model]]:
    """Return the foreign keys of a model whose target has a name."""
    return {
        each.attname: each.related_model
        for each in model._meta.concrete_fields
        if isinstance(each.related_model, type)
        and any(other.name == "name" for other in each.related_model._meta.concrete_fields)
    }


def _plain(row: Model, name: str) -> Any:
    by_attname: dict[str, Field[Any, Any]] = {each.attname: each for each in row._meta.concrete_fields}
    return value_to_json(by_attname[name], row)
