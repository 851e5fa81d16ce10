"""Columns of versioned values: programs see a value in its newest form, the database has it as stored."""

from typing import Any

from django.db import models
from django.db.models.fields.json import KeyTransform

from .forms import Form

USUAL = Form()


def paths_in_list(name: str, path: object) -> tuple[str, str]:
    """Where a query finds a part of a list, such as ``paths_in_list("rows", 0)``: under the value that stands
    beside its version, or in a list that was stored before there were versions. One of the two is there."""
    return f"{name}__value__{path}", f"{name}__{path}"


class VersionedJSONField(models.JSONField):
    """A column of values of one form. Reading refuses: stored_by_newer_program.

    Migrations know the ``version`` of the form, so that a new step is a new migration, by whose name an older
    program knows that it is one; to them, a value is what is stored.
    """

    non_db_attrs = (*models.JSONField.non_db_attrs, "version")

    def __init__(self, *args: Any, form: Form = USUAL, version: int | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.version = form.version if version is None else version
        self._form = form if version is None else None

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        name, path, arguments, options = super().deconstruct()
        return name, path, arguments, {**options, "version": self.version}

    def to_stored(self, value: Any) -> Any:
        return value if self._form is None else self._form.to_stored(value)

    def from_stored(self, stored: Any) -> Any:
        return stored if self._form is None else self._form.from_stored(stored)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        is_expression = hasattr(value, "as_sql")
        return super().get_db_prep_save(value if is_expression else self.to_stored(value), connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        found = super().from_db_value(value, expression, connection)
        return found if isinstance(expression, KeyTransform) else self.from_stored(found)
