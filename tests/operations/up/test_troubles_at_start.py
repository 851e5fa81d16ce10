"""Faults of a data folder that `up` finds: a sentence, what to do, status 2; the folder stays as it was."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from operations.data_dir import DATABASE, FIRST_START, KEY, open_folder, secret_key
from operations.start.lock import is_as_it_was_left
from operations.start.sqlite_file import DamagedDatabase, check_file
from tests.places import free_port
from tests.support.waiting import wait_until

from .conftest import FRENCH, Up, manage, starts

pytestmark = pytest.mark.slow


def refused(data: Path, *more: str, **variables: str) -> str:
    """Return what `up` says that does not start, in one line after what it prepared."""
    ended = manage("up", "--port", str(free_port()), "--data", str(data), *more, **variables)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stderr.splitlines()[-1]


@pytest.fixture
def data(tmp_path: Path, prepared_folder: Path) -> Path:
    return shutil.copytree(prepared_folder, tmp_path / "data")


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "its beginning is overwritten": lambda path: overwrite(path, 0, b"\0" * 100),
    "a part of its middle is overwritten": lambda path: overwrite(path, 40 * 4096, b"\xab" * 20_000),
    "its end is cut off": lambda path: os.truncate(path, path.stat().st_size // 2),
    "it is another kind of file": lambda path: overwrite(path, 0, b"Dear club,\n" * 500),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_database_is_said_to_be_so_with_the_commands_that_restore_a_backup(
    data: Path, damage: Callable[[Path], None]
) -> None:
    damage(data / DATABASE)
    content = (data / DATABASE).read_bytes()
    said = refused(data)
    assert said.startswith(f"The database in {data} is damaged (")
    assert f"python3 manage.py restore BACKUP.zip --data {data}-2, then python3 manage.py up" in said
    assert (data / DATABASE).read_bytes() == content
    assert refused(data, **FRENCH).startswith(f"La base de données de {data} est endommagée (")


def test_the_sentence_names_the_newest_copy_of_before_an_update_too(data: Path) -> None:
    (data / "backups").mkdir()
    for age, name in enumerate(["2026-11-20-190000", "2026-10-20-190000"]):
        copy = shutil.copy(data / DATABASE, data / "backups" / f"{name}-before-upgrade.sqlite3")
        os.utime(copy, (1e9 - age * 86400,) * 2)
    overwrite(data / DATABASE, 0, b"\0" * 100)
    said = refused(data)
    newest = data / "backups" / "2026-11-20-190000-before-upgrade.sqlite3"
    assert f"from before an update is {newest}." in said
    assert f"d'avant une mise à jour est {newest}." in refused(data, **FRENCH)
    other = Path(f"{data}-2")
    other.mkdir()
    shutil.copy(newest, other / DATABASE)
    shutil.copy(data / KEY, other / KEY)
    assert "http" in starts(other)


def test_the_sentence_names_the_newest_backup_that_lies_in_the_folder(data: Path) -> None:
    (data / "backups").mkdir()
    for age, name in enumerate(["today.zip", "yesterday.zip"]):
        (data / "backups" / name).touch()
        os.utime(data / "backups" / name, (1e9 - age * 86400,) * 2)
    (data / DATABASE).write_bytes(b"no database")
    assert f"restore {data}/backups/today.zip --data {data}-2" in refused(data)


@pytest.mark.long("many starts")
def test_the_commands_of_the_sentence_bring_the_club_back(data: Path, backup: Path) -> None:
    (data / DATABASE).write_bytes(b"no database")
    refused(data)
    restored = manage("restore", str(backup), "--data", f"{data}-2")
    assert restored.returncode == 0, restored.stderr


def delete(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def empty_of_tables(path: Path) -> None:
    path.unlink()
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode=WAL")
    database.close()


@pytest.mark.long("many starts: the right key put back stays")
@pytest.mark.parametrize("spoil", [delete, empty, empty_of_tables])
def test_no_club_is_begun_beside_the_key_of_another(data: Path, spoil: Callable[[Path], None]) -> None:
    spoil(data / DATABASE)
    for _ in range(2):  # nor the next time
        said = refused(data)
        assert said.startswith(f"{data} was in use before, but its database (charlemagne.sqlite3) is missing")
    assert "/start/" not in said


@pytest.mark.long("many starts")
def test_a_restore_that_fails_does_not_make_a_new_club_of_an_old_folder(
    data: Path, backup: Path, tmp_path: Path
) -> None:
    delete(data / DATABASE)
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no archive")
    assert manage("restore", str(broken), "--data", str(data)).returncode == 1
    assert "was in use before" in refused(data)
    assert manage("restore", str(backup), "--data", str(data)).returncode == 0


def test_a_first_start_that_was_killed_before_the_database_was_whole_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / FIRST_START).touch()
    (data / KEY).write_text("a key of more than fifty letters, as the first start makes them")
    (data / DATABASE).touch()
    assert "/start/" in starts(data)
    assert not (data / FIRST_START).exists()


def test_a_key_made_by_another_command_does_not_end_the_first_start(tmp_path: Path) -> None:
    secret_key(tmp_path / "data")  # as the settings do for --help
    assert (tmp_path / "data" / FIRST_START).exists()


def test_a_folder_of_an_earlier_version_starts_as_before_and_is_known_from_then_on(data: Path) -> None:
    assert manage("migrate", "config", "zero", "--data", str(data)).returncode == 0
    with sqlite3.connect(data / DATABASE) as database:
        assert not database.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'config_installation'"
        ).fetchone()
    database.close()
    assert "/start/" in starts(data)
    (data / KEY).write_text("another key of more than fifty letters, of another folder of data")
    assert "Restore its secret.key" in refused(data)


KEYS: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (empty, "is empty"),
    "of zeros, as a loss of power leaves it": (lambda path: path.write_bytes(b"\0" * 64), "is empty"),
    "missing": (delete, "is missing"),
    "of another folder": (lambda path: path.write_text("k" * 64), "Restore its secret.key"),
}


@pytest.mark.long("many starts: the right key put back stays")
@pytest.mark.parametrize(("spoil", "told"), KEYS.values(), ids=KEYS)
def test_a_key_that_does_not_fit_is_said_with_what_breaks_and_a_new_one_is_taken_only_if_wanted(
    data: Path, spoil: Callable[[Path], object], told: str
) -> None:
    spoil(data / KEY)
    for _ in range(2):
        said = refused(data)
        assert told in said
        assert "everybody must then sign in again" in said
    assert "/start/" in starts(data, "--new-key")
    assert "/start/" in starts(data)  # it is this one from now on


def test_the_right_key_put_back_is_all_it_takes(data: Path) -> None:
    right = (data / KEY).read_bytes()
    (data / KEY).write_text("k" * 64)
    refused(data)
    (data / KEY).write_bytes(right)
    starts(data)


@pytest.mark.long("many starts: the right key put back stays")
def test_the_right_key_that_is_found_after_all_is_taken_as_a_new_one(data: Path) -> None:
    right = (data / KEY).read_bytes()
    (data / KEY).write_text("k" * 64)
    starts(data, "--new-key")
    (data / KEY).write_bytes(right)
    assert "start once with --new-key" in refused(data)
    starts(data, "--new-key")
    starts(data)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of 24 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def fill(disk: Path, *, but: int = 0) -> None:
    with (disk / "filling").open("wb") as filling:
        filling.write(b"\0" * (shutil.disk_usage(disk).free - but))


@pytest.mark.long("many first starts")
@pytest.mark.parametrize("left", [0, 64 * 1024, 512 * 1024, 1024 * 1024])
def test_a_first_start_on_a_full_disk_gets_one_sentence_wherever_the_space_ends(
    tiny_disk: Path, left: int
) -> None:
    data = tiny_disk / "data"
    data.mkdir()
    fill(tiny_disk, but=left)
    commanded = manage("showmigrations", "--data", str(data))  # which wants less space than `up`
    assert (commanded.returncode, "Traceback" in commanded.stderr) == (2, False), commanded.stderr
    for said in (commanded.stderr.splitlines()[-1], refused(data)):
        assert said == f"No space left for {data}. Nothing is lost: free about 100 MB, then start again."
    (tiny_disk / "filling").unlink()
    assert manage("showmigrations", "--data", str(data)).returncode == 0


def test_a_night_is_not_begun_on_a_disk_that_is_about_to_be_full(
    tiny_disk: Path, prepared_folder: Path
) -> None:
    data = shutil.copytree(prepared_folder, tiny_disk / "data")
    fill(tiny_disk, but=1024 * 1024)
    assert refused(data).startswith(f"No space left for {data}.")


WITHOUT_ROOTS_RIGHTS = ("setpriv", "--bounding-set=-all")


@pytest.mark.skipif(
    shutil.which("setpriv") is None, reason="only root gives files to others, and needs setpriv"
)
@pytest.mark.parametrize("part", [DATABASE, KEY, "messages", "static", "static.stamp", "locale"])
def test_a_part_that_belongs_to_somebody_else_is_named(data: Path, part: str) -> None:
    (data / "messages").mkdir(exist_ok=True)
    (data / part).chmod(0o700 if (data / part).is_dir() else 0o600)
    os.chown(data / part, 65534, 65534)
    ended = manage("up", "--data", str(data), through=WITHOUT_ROOTS_RIGHTS)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"Your account cannot read and write {data / part}.")


def test_a_part_that_a_running_up_takes_away_while_it_is_looked_at_belongs_to_nobody(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def goes_meanwhile(part: Path, mode: int) -> bool:
        shutil.rmtree(part) if part.is_dir() else part.unlink(missing_ok=True)
        return False

    monkeypatch.setattr(os, "access", goes_meanwhile)
    open_folder(data)


def test_a_second_up_on_the_same_folder_says_where_the_first_one_is_reached(up: Up) -> None:
    assert refused(up.data) == (
        f"Charlemagne is already running on {up.data}: http://127.0.0.1:{up.port}/. "
        "Open that address; or stop it first, or choose another folder: --data FOLDER."
    )
    assert refused(up.data, **FRENCH).startswith(f"Charlemagne tourne déjà sur {up.data} : http://127.0.0.1:")
    assert up.answers()


def test_beside_a_running_up_one_may_back_up_but_not_restore(up: Up, tmp_path: Path) -> None:
    saved = tmp_path / "saved.zip"
    assert manage("backup", str(saved), "--data", str(up.data)).returncode == 0
    restored = manage("restore", str(saved), "--data", str(up.data))
    assert restored.returncode == 2
    assert restored.stderr.startswith(f"Charlemagne is already running on {up.data}: ")


def test_a_folder_is_as_up_left_it_until_somebody_writes_to_its_database(data: Path) -> None:
    up = Up(data)
    try:
        wait_until(up.greets)
        assert not is_as_it_was_left(data, data / DATABASE)  # it runs
    finally:
        up.end()
    assert is_as_it_was_left(data, data / DATABASE)
    with closing(sqlite3.connect(data / DATABASE)) as database, database:
        database.execute("DELETE FROM jobs_job")
    assert not is_as_it_was_left(data, data / DATABASE)


def test_damage_in_the_midst_is_found_where_the_whole_file_is_looked_through(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE hand (points TEXT)")
        database.executemany("INSERT INTO hand VALUES (?)", [("x" * 1000,)] * 1000)
    check_file(path, is_looked_through=True)
    overwrite(path, 100 * 4096, b"\xab" * 20_000)
    check_file(path, is_looked_through=False)
    with pytest.raises(DamagedDatabase):
        check_file(path, is_looked_through=True)


def test_a_database_server_that_is_not_there_is_said_with_its_reason(data: Path) -> None:
    port = free_port()
    said = refused(data, DATABASE_URL=f"postgresql://127.0.0.1:{port}/hall")
    assert said.startswith("The database server does not answer (")
    assert f"port {port} failed: Connection refused" in said
    assert "check DATABASE_URL" in said
