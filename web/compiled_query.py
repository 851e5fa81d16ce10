"""A query whose text is made once in this process, and is asked with other values each time.

Django makes the text of a query anew whenever it is asked. Of wide rows and of joins that takes longer than
the answer, so the few queries that every hand asks are compiled
(``docs/decisions/0058-compile-the-most-frequent-queries.md``).
"""

from copy import copy
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import Field, Model, QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model)


class Slot(Value):
    """Stands in a query for a value of that name, which each call brings; ``field`` is that which it is
    compared with."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(name, output_field=field)

    def as_sql(self, *_: object) -> Any:
        return "%s", [self]


class CompiledQuery(Generic[Row]):
    """Asks what ``rows`` asks, with the values of its slots. A slot is never None: that is another text."""

    def __init__(self, rows: QuerySet[Row]) -> None:
        self._rows = rows
        self._compiled: dict[str, tuple[SQLCompiler, str, tuple[Any, ...]]] = {}

    def one(self, **values: object) -> Row | None:
        """The first row, if there is any."""
        return next(iter(self.all(**values)), None)

    def all(self, **values: object) -> list[Row]:
        """One query, and what it has fetched beside. Django's ``TransactionManagementError`` outside a
        transaction, of rows to be locked."""
        rows: Any = self._rows.all()
        connection = connections[rows.db]
        if rows.query.select_for_update and not connection.in_atomic_block:
            raise TransactionManagementError("rows are locked in a transaction")
        compiled, text, slots = self._compiled.get(rows.db) or self._compile(rows)
        params = [_value(each, values, connection) for each in slots]
        compiler: Any = copy(compiled)
        compiler.connection = connection
        compiler.as_sql = lambda *_, **__: (text, params)
        rows.query.get_compiler = lambda *_, **__: compiler
        return list(rows)

    def _compile(self, rows: Any) -> tuple[SQLCompiler, str, tuple[Any, ...]]:
        compiler = rows.query.get_compiler(rows.db)
        self._compiled[rows.db] = compiler, *compiler.as_sql()
        return self._compiled[rows.db]


def _value(slot: Any, values: dict[str, object], connection: Any) -> Any:
    if not isinstance(slot, Slot):
        return slot
    return slot.output_field.get_db_prep_value(values[slot.value], connection)
