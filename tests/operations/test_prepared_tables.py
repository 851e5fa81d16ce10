"""Prepared SQLite tables of a new installation equal those that the migrations create."""

import sqlite3
import subprocess
import sys

import pytest

from operations.data_dir import PROJECT
from operations.ready_tables import TABLES_FILE
from operations.upgrading.schema import list_own_migrations


@pytest.mark.slow
def test_prepared_tables_match_the_migrations() -> None:
    command = [sys.executable, "-m", "operations.ready_tables"]
    made = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, encoding="utf-8").stdout
    assert made == TABLES_FILE.read_text(encoding="utf-8"), "write them again: see operations/ready_tables.py"


def test_prepared_tables_record_every_migration() -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(TABLES_FILE.read_text(encoding="utf-8"))
    recorded = set(database.execute("SELECT app, name FROM django_migrations"))
    assert recorded == list_own_migrations()
