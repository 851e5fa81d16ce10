"""Property tests of backups: a restore brings back every row of randomly changed clubs."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import connection

from jobs.models import Job, Status
from jobs.services import run_job
from operations.backup import create_backup, restore
from operations.backup.reader import open_backup
from operations.data_dir import PROJECT
from tests import external_tools
from tests.laws.random_club import RandomClub
from tests.long_runs import RUN_SEED, choose_count
from tests.operations.backup.test_backup import forget_everything, state
from tests.operations.up.conftest import build_environment
from tests.workspaces import create_database
from tournaments.event_files.queries import build_event_file
from tournaments.models import Event

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("backups between both databases"),
    pytest.mark.slow,
]
ACTION_COUNT = 60
CLUBS = [f"{RUN_SEED}{number}" for number in range(choose_count(1, long=30))]


def build_random_clubs(seed: str) -> None:
    """Build two clubs in one installation and change them at random."""
    dice = Random(seed)
    for _ in range(2):
        RandomClub(dice).perform(ACTION_COUNT)


def compute_all() -> dict[str, Any]:
    """Run all queued jobs, and return the event files and the rows of seasons and records.

    Ids, checksums and timestamps are left out, as they differ between two calculations.
    """
    while job := Job.objects.filter(status=Status.QUEUED).order_by("pk").first():
        run_job(job.pk)
    files = {event.pk: build_event_file(event) for event in Event.objects.order_by("pk")}
    for content in files.values():
        for name in ("place", "sum", "sums"):
            del content[name]
    derived = [
        {name: value for name, value in row.items() if name != "id" and not isinstance(value, datetime)}
        for label in ("Season", "PersonRecord", "ClubRecord")
        for row in state()[f"tournaments.{label}"]
    ]
    return {"files": files, "derived": sorted(derived, key=str)}


def read_rows(path: Path) -> dict[str, list[Any]]:
    backup = open_backup(path)
    return {label: list(backup.iter_rows(label)) for label in backup.tables}


@pytest.mark.parametrize("seed", CLUBS)
def test_restore_returns_every_row_and_total(seed: str, tmp_path: Path) -> None:
    """Jobs that were queued at the time of the backup are restored too."""
    build_random_clubs(seed)
    rows = state()
    create_backup(tmp_path / "one.zip")
    adds_up_to = compute_all()
    forget_everything()
    restore(tmp_path / "one.zip")
    assert state() == rows
    create_backup(tmp_path / "other.zip")
    assert read_rows(tmp_path / "other.zip") == read_rows(tmp_path / "one.zip")
    assert compute_all() == adds_up_to


@pytest.mark.long("two whole databases")
def test_backup_restores_identically_on_the_other_database(tmp_path: Path) -> None:
    """A club moves from a laptop (SQLite) to a server (PostgreSQL) with the commands that its owners type."""
    server = external_tools.find_postgres()
    if server is None or connection.vendor != "sqlite":
        pytest.skip("no PostgreSQL beside SQLite")
    build_random_clubs(CLUBS[0])
    create_backup(tmp_path / "laptop.zip")
    with create_database(server, "restored") as url:
        for words in (
            ["migrate", "--verbosity", "0"],
            ["restore", str(tmp_path / "laptop.zip")],
            ["backup", str(tmp_path / "server.zip")],
        ):
            subprocess.run(
                [sys.executable, "manage.py", *words],
                cwd=PROJECT,
                env=build_environment(DATABASE_URL=url, CHARLEMAGNE_DATA=str(tmp_path / "data")),
                check=True,
                capture_output=True,
            )
    assert read_rows(tmp_path / "server.zip") == read_rows(tmp_path / "laptop.zip")
    assert json.dumps(read_rows(tmp_path / "laptop.zip")).count("Roy") > 1
