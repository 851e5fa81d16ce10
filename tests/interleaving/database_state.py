"""Copy of the whole database, restored before each run, and its state, compared after each run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.apps import apps
from django.db import connection

from tests.support.sequences import restart_sequences

APPS = ("clubs", "scoring", "tournaments", "federations", "live", "jobs")
NEW = 1_000_000
"""Rows added after the copy get ids from here on, with a million for each table, so that new ids are recognized
anywhere, in JSON as in foreign keys.
"""

_NEW_ID = re.compile(r"(?<![\w.-])([1-9]\d{6,8})(?![\w.])")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:\+00:00|Z)?")
_RANDOM_FIELDS = re.compile(r'"(code|digest|log_digest|secret|token|password|short|public_id)": "[^"]*"')
_DESK_KEYS = re.compile(r'"entry_key": "[^"]*"(?=.*"kind": "(?:time_called|undone)")')
_SIGNED_FIELDS = re.compile(r'"(public|private|head|written|signature)": "(?:[^"\\]|\\.)*"')
_SUM = re.compile(r"\b[0-9a-f]{64}\b")
"""Hashes of random keys and of timestamps."""


@dataclass(frozen=True)
class State:
    """Rows of each table with their counts, without values that differ between runs.

    These are timestamps, secrets and new ids.
    """

    tables: Mapping[str, Counter[str]]

    def list_differences(self, other: State) -> list[str]:
        """List the rows that only one of the two states has."""
        return [
            f"{sign} {table} {row}"
            for table, rows in self.tables.items()
            for sign, only in (("+", rows - other.tables[table]), ("-", other.tables[table] - rows))
            for row in only.elements()
        ]


class SavedDatabase:
    """Copy of the database in a schema of its own."""

    def __init__(self) -> None:
        models = [
            model
            for app in APPS
            for model in apps.get_app_config(app).get_models(include_auto_created=True)
            if model._meta.managed
        ]
        self._tables = sorted({model._meta.db_table for model in models})
        with_ids = {model._meta.db_table for model in models if model._meta.auto_field is not None}
        self._sequences = [
            f"SELECT setval(pg_get_serial_sequence('\"{table}\"', 'id'), {NEW * place})"
            for place, table in enumerate(self._tables, 1)
            if table in with_ids
        ]
        copies = [f'CREATE TABLE kept."{table}" AS TABLE "{table}"' for table in self._tables]
        _run(["DROP SCHEMA IF EXISTS kept CASCADE", "CREATE SCHEMA kept", *copies])
        self._state = self.read_state()

    def take_up(self) -> None:
        """Restore the copy; new rows then get ids from ``NEW`` on."""
        changed = [table for table, rows in self.read_state().tables.items() if rows != self._state.tables[table]]
        commands = ["BEGIN", "SET LOCAL session_replication_role = replica"]  # skips foreign key checks
        for table in changed:
            commands.append(f'DELETE FROM "{table}"')
            commands.append(f'INSERT INTO "{table}" SELECT * FROM kept."{table}"')
        _run([*commands, *self._sequences, "COMMIT"])

    def drop(self) -> None:
        _run(["DROP SCHEMA kept CASCADE"])
        restart_sequences()

    def read_state(self) -> State:
        query = " UNION ALL ".join(f"SELECT '{table}', to_jsonb(t)::text FROM \"{table}\" t" for table in self._tables)
        with connection.cursor() as cursor:
            cursor.execute(query)
            found = cursor.fetchall()
        tables: dict[str, Counter[str]] = {table: Counter() for table in self._tables}
        for table, row in found:
            tables[table][_normalize_row(row)] += 1
        return State(tables)


def _normalize_row(row: str) -> str:
    """Return the row without timestamps, secrets and new ids; other random values stay."""
    normalized_row = _RANDOM_FIELDS.sub(r'"\1": "…"', _MOMENT.sub("a moment", row))
    normalized_row = _DESK_KEYS.sub('"entry_key": "…"', normalized_row)
    normalized_row = _SUM.sub("a sum", _SIGNED_FIELDS.sub(r'"\1": "…"', normalized_row))
    return _NEW_ID.sub(lambda found: f'"new {int(found[1]) // NEW}"', normalized_row)


def _run(commands: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(";".join(commands))
