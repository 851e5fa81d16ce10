"""Reading at length: all of it as of one moment, and nobody who writes waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Whatever is read in it is of the moment of its first query; nothing is written in it. Inside of a
    transaction it is a part of that."""
    if connection.in_atomic_block:
        yield
        return
    with _reading_only(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _reading_only() -> Iterator[None]:
    """SQLite's transactions here hold the writer from their first word, but for those that only read."""
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
