"""Migration on PostgreSQL while hands are recorded and a transaction reads for a long time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import psycopg
import pytest
from django.db import connection, models

from operations.upgrading import steps
from scoring.models import Mark, Match
from tests.builders import FIFTY_MINUTES, build_match, mark

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one writer in after the other"),
    pytest.mark.postgresql("ALTER TABLE beside writers"),
]


@pytest.fixture
def column() -> Iterator[models.Field[Any, Any]]:
    """Yield a new field for marks; its column is dropped afterwards."""
    field = models.IntegerField(null=True)
    field.set_attributes_from_name("added_meanwhile")
    yield field
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE scoring_mark DROP COLUMN IF EXISTS added_meanwhile")


def build_migrate(field: models.Field[Any, Any]) -> Callable[..., None]:
    """Return a replacement for ``migrate`` that only adds this column."""

    def migrate(*_: object, **__: object) -> None:
        with connection.schema_editor() as editor:
            editor.add_field(Mark, field)

    return migrate


def list_columns() -> set[str]:
    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, "scoring_mark")
        return {column.name for column in described}


@contextmanager
def mark_repeatedly(match: Match) -> Iterator[list[float]]:
    """Record hand after hand while the block runs; yield the seconds that each took."""
    took: list[float] = []
    is_over, failed = threading.Event(), []

    def mark_hands() -> None:
        try:
            while not is_over.is_set():
                begun = time.monotonic()
                mark(match, "A 6 7")
                took.append(time.monotonic() - begun)
        except Exception as error:  # noqa: BLE001
            failed.append(error)
        finally:
            connection.close()

    table = threading.Thread(target=mark_hands)
    table.start()
    try:
        yield took
    finally:
        is_over.set()
        table.join()
    assert failed == []


def wait_for_more(took: list[float]) -> None:
    wanted = len(took) + 5
    while len(took) < wanted:
        time.sleep(0.01)


def test_column_is_added_while_hands_are_recorded(column: models.Field[Any, Any]) -> None:
    match = build_match(match_format=FIFTY_MINUTES)
    with mark_repeatedly(match) as took, patch.object(steps, "migrate", build_migrate(column)):
        wait_for_more(took)
        steps.apply_migrations()
        assert "added_meanwhile" in list_columns()
        wait_for_more(took)
    assert Mark.objects.count() == len(took)


def test_migration_yields_to_a_long_reader(
    column: models.Field[Any, Any],
) -> None:
    match = build_match(match_format=FIFTY_MINUTES)
    tried: list[float] = []

    def pause(seconds: float) -> None:
        tried.append(seconds)
        wait_for_more(took)  # hands that waited behind the migration, and later ones
        if len(tried) == 2:
            reader.rollback()

    where = connection.get_connection_params()
    names = ("dbname", "user", "password", "host", "port")
    with (
        psycopg.connect(**{name: where[name] for name in names if where.get(name)}) as reader,
        mark_repeatedly(match) as took,
        patch.object(steps, "migrate", build_migrate(column)),
        patch.object(steps, "sleep", pause),
        patch.object(steps, "LOCK_WAIT", 0.2),
    ):
        reader.execute("SELECT COUNT(*) FROM scoring_mark")  # this transaction stays open
        wait_for_more(took)
        steps.apply_migrations()
    assert len(tried) == 2
    assert "added_meanwhile" in list_columns()
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)
