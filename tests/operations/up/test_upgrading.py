"""Data of an older version is migrated; data of a newer version is refused."""

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
from operations.upgrading.verified_copy import MAX_COPIES, compute_tables_digest

from .conftest import FRENCH, build_environment, run_manage

pytestmark = pytest.mark.slow

OLDER = PROJECT / "tests/upgrades/07-club-life.sqlite3.xz"


@pytest.fixture
def older_folder(tmp_path: Path, prepared_folder: Path) -> Path:
    """Return a data folder that an older version has written."""
    folder = shutil.copytree(prepared_folder, tmp_path / "data")
    get_database_path(folder).write_bytes(lzma.decompress(OLDER.read_bytes()))
    return folder


def get_database_path(folder: Path) -> Path:
    return folder / "charlemagne.sqlite3"


def run_query(folder: Path, query: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(get_database_path(folder))) as database:
        return database.execute(query).fetchall()


def digest_database(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return compute_tables_digest(database)


class TestOlderProgram:
    @pytest.fixture
    def newer_folder(self, tmp_path: Path, prepared_folder: Path) -> Path:
        folder = shutil.copytree(prepared_folder, tmp_path / "data")
        with closing(sqlite3.connect(get_database_path(folder))) as database, database:
            database.execute(
                "INSERT INTO django_migrations (app, name, applied) "
                "VALUES ('tournaments', '0999_lots_of_two', '2031-03-04 19:00:00')"
            )
        return folder

    def test_older_program_refuses_newer_data_with_instructions(self, newer_folder: Path) -> None:
        before = digest_database(get_database_path(newer_folder))
        refused = run_manage("up", "--data", str(newer_folder))
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == (
            "A newer Charlemagne updated these data on 2031-03-04 (tournaments 0999_lots_of_two), so this "
            "version cannot read them. Start the newer version again; or restore a copy from before the "
            f"update, in {newer_folder / 'backups'} (docs/operating/backups.md).\n"
        )
        assert digest_database(get_database_path(newer_folder)) == before

    @pytest.mark.long
    def test_older_program_refuses_newer_data_in_french(self, newer_folder: Path) -> None:
        refused = run_manage("up", "--data", str(newer_folder), **FRENCH)
        assert refused.returncode == 2
        assert "Un Charlemagne plus récent a mis ces données à jour le 2031-03-04" in refused.stderr
        assert "Relancez la version récente" in refused.stderr


@pytest.mark.long
class TestNewerProgram:
    @pytest.mark.long("starts an update; the last test of the class is not long")
    def test_update_copies_the_database_before_migrating(self, older_folder: Path) -> None:
        before = digest_database(get_database_path(older_folder))
        first = run_manage("rebuild_matches", "--data", str(older_folder))
        assert first.returncode == 0, first.stderr
        (copy,) = (older_folder / "backups").iterdir()
        assert f"Backup before the update, written and verified: {copy}" in first.stderr
        assert digest_database(copy) == before
        assert not run_manage("showmigrations", "--data", str(older_folder)).stderr
        assert [copy] == list((older_folder / "backups").iterdir())

    def test_update_migrates_and_keeps_only_the_latest_copies(self, older_folder: Path) -> None:
        copies = older_folder / "backups"
        copies.mkdir()
        old = [copies / f"202{year}-01-01-190000-before-upgrade.sqlite3" for year in range(MAX_COPIES)]
        for path in old:
            path.touch()
        shown = run_manage("showmigrations", "--data", str(older_folder))
        assert "[X]" in shown.stdout
        assert "[ ]" not in shown.stdout
        left = sorted(copies.iterdir())
        assert (len(left), left[:-1]) == (MAX_COPIES, old[1:])

    @pytest.mark.long("starts an update; the last test of the class is not long")
    def test_update_makes_ligatures_searchable_by_their_letters(self, older_folder: Path) -> None:
        with closing(sqlite3.connect(get_database_path(older_folder))) as database, database:
            database.execute("UPDATE clubs_person SET name = 'Zoé Cœur', folded_name = 'zoe cœur' WHERE id = 1")
        assert run_manage("showmigrations", "--data", str(older_folder)).returncode == 0
        assert run_query(older_folder, "SELECT name, folded_name FROM clubs_person WHERE id = 1") == [
            ("Zoé Cœur", "zoe coeur")
        ]

    def test_update_on_a_full_disk_changes_nothing(self, older_folder: Path) -> None:
        before = digest_database(get_database_path(older_folder))
        unrecorded = build_environment()
        unrecorded.pop("COVERAGE_PROCESS_START", None)  # the file of coverage data would exceed the limit too
        refused = subprocess.run(
            [sys.executable, "manage.py", "up", "--data", str(older_folder)],
            cwd=PROJECT, env=unrecorded, capture_output=True, encoding="utf-8", check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
        )  # fmt: skip
        assert refused.returncode == 2
        assert refused.stderr.startswith(f"The backup to {older_folder / 'backups'} before the update failed (")
        assert refused.stderr.endswith(
            "). Nothing was changed. If the disk is full, free some space, then start again.\n"
        )
        assert refused.stderr.count("\n") == 1
        assert digest_database(get_database_path(older_folder)) == before
        assert not list((older_folder / "backups").iterdir())

    def test_update_of_damaged_data_changes_nothing(self, older_folder: Path) -> None:
        whole = get_database_path(older_folder).read_bytes()
        middle = len(whole) // 2
        damaged = whole[:middle] + b"\x55" * 20_000 + whole[middle + 20_000 :]
        get_database_path(older_folder).write_bytes(damaged)
        refused = run_manage("up", "--data", str(older_folder))
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "is damaged" in refused.stderr
        header = 100  # bytes of the header, which records the journal mode
        assert get_database_path(older_folder).read_bytes()[header:] == damaged[header:]
        assert not (older_folder / "backups").exists()
