"""Differences that a change made, for readers: one entry per row, with names instead of keys."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.db.models import Field, Model

from versioning import list_naming_columns

from .log import RecordedRow, RowKinds, get_display_value, serialize_value

MAX_ROWS = 100
"""The most rows shown; of a longer change, the page shows how many more there are."""

Names = Mapping[str, Mapping[int, str]]
"""Names of rows by kind, then by key."""


class ChangeKind(Enum):
    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDiff:
    """One row of a change. ``before`` and ``after`` hold the values that differ, as stored; for a new or
    deleted row, the values that are not the default. ``known`` holds the values that name the row."""

    kind: str
    became: ChangeKind
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    identity: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditDiff:
    """The rows of one change, the number ``left`` out, and the names of the rows that they point to."""

    rows: Sequence[RowDiff] = ()
    left: int = 0
    names: Names = field(default_factory=dict)


def build_audit_diff(recorded_rows: Sequence[RecordedRow], kinds: RowKinds, *, names: Names | None = None) -> AuditDiff:
    """Return what a change wrote. As many queries as there are kinds of rows that it wrote or points to;
    ``names`` need no query."""
    merged_rows = _merge_row_changes(_upgrade_row(row, kinds) for row in recorded_rows)
    shown_rows = merged_rows[:MAX_ROWS]
    identities = _find_row_identities(shown_rows, kinds)
    rows = [_build_row_diff(one, kinds, identities) for one in shown_rows]
    return AuditDiff(
        rows=tuple(row for row in rows if row.became is not ChangeKind.CHANGED or row.after),
        left=len(merged_rows) - len(shown_rows),
        names={**_find_related_names(shown_rows, rows, kinds, known_names=names or {}), **(names or {})},
    )


def _upgrade_row(recorded_rows: RecordedRow, kinds: RowKinds) -> RecordedRow:
    """Return the row with its values in the newest form."""
    kind, pk, *values = recorded_rows
    return [kind, pk, *(value and _upgrade_values(kinds[kind], value) for value in values)]


def _upgrade_values(model: type[Model], stored_values: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Field[Any, Any]] = {each.attname: each for each in model._meta.concrete_fields}
    return {name: get_display_value(fields[name], value) for name, value in stored_values.items()}


def _merge_row_changes(recorded_rows: Iterable[RecordedRow]) -> list[RecordedRow]:
    """Combine several changes of the same row into one, from its first state to its last."""
    merged: dict[tuple[str, int], RecordedRow] = {}
    for kind, pk, before, after in recorded_rows:
        earlier = merged.get((kind, pk))
        if earlier is None:
            merged[kind, pk] = [kind, pk, before, after]
            continue
        _, _, first, last = earlier
        merged[kind, pk] = [
            kind,
            pk,
            None if first is None else {**(before or {}), **first},
            None if after is None else {**(last or {}), **after},
        ]
    return [row for row in merged.values() if row[2] is not None or row[3] is not None]


def _find_row_identities(
    recorded_rows: Iterable[RecordedRow], kinds: RowKinds
) -> dict[tuple[str, int], dict[str, Any]]:
    """Return the current values that name each changed row. One query per kind."""
    pks_by_kind: dict[str, list[int]] = {}
    for kind, pk, before, after in recorded_rows:
        if before is not None and after is not None:
            pks_by_kind.setdefault(kind, []).append(pk)
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for kind, pks in pks_by_kind.items():
        by = list_naming_columns(kinds[kind])
        for row in kinds[kind]._default_manager.filter(pk__in=pks).only(*by):
            found[kind, row.pk] = {name: _serialize_value(row, name) for name in by}
    return found


def _build_row_diff(
    recorded_rows: RecordedRow, kinds: RowKinds, identities: Mapping[tuple[str, int], Mapping[str, Any]]
) -> RowDiff:
    kind, pk, before, after = recorded_rows
    by = list_naming_columns(kinds[kind])
    values = {**identities.get((kind, pk), {}), **(before or {}), **(after or {})}
    identity = {name: values[name] for name in by if name in values}
    if before is not None and after is not None:
        differ = [name for name in after if before.get(name) != after[name]]
        return RowDiff(
            kind=kind,
            became=ChangeKind.CHANGED,
            before={name: before.get(name) for name in differ},
            after={name: after[name] for name in differ},
            identity=identity,
        )
    usual = _get_default_values(kinds[kind])
    says = {
        name: value
        for name, value in (after or before or {}).items()
        if name not in by and value not in (None, "", [], {}) and value != usual.get(name, False)
    }
    is_new = before is None
    return RowDiff(
        kind=kind,
        became=ChangeKind.ADDED if is_new else ChangeKind.REMOVED,
        before={} if is_new else says,
        after=says if is_new else {},
        identity=identity,
    )


def _get_default_values(model: type[Model]) -> dict[str, Any]:
    """Return the default values of a model, without those that a function makes."""
    return {
        each.attname: each.default
        for each in model._meta.concrete_fields
        if each.has_default() and not callable(each.default)
    }


def _find_related_names(
    recorded_rows: Iterable[RecordedRow], rows: Iterable[RowDiff], kinds: RowKinds, *, known_names: Names
) -> dict[str, dict[int, str]]:
    """Return the names of the rows pointed to; for rows deleted in this change, the recorded names. One query
    for each kind that has names."""
    pks_by_model: dict[type[Model], set[int]] = {}
    for row in rows:
        foreign_keys = _find_named_foreign_keys(kinds[row.kind])
        for values in (row.before, row.after, row.identity):
            for name in foreign_keys.keys() & values.keys():
                if values[name] is not None:
                    pks_by_model.setdefault(foreign_keys[name], set()).add(values[name])
    found: dict[str, dict[int, str]] = {}
    for kind, pk, before, after in recorded_rows:
        if name_of_row := (after or {}).get("name") or (before or {}).get("name"):
            found.setdefault(kind, {})[pk] = str(name_of_row)
    for model, pks in pks_by_model.items():
        kind = str(model._meta.model_name)
        if kind not in known_names:
            found.setdefault(kind, {}).update(model._default_manager.filter(pk__in=pks).values_list("pk", "name"))
    return found


def _find_named_foreign_keys(model: type[Model]) -> dict[str, type[Model]]:
    """Return the foreign keys of a model whose target has a name."""
    return {
        each.attname: each.related_model
        for each in model._meta.concrete_fields
        if isinstance(each.related_model, type)
        and any(other.name == "name" for other in each.related_model._meta.concrete_fields)
    }


def _serialize_value(row: Model, name: str) -> Any:
    fields: dict[str, Field[Any, Any]] = {each.attname: each for each in row._meta.concrete_fields}
    return serialize_value(fields[name], row)
