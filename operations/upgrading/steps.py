"""Application of migrations while others use the database."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import Any

from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from operations.ready_tables import create_ready_tables

from .schema import is_up_to_date

MAX_ATTEMPTS = 30
LOCK_WAIT = 1.0
"""Seconds that a migration waits for a lock on PostgreSQL: all later queries wait behind it."""
PAUSE = 1.0
LOCK_TIMEOUT_CODE = "55P03"
ADVISORY_LOCK_KEY = 2_026_112_300
"""Key of PostgreSQL's advisory lock for migrating, the same in all programs of a database."""


@contextmanager
def hold_migration_lock() -> Iterator[None]:
    """Hold the turn to migrate: several machines may start a newer version on one PostgreSQL at once.

    Each polls for the turn, since waiting inside a query would block a migration that builds an index. The
    turn ends with its connection, however the process ends.
    """
    if connection.vendor != "postgresql":
        yield
        return
    wrapper: Any = connection
    with wrapper.Database.connect(**wrapper.get_connection_params(), autocommit=True) as lock_connection:
        while lock_connection.execute("SELECT pg_try_advisory_lock(%s)", [ADVISORY_LOCK_KEY]).fetchone() != (True,):
            sleep(PAUSE)
        yield


def apply_migrations() -> None:
    """Apply all missing migrations.

    On PostgreSQL, where others may be at work, one that does not get its lock soon is rolled back, lets them
    go on, and is tried again.
    """
    if connection.vendor != "postgresql":
        create_ready_tables()
        if not is_up_to_date():
            migrate()
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {int(LOCK_WAIT * 1000)}")
    try:
        _migrate_with_retries()
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:  # the pool keeps the setting
            cursor.execute("RESET lock_timeout")


def _migrate_with_retries() -> None:
    for is_last in (*[False] * (MAX_ATTEMPTS - 1), True):
        try:
            migrate()
        except OperationalError as error:
            if is_last or getattr(error.__cause__, "sqlstate", "") != LOCK_TIMEOUT_CODE:
                raise
            sleep(PAUSE)
        else:
            return


class AtomicMigrationExecutor(MigrationExecutor):
    """Executor that applies a migration and records it in one transaction.

    Django records one that builds an index in a second transaction. If the disk was full in between, or the
    power failed, the tables would not match the record, and every later start would stop at them.
    """

    def apply_migration(self, state: Any, migration: Any, *args: Any, **kwargs: Any) -> Any:
        if not migration.atomic:
            return super().apply_migration(state, migration, *args, **kwargs)
        with self.connection.schema_editor(atomic=True) as editor:
            state = migration.apply(state, editor)
            self.record_migration(migration)  # type: ignore[call-arg]  # the stubs have an older one
        return state


def migrate() -> None:
    """Apply the missing migrations as Django's command does, but without content types and permissions, which
    are unused."""
    executor = AtomicMigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
