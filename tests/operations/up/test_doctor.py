"""`doctor` in a terminal: a line for each thing that was looked at, status 0 where all is well."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from operations.data_dir import DATABASE, KEY

from .conftest import FRENCH, Up, manage

pytestmark = pytest.mark.slow


@pytest.fixture
def data(tmp_path: Path, prepared_folder: Path) -> Path:
    return shutil.copytree(prepared_folder, tmp_path / "data")


def test_an_installation_that_is_well_gets_status_0(data: Path) -> None:
    ended = manage("doctor", "--data", str(data))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.splitlines()[-1] == "All is well."


def test_it_asks_a_running_program_whether_it_answers(up: Up) -> None:
    ended = manage("doctor", "--data", str(up.data), **FRENCH)
    assert f"Le programme répond à http://127.0.0.1:{up.port}/" in ended.stdout, ended.stdout + ended.stderr


def test_before_the_night_it_asks_for_a_phone(up: Up) -> None:
    ended = manage("doctor", "--before-the-night", "--data", str(up.data), **FRENCH)
    assert "!!  Aucun téléphone n’a joint cet ordinateur" in ended.stdout, ended.stdout + ended.stderr
    assert "restaurée" not in ended.stdout


def test_a_damaged_database_is_one_line_of_it(data: Path) -> None:
    with (data / DATABASE).open("r+b") as file:
        file.seek(40 * 4096)
        file.write(b"\xab" * 20_000)
    ended = manage("doctor", "--data", str(data))
    assert ended.returncode == 1
    assert "XX  Database damaged (" in ended.stdout


def test_it_changes_nothing_of_a_database_that_waits_for_its_steps(data: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE)) as database, database:
        database.execute("DELETE FROM django_migrations WHERE app = 'live'")
    before = (data / DATABASE).read_bytes()
    ended = manage("doctor", "--data", str(data))
    assert ended.returncode == 1
    assert "The next start backs it up, then updates it" in ended.stdout
    assert (data / DATABASE).read_bytes() == before
    assert not (data / "backups").exists()


def test_a_lost_key_is_said(data: Path) -> None:
    (data / KEY).unlink()
    ended = manage("doctor", "--data", str(data))
    assert ended.returncode == 2
    assert "is missing. Restore it" in ended.stderr
    assert not (data / KEY).exists()


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    ended = manage("doctor", "--data", str(tmp_path / "none"))
    assert (ended.returncode, ended.stderr) == (
        2, f"Data folder not found: {tmp_path / 'none'}. Name the right one: --data FOLDER.\n",
    )  # fmt: skip
    assert not (tmp_path / "none").exists()


def test_a_program_of_another_folder_is_not_taken_for_its_own(up: Up, tmp_path: Path) -> None:
    copy = shutil.copytree(up.data, tmp_path / "copy")
    ended = manage("doctor", "--data", str(copy))
    assert f"XX  The program at http://127.0.0.1:{up.port}/ uses another folder." in ended.stdout
    assert ended.returncode == 1
