"""A program that finds the data of an older one, or of a newer one."""

from __future__ import annotations

import lzma
import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from operations.data_dir import PROJECT
from operations.upgrading.verified_copy import MOST, digest_tables

from .conftest import FRENCH, environment, manage

pytestmark = pytest.mark.slow

OLDER = PROJECT / "tests/upgrades/07-club-life.sqlite3.xz"


@pytest.fixture
def older_folder(tmp_path: Path, prepared_folder: Path) -> Path:
    """A data folder that an older version has left."""
    folder = shutil.copytree(prepared_folder, tmp_path / "data")
    database_in(folder).write_bytes(lzma.decompress(OLDER.read_bytes()))
    return folder


def database_in(folder: Path) -> Path:
    return folder / "charlemagne.sqlite3"


def said_by(folder: Path, query: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(database_in(folder))) as database:
        return database.execute(query).fetchall()


def contents_of(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return digest_tables(database)


class TestAProgramOlderThanItsData:
    @pytest.fixture
    def newer_folder(self, tmp_path: Path, prepared_folder: Path) -> Path:
        folder = shutil.copytree(prepared_folder, tmp_path / "data")
        with closing(sqlite3.connect(database_in(folder))) as database, database:
            database.execute(
                "INSERT INTO django_migrations (app, name, applied) "
                "VALUES ('tournaments', '0999_lots_of_two', '2031-03-04 19:00:00')"
            )
        return folder

    def test_refuses_to_start_in_one_sentence_and_says_what_to_do(self, newer_folder: Path) -> None:
        before = contents_of(database_in(newer_folder))
        refused = manage("up", "--data", str(newer_folder))
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == (
            "A newer Charlemagne updated these data on 2031-03-04 (tournaments 0999_lots_of_two), so this "
            "version cannot read them. Start the newer version again; or restore a copy from before the "
            f"update, in {newer_folder / 'backups'} (docs/operating/backups.md).\n"
        )
        assert contents_of(database_in(newer_folder)) == before

    def test_says_it_in_french(self, newer_folder: Path) -> None:
        refused = manage("up", "--data", str(newer_folder), **FRENCH)
        assert refused.returncode == 2
        assert "Un Charlemagne plus récent a mis ces données à jour le 2031-03-04" in refused.stderr
        assert "Relancez la version récente" in refused.stderr


class TestAProgramNewerThanItsData:
    @pytest.mark.long("an update is started: the last one of the class stays")
    def test_copies_them_before_it_migrates_them(self, older_folder: Path) -> None:
        before = contents_of(database_in(older_folder))
        first = manage("rebuild_matches", "--data", str(older_folder))
        assert first.returncode == 0, first.stderr
        (copy,) = (older_folder / "backups").iterdir()
        assert f"Backup before the update, written and verified: {copy}" in first.stderr
        assert contents_of(copy) == before
        assert not manage("showmigrations", "--data", str(older_folder)).stderr
        assert [copy] == list((older_folder / "backups").iterdir())

    def test_brings_them_up_to_date_and_keeps_the_last_copies_only(self, older_folder: Path) -> None:
        copies = older_folder / "backups"
        copies.mkdir()
        old = [copies / f"202{year}-01-01-190000-before-upgrade.sqlite3" for year in range(MOST)]
        for path in old:
            path.touch()
        shown = manage("showmigrations", "--data", str(older_folder))
        assert "[X]" in shown.stdout
        assert "[ ]" not in shown.stdout
        left = sorted(copies.iterdir())
        assert (len(left), left[:-1]) == (MOST, old[1:])

    @pytest.mark.long("an update is started: the last one of the class stays")
    def test_finds_names_with_ligatures_by_their_letters_from_then_on(self, older_folder: Path) -> None:
        with closing(sqlite3.connect(database_in(older_folder))) as database, database:
            database.execute(
                "UPDATE clubs_person SET name = 'Zoé Cœur', folded_name = 'zoe cœur' WHERE id = 1"
            )
        assert manage("showmigrations", "--data", str(older_folder)).returncode == 0
        assert said_by(older_folder, "SELECT name, folded_name FROM clubs_person WHERE id = 1") == [
            ("Zoé Cœur", "zoe coeur")
        ]

    def test_changes_nothing_where_the_disk_is_full(self, older_folder: Path) -> None:
        before = contents_of(database_in(older_folder))
        unrecorded = environment()
        unrecorded.pop("COVERAGE_PROCESS_START", None)  # the map's own file would have no room either
        refused = subprocess.run(
            [sys.executable, "manage.py", "up", "--data", str(older_folder)],
            cwd=PROJECT, env=unrecorded, capture_output=True, encoding="utf-8", check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
        )  # fmt: skip
        assert refused.returncode == 2
        assert refused.stderr.startswith(
            f"The backup to {older_folder / 'backups'} before the update failed ("
        )
        assert refused.stderr.endswith(
            "). Nothing was changed. If the disk is full, free some space, then start again.\n"
        )
        assert refused.stderr.count("\n") == 1
        assert contents_of(database_in(older_folder)) == before
        assert not list((older_folder / "backups").iterdir())

    def test_changes_nothing_where_the_data_are_damaged(self, older_folder: Path) -> None:
        whole = database_in(older_folder).read_bytes()
        middle = len(whole) // 2
        damaged = whole[:middle] + b"\x55" * 20_000 + whole[middle + 20_000 :]
        database_in(older_folder).write_bytes(damaged)
        refused = manage("up", "--data", str(older_folder))
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "is damaged" in refused.stderr
        header = 100  # bytes, in which the way of writing is noted
        assert database_in(older_folder).read_bytes()[header:] == damaged[header:]
        assert not (older_folder / "backups").exists()
