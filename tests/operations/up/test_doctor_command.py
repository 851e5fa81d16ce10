"""`doctor` in a terminal: one line for each check, status 0 if all is well."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from operations.data_dir import DATABASE_FILE, KEY_FILE

from .conftest import FRENCH, RunningUp, run_manage

pytestmark = pytest.mark.slow


@pytest.fixture
def data(tmp_path: Path, prepared_folder: Path) -> Path:
    return shutil.copytree(prepared_folder, tmp_path / "data")


@pytest.mark.long
def test_healthy_installation_exits_with_status_0(data: Path) -> None:
    ended = run_manage("doctor", "--data", str(data))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.splitlines()[-1] == "All is well."


def test_doctor_checks_that_a_running_program_answers(up: RunningUp) -> None:
    ended = run_manage("doctor", "--data", str(up.data), **FRENCH)
    assert f"Le programme répond à http://127.0.0.1:{up.port}/" in ended.stdout, ended.stdout + ended.stderr


def test_night_check_asks_for_a_phone(up: RunningUp) -> None:
    ended = run_manage("doctor", "--before-the-night", "--data", str(up.data), **FRENCH)
    assert "!!  Aucun téléphone n’a joint cet ordinateur" in ended.stdout, ended.stdout + ended.stderr
    assert "restaurée" not in ended.stdout


def test_damaged_database_is_reported_on_one_line(data: Path) -> None:
    with (data / DATABASE_FILE).open("r+b") as file:
        file.seek(40 * 4096)
        file.write(b"\xab" * 20_000)
    ended = run_manage("doctor", "--data", str(data))
    assert ended.returncode == 1
    assert "XX  Database damaged (" in ended.stdout


@pytest.mark.long
def test_doctor_does_not_migrate_an_outdated_database(data: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE_FILE)) as database, database:
        database.execute("DELETE FROM django_migrations WHERE app = 'live'")
    before = (data / DATABASE_FILE).read_bytes()
    ended = run_manage("doctor", "--data", str(data))
    assert ended.returncode == 1
    assert "The next start backs it up, then updates it" in ended.stdout
    assert (data / DATABASE_FILE).read_bytes() == before
    assert not (data / "backups").exists()


@pytest.mark.long
def test_lost_key_is_reported(data: Path) -> None:
    (data / KEY_FILE).unlink()
    ended = run_manage("doctor", "--data", str(data))
    assert ended.returncode == 2
    assert "is missing. Restore it" in ended.stderr
    assert not (data / KEY_FILE).exists()


def test_missing_folder_is_not_created(tmp_path: Path) -> None:
    ended = run_manage("doctor", "--data", str(tmp_path / "none"))
    assert (ended.returncode, ended.stderr) == (
        2, f"Data folder not found: {tmp_path / 'none'}. Name the right one: --data FOLDER.\n",
    )  # fmt: skip
    assert not (tmp_path / "none").exists()


@pytest.mark.long
def test_program_on_another_folder_is_not_mistaken_for_this_one(up: RunningUp, tmp_path: Path) -> None:
    copy = shutil.copytree(up.data, tmp_path / "copy")
    ended = run_manage("doctor", "--data", str(copy))
    assert f"XX  The program at http://127.0.0.1:{up.port}/ uses another folder." in ended.stdout
    assert ended.returncode == 1
