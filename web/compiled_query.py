"""Queries that are compiled to SQL once per process, then run with other values each time.

Django builds the SQL for each run. For wide rows and joins that takes longer than the result, so the few
queries of every hand are compiled (``docs/decisions/0058-compile-the-most-frequent-queries.md``).
"""

from copy import copy
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import Field, Model, QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model)


class Slot(Value):
    """A placeholder in a query for a named value of each call; ``field`` is what it is compared with."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(name, output_field=field)

    def as_sql(self, *_: object) -> Any:
        return "%s", [self]


class CompiledQuery(Generic[Row]):
    """A query that runs ``rows`` with values for its slots. A slot is never None: that would
    need other SQL."""

    def __init__(self, rows: QuerySet[Row]) -> None:
        self._rows = rows
        self._compiled: dict[str, tuple[SQLCompiler, str, tuple[Any, ...]]] = {}

    def fetch_first(self, **values: object) -> Row | None:
        """Return the first row, if there is one."""
        return next(iter(self.fetch_all(**values)), None)

    def fetch_all(self, **values: object) -> list[Row]:
        """Return the rows with what they prefetch. One query without that. Raises Django's
        ``TransactionManagementError`` for rows to be locked outside a transaction."""
        rows: Any = self._rows.all()
        connection = connections[rows.db]
        if rows.query.select_for_update and not connection.in_atomic_block:
            raise TransactionManagementError("rows are locked in a transaction")
        compiled, text, slots = self._compiled.get(rows.db) or self._compile(rows)
        params = [_prepare_value(each, values, connection) for each in slots]
        compiler: Any = copy(compiled)
        compiler.connection = connection
        compiler.as_sql = lambda *_, **__: (text, params)
        rows.query.get_compiler = lambda *_, **__: compiler
        return list(rows)

    def _compile(self, rows: Any) -> tuple[SQLCompiler, str, tuple[Any, ...]]:
        compiler = rows.query.get_compiler(rows.db)
        self._compiled[rows.db] = compiler, *compiler.as_sql()
        return self._compiled[rows.db]


def _prepare_value(slot: Any, values: dict[str, object], connection: Any) -> Any:
    if not isinstance(slot, Slot):
        return slot
    return slot.output_field.get_db_prep_value(values[slot.value], connection)
