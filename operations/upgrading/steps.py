"""The steps of a database, taken beside those who use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import Any

from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

TRIES = 30
LOCK_WAIT = 1.0
"""Seconds that a step of PostgreSQL waits for its lock: everybody who comes after it waits behind it."""
PAUSE = 1.0
LOCK_NOT_AVAILABLE = "55P03"
TURN = 2_026_112_300
"""Which of PostgreSQL's advisory locks is the turn to take steps, for all programs of a database."""


@contextmanager
def turn_to_take_steps() -> Iterator[None]:
    """Several machines may begin a newer program on one PostgreSQL at once: one after the other looks what is
    missing. Each asks again and again, for who waits inside a query would hold up a step that makes an index.
    The turn is over with its connection, however the process ends."""
    if connection.vendor != "postgresql":
        yield
        return
    wrapper: Any = connection
    with wrapper.Database.connect(**wrapper.get_connection_params(), autocommit=True) as turn:
        while turn.execute("SELECT pg_try_advisory_lock(%s)", [TURN]).fetchone() != (True,):
            sleep(PAUSE)
        yield


def take_steps() -> None:
    """All that are missing. On PostgreSQL, where others may be at work, one that does not get its lock soon
    steps back, lets them go on, and tries again."""
    if connection.vendor != "postgresql":
        migrate()
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {int(LOCK_WAIT * 1000)}")
    try:
        _try_again_and_again()
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:  # the pool keeps what was set
            cursor.execute("RESET lock_timeout")


def _try_again_and_again() -> None:
    for last in (*[False] * (TRIES - 1), True):
        try:
            migrate()
        except OperationalError as error:
            if last or getattr(error.__cause__, "sqlstate", "") != LOCK_NOT_AVAILABLE:
                raise
            sleep(PAUSE)
        else:
            return


class WholeSteps(MigrationExecutor):
    """Takes a step and records it in one transaction.

    Django records one that makes an index in a second transaction. A disk that was full in between, or a loss
    of power, would leave tables that no later start knows of, and each would stop at them.
    """

    def apply_migration(self, state: Any, migration: Any, *rest: Any, **named: Any) -> Any:
        if not migration.atomic:
            return super().apply_migration(state, migration, *rest, **named)
        with self.connection.schema_editor(atomic=True) as editor:
            state = migration.apply(state, editor)
            self.record_migration(migration)  # type: ignore[call-arg]  # the stubs have an older one
        return state


def migrate() -> None:
    """As Django's command, by whole steps, and without its lists of models and permissions: none is asked."""
    executor = WholeSteps(connection)
    executor.loader.check_consistent_history(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
