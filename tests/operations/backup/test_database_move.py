"""Move of an installation from SQLite to PostgreSQL and back, one command each, without loss."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from operations.backup import open_backup
from operations.data_dir import DATA_VARIABLE, PROJECT
from tests import external_tools
from tests.operations.up.conftest import RunningUp, build_environment, run_manage
from tests.support.waiting import wait_until
from tests.workspaces import create_database

pytestmark = pytest.mark.slow

STANDINGS = """
import django, json
django.setup()
from scoring.models import Mark
from tournaments.models import Event
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.standings.queries.standings import compute_event_standings
events = Event.objects.order_by("pk")
print(json.dumps({
    "marks": Mark.objects.count(),
    "standings": {each.short: compute_event_standings(each, read_event_snapshot(each))["rows"] for each in events},
}, default=str))
"""


@pytest.fixture
def database() -> Iterator[str]:
    server = external_tools.find_postgres()
    if server is None:
        pytest.skip("no PostgreSQL server")
    with create_database(server, "moving") as url:
        yield url


@pytest.fixture(scope="module")
def laptop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of a club that has played for a while."""
    data = tmp_path_factory.mktemp("laptop") / "data"
    made = subprocess.run(
        [sys.executable, "-m", "bench.hall.room", "public", "4"],
        cwd=PROJECT,
        env=build_environment(**{DATA_VARIABLE: str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}),
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return data


def count_data(data: Path, database: str = "") -> dict[str, object]:
    """Return the number of hands and the standings of each event, recomputed from them."""
    there = {DATA_VARIABLE: str(data), "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "config.settings"}
    process = subprocess.run(
        [sys.executable, "-c", STANDINGS],
        cwd=PROJECT, env=build_environment(**there), capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return dict(json.loads(process.stdout))


def move(data: Path, to: Path, *options: str, **variables: str) -> str:
    moved = run_manage("move", str(to), *options, "--data", str(data), **variables)
    assert moved.returncode == 0, moved.stderr
    return moved.stdout


@pytest.mark.long("moves a whole installation twice")
def test_move_to_postgresql_and_back_keeps_all_rows(laptop: Path, database: str, tmp_path: Path) -> None:
    here = count_data(laptop)
    assert here["marks"]
    server, back = tmp_path / "server", tmp_path / "back"
    output = move(laptop, server, "--database", database)
    assert output.startswith(f"Moved to {server} and verified: ")
    assert f"DATABASE_URL=postgresql://… python3 manage.py up --data {server}" in output
    assert count_data(server, database) == here
    assert not (server / "charlemagne.sqlite3").exists()
    assert "DATABASE_URL" not in move(server, back, DATABASE_URL=database)
    assert count_data(back) == here


@pytest.mark.long
def test_move_refuses_a_folder_that_is_not_empty(laptop: Path, tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    (tmp_path / "to" / "notes.txt").write_text("ours", encoding="utf-8")
    refused = run_manage("move", str(tmp_path / "to"), "--data", str(laptop))
    assert refused.returncode == 1
    assert refused.stderr.strip() == f"{tmp_path / 'to'} is not empty. Choose a new folder."
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["notes.txt"]


@pytest.mark.long("moves a whole installation")
def test_comparison_finds_a_changed_row(laptop: Path, tmp_path: Path) -> None:
    from config.management.commands.move import find_first_difference

    first, other = tmp_path / "first.zip", tmp_path / "other.zip"
    changed = shutil.copytree(laptop, tmp_path / "changed")
    for data, file in ((laptop, first), (changed, other)):
        assert run_manage("backup", str(file), "--data", str(data)).returncode == 0
    assert find_first_difference(first, other) == ""
    other.unlink()
    assert rename_a_club(changed).returncode == 0
    assert run_manage("backup", str(other), "--data", str(changed)).returncode == 0
    assert open_backup(other).tables["clubs.Club"]["rows"] == 1
    assert find_first_difference(first, other) == "clubs.Club"


def rename_a_club(data: Path) -> subprocess.CompletedProcess[str]:
    script = "import django; django.setup(); from clubs.models import Club; Club.objects.update(name='Autres')"
    there = {DATA_VARIABLE: str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=PROJECT, env=build_environment(**there), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


@pytest.mark.long
def test_move_refuses_a_running_installation(laptop: Path, tmp_path: Path) -> None:
    up = RunningUp(shutil.copytree(laptop, tmp_path / "running"))
    try:
        wait_until(up.has_greeted)
        refused = run_manage("move", str(tmp_path / "to"), "--data", str(up.data))
        assert (refused.returncode, refused.stdout) == (2, "")
        assert str(up.port) in refused.stderr
    finally:
        up.end()


@pytest.mark.long("moves a whole installation")
def test_moved_folder_without_its_database_url_is_refused(laptop: Path, database: str, tmp_path: Path) -> None:
    server = tmp_path / "server"
    assert run_manage("move", str(server), "--database", database, "--data", str(laptop)).returncode == 0
    was_there = sorted(server.iterdir())
    for command in (["doctor"], ["backup", str(tmp_path / "saved.zip")], ["up"]):
        refused = run_manage(*command, "--data", str(server))
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert refused.stderr.startswith(f"The database of {server} is in PostgreSQL (")
        assert sorted(server.iterdir()) == was_there
    process = run_manage("backup", str(tmp_path / "saved.zip"), "--data", str(server), DATABASE_URL=database)
    assert process.returncode == 0, process.stderr
