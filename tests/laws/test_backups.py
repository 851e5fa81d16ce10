"""Backups restore everything, whatever a club has lived through."""

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
from operations.backup import back_up, restore
from operations.backup.reading import open_backup
from operations.data_dir import PROJECT
from tests import parts
from tests.laws.random_club import RandomClub
from tests.long import WORD, often
from tests.operations.backup.test_backup import forget_everything, state
from tests.operations.up.conftest import environment
from tests.places import fresh_database
from tournaments.event_files.queries import event_file_of
from tournaments.models import Event

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("what one database has written, the other one reads"),
    pytest.mark.slow,
]
DEEDS = 60
CLUBS = [f"{WORD}{number}" for number in range(often(3, long=30))]


def a_life(seed: str) -> None:
    """Two clubs of an installation, and whatever happened there."""
    dice = Random(seed)
    for _ in range(2):
        RandomClub(dice).live(DEEDS)


def counted() -> dict[str, Any]:
    """Return what everything adds up to, once the worker has done what waits for it: each event as it is
    taken away, and the rows of seasons and records, without the moments at which they were worked out."""
    while job := Job.objects.filter(status=Status.QUEUED).order_by("pk").first():
        run_job(job.pk)
    files = {event.pk: event_file_of(event) for event in Event.objects.order_by("pk")}
    for content in files.values():
        for name in ("place", "sum", "sums"):
            del content[name]
    derived = [
        {name: value for name, value in row.items() if name != "id" and not isinstance(value, datetime)}
        for label in ("Season", "PersonRecord", "ClubRecord")
        for row in state()[f"tournaments.{label}"]
    ]
    return {"files": files, "derived": sorted(derived, key=str)}


def rows_in(path: Path) -> dict[str, list[Any]]:
    backup = open_backup(path)
    return {label: list(backup.rows(label)) for label in backup.tables}


@pytest.mark.parametrize("seed", CLUBS)
def test_restoring_gives_every_row_back_and_what_they_add_up_to(seed: str, tmp_path: Path) -> None:
    """Also what the worker had not added up yet when the backup was made."""
    a_life(seed)
    rows = state()
    back_up(tmp_path / "one.zip")
    adds_up_to = counted()
    forget_everything()
    restore(tmp_path / "one.zip")
    assert state() == rows
    back_up(tmp_path / "other.zip")
    assert rows_in(tmp_path / "other.zip") == rows_in(tmp_path / "one.zip")
    assert counted() == adds_up_to


@pytest.mark.long("both kinds of databases, whole")
def test_what_was_backed_up_here_is_the_same_in_the_other_kind_of_database(tmp_path: Path) -> None:
    """A club that begins on a laptop and moves to a server, by the commands that its owners type."""
    server = parts.postgres()
    if server is None or connection.vendor != "sqlite":
        pytest.skip("no PostgreSQL beside SQLite")
    a_life(CLUBS[0])
    back_up(tmp_path / "laptop.zip")
    with fresh_database(server, "restored") as url:
        for words in (
            ["migrate", "--verbosity", "0"],
            ["restore", str(tmp_path / "laptop.zip")],
            ["backup", str(tmp_path / "server.zip")],
        ):
            subprocess.run(
                [sys.executable, "manage.py", *words],
                cwd=PROJECT,
                env=environment(DATABASE_URL=url, CHARLEMAGNE_DATA=str(tmp_path / "data")),
                check=True,
                capture_output=True,
            )
    assert rows_in(tmp_path / "server.zip") == rows_in(tmp_path / "laptop.zip")
    assert json.dumps(rows_in(tmp_path / "laptop.zip")).count("Roy") > 1
