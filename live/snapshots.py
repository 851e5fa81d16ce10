"""Long reads of one consistent state, which block no writer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Read everything as of the first query inside; writing is not possible. Within a transaction, it is a
    part of that."""
    if connection.in_atomic_block:
        yield
        return
    with _read_only_transaction(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _read_only_transaction() -> Iterator[None]:
    """Let SQLite's transaction only read: here they usually lock the database for writing from the start."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()  # which sets the mode
    sqlite: Any = connection
    mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = mode
