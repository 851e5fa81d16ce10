"""Columns of versioned values: the program gets the newest form, the database keeps the form stored."""

from collections.abc import Callable
from functools import partial, reduce
from operator import or_
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Coalesce

from .stored_forms import VALUE, Form

DEFAULT_FORM = Form()

EMPTY_VALUES: dict[str, Callable[[], Any]] = {"[]": list, "{}": dict}
"""Empty values, which are the same in every form and need no parser."""


class ListElementTransform(KeyTransform):
    """An element of a stored list, or a part of it. The list is under the value beside its version, or, if
    stored before there were versions, by itself."""

    def as_sqlite(self, compiler: Any, connection: Any, **extra_context: Any) -> Any:
        names: list[str] = []
        column: Any = self
        while isinstance(column, KeyTransform):
            names.insert(0, column.key_name)
            column = column.lhs
        alternatives = (reduce(_build_key_transform, path, column) for path in ([VALUE, *names], names))
        return compiler.compile(Coalesce(*alternatives))

    as_postgresql = as_sqlite


def _build_key_transform(source: Any, name: str) -> KeyTransform:
    return KeyTransform(name, source)


def _build_transform(name: str, source: Any) -> KeyTransform:
    is_list_element = isinstance(source, ListElementTransform) or (
        name.isdigit() and not isinstance(source, KeyTransform)
    )
    return ListElementTransform(name, source) if is_list_element else KeyTransform(name, source)


class VersionedJSONField(models.JSONField):
    """A column of values of one form. Reading refuses: stored_by_newer_program.

    Migrations know the ``version`` of the form: each new step is a migration, by whose name an older program
    recognizes it. In migrations, values are as stored.
    """

    non_db_attrs = (*models.JSONField.non_db_attrs, "version")

    def __init__(self, *args: Any, form: Form = DEFAULT_FORM, version: int | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.version = form.version if version is None else version
        self._form = form if version is None else None

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, path, arguments, options = super().deconstruct()
        return name, path, arguments, {**options, "version": self.version}

    def get_transform(self, lookup_name: str) -> Any:
        """Return the transform for a query such as ``rows__0``, whichever version stored the list."""
        return partial(_build_transform, lookup_name)

    def to_stored(self, value: Any) -> Any:
        return value if self._form is None else self._form.to_stored(value)

    def list_stored_versions(self, value: Any) -> list[Any]:
        return [value] if self._form is None else self._form.list_stored_versions(value)

    def from_stored(self, stored: Any) -> Any:
        return stored if self._form is None else self._form.from_stored(stored)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        is_expression = hasattr(value, "as_sql")
        return super().get_db_prep_save(value if is_expression else self.to_stored(value), connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None:
            return None
        if value in EMPTY_VALUES:
            return EMPTY_VALUES[value]()
        found = super().from_db_value(value, expression, connection)
        return found if isinstance(expression, KeyTransform) else self.from_stored(found)


def build_value_filter(model: type[models.Model], name: str, value: Any) -> Q:
    """Return a condition: the column has this value, which must not differ between versions, in
    any stored version."""
    field = model._meta.get_field(name)
    assert isinstance(field, VersionedJSONField), "asked of a column without versions"
    return reduce(or_, (Q(**{name: stored}) for stored in field.list_stored_versions(value)))
