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

USUAL = Form()

NOTHING: dict[str, Callable[[], Any]] = {"[]": list, "{}": dict}
"""Empty values, which are the same in every form and need no parser."""


class PartOfList(KeyTransform):
    """An element of a stored list, or a part of it. The list is under the value beside its version, or, if
    stored before there were versions, by itself."""

    def as_sqlite(self, compiler: Any, connection: Any, **extra_context: Any) -> Any:
        names: list[str] = []
        column: Any = self
        while isinstance(column, KeyTransform):
            names.insert(0, column.key_name)
            column = column.lhs
        ways = (reduce(_within, path, column) for path in ([VALUE, *names], names))
        return compiler.compile(Coalesce(*ways))

    as_postgresql = as_sqlite


def _within(found: Any, name: str) -> KeyTransform:
    return KeyTransform(name, found)


def _part(name: str, found: Any) -> KeyTransform:
    is_of_list = isinstance(found, PartOfList) or (name.isdigit() and not isinstance(found, KeyTransform))
    return PartOfList(name, found) if is_of_list else KeyTransform(name, found)


class VersionedJSONField(models.JSONField):
    """A column of values of one form. Reading refuses: stored_by_newer_program.

    Migrations know the ``version`` of the form: each new step is a migration, by whose name an older program
    recognizes it. In migrations, values are as stored.
    """

    non_db_attrs = (*models.JSONField.non_db_attrs, "version")

    def __init__(self, *args: Any, form: Form = USUAL, version: int | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.version = form.version if version is None else version
        self._form = form if version is None else None

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, path, arguments, options = super().deconstruct()
        return name, path, arguments, {**options, "version": self.version}

    def get_transform(self, lookup_name: str) -> Any:
        """Return the transform for a query such as ``rows__0``, whichever version stored the list."""
        return partial(_part, lookup_name)

    def to_stored(self, value: Any) -> Any:
        return value if self._form is None else self._form.to_stored(value)

    def in_each_version(self, value: Any) -> list[Any]:
        return [value] if self._form is None else self._form.in_each_version(value)

    def from_stored(self, stored: Any) -> Any:
        return stored if self._form is None else self._form.from_stored(stored)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        is_expression = hasattr(value, "as_sql")
        return super().get_db_prep_save(value if is_expression else self.to_stored(value), connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None:
            return None
        if value in NOTHING:
            return NOTHING[value]()
        found = super().from_db_value(value, expression, connection)
        return found if isinstance(expression, KeyTransform) else self.from_stored(found)


def has_value(model: type[models.Model], name: str, value: Any) -> Q:
    """Return a condition: the column has this value, which must not differ between versions, in
    any stored version."""
    field = model._meta.get_field(name)
    assert isinstance(field, VersionedJSONField), "asked of a column without versions"
    return reduce(or_, (Q(**{name: stored}) for stored in field.in_each_version(value)))
