"""Database settings, and concurrent writers on SQLite."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, IntegrityError, OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from config.database import build_database_settings
from config.sqlite.turns import Turns
from jobs.models import Job

from .conftest import run_manage

on_sqlite = pytest.mark.skipif("sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="about SQLite")


def test_database_defaults_to_the_data_folder() -> None:
    named = build_database_settings("", Path("folder"))
    assert (named["ENGINE"], named["NAME"]) == ("config.sqlite", Path("folder/charlemagne.sqlite3"))


@pytest.mark.django_db
def test_sqlite_uses_full_synchronous_writes_and_wal(
    tmp_path: Path,
) -> None:
    opened = ConnectionHandler({"default": build_database_settings("", tmp_path)})["default"]
    with closing(opened), opened.cursor() as cursor:
        pragma_values = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")]
    full = 2
    assert pragma_values == [full, "wal"]


@pytest.mark.django_db
def test_database_opens_while_another_connection_deletes_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = ConnectionHandler({"default": build_database_settings("", tmp_path)})["default"]
    log = tmp_path / "charlemagne.sqlite3-wal"
    log.touch()
    is_allowed = os.access

    def look(file: str, mode: int) -> bool:
        if Path(file) == log:
            log.unlink(missing_ok=True)
        return is_allowed(file, mode)

    monkeypatch.setattr(os, "access", look)
    with closing(opened):
        opened.ensure_connection()


def test_url_selects_a_postgresql_database() -> None:
    named = build_database_settings("postgresql://an%40a:p%2Fw@db.local:5433/hall?sslmode=require", Path("folder"))
    assert named["ENGINE"] == "django.db.backends.postgresql"
    assert [named[part] for part in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "an@a", "p/w", "db.local", "5433", "hall",
    ]  # fmt: skip
    assert named["OPTIONS"]["sslmode"] == "require"
    assert named["CONN_MAX_AGE"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("url", ["mysql://localhost/hall", "localhost/hall", "postgresql://db.local:x/hall"])
def test_invalid_database_url_gets_one_sentence(url: str) -> None:
    refused = run_manage("check", DATABASE_URL=url)
    assert refused.returncode == 2
    assert refused.stderr.startswith("DATABASE_URL is not the address of a PostgreSQL database. ")
    assert refused.stderr.count("\n") == 1


def test_writers_take_turns_in_order_of_arrival() -> None:
    turns, came = Turns(), list[int]()
    assert turns.acquire(1)

    def wait_for_turn(number: int) -> None:
        assert turns.acquire(60)
        came.append(number)
        turns.release()

    threads = []
    for number in range(5):
        thread = threading.Thread(target=wait_for_turn, args=[number])
        thread.start()
        threads.append(thread)
        while len(turns._waiting) <= number:
            thread.join(0.001)
    turns.release()
    for thread in threads:
        thread.join()
    assert came == [0, 1, 2, 3, 4]


def test_expired_wait_leaves_the_queue_intact() -> None:
    turns = Turns()
    assert turns.acquire(0)
    assert not turns.acquire(0.01)
    turns.release()
    assert turns.acquire(0)


@pytest.fixture
def other(transactional_db: None) -> Iterator[BaseDatabaseWrapper]:
    """Yield a second connection of this thread, with a short lock timeout."""
    made = connections.create_connection("default")
    made.settings_dict = {**made.settings_dict, "OPTIONS": {**made.settings_dict["OPTIONS"], "timeout": 0.05}}
    yield made
    made.close()


def write(writer: BaseDatabaseWrapper) -> None:
    """Write in a transaction of this connection, begun as `atomic` does."""
    writer.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    try:
        with writer.cursor() as cursor:
            cursor.execute("UPDATE jobs_job SET attempts = attempts + 1")
        writer.commit()
    finally:
        writer.set_autocommit(True)


@on_sqlite
def test_second_writer_waits_and_then_gets_a_lock_error(other: BaseDatabaseWrapper) -> None:
    with transaction.atomic(), pytest.raises(OperationalError, match="database is locked"):
        write(other)
    write(other)


@on_sqlite
def test_savepoints_and_rollbacks_release_the_lock(
    other: BaseDatabaseWrapper,
) -> None:
    with transaction.atomic():
        with transaction.atomic():
            Job.objects.create(kind="note", key="1")
        with pytest.raises(IntegrityError), transaction.atomic():
            Job.objects.create(kind="note", key="1")
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    write(other)


@on_sqlite
def test_connection_closed_in_a_transaction_releases_the_lock(other: BaseDatabaseWrapper) -> None:
    with transaction.atomic():
        connection.close()
        with pytest.raises(DatabaseError):
            Job.objects.create(kind="note", key="1")
    write(other)


@on_sqlite
def test_failed_transaction_start_releases_the_lock(other: BaseDatabaseWrapper) -> None:
    with transaction.atomic():
        connection.cursor().execute("SELECT 1")
    other.ensure_connection()
    other.connection.close()
    with pytest.raises(DatabaseError):
        write(other)
    with transaction.atomic():
        Job.objects.create(kind="note", key="1")
    assert Job.objects.count() == 1


@pytest.mark.long
@on_sqlite
def test_concurrent_writers_all_succeed(transactional_db: None) -> None:
    counted = Job.objects.create(kind="note", key="counted")

    def count_to_ten() -> None:
        try:
            for _ in range(10):
                with transaction.atomic():
                    seen = Job.objects.get(pk=counted.pk)
                    seen.attempts += 1
                    seen.save()
        finally:
            connection.close()

    threads = [threading.Thread(target=count_to_ten) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counted.refresh_from_db()
    assert counted.attempts == 200
