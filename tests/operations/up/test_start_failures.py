"""Faulty data folders: `up` exits with status 2 and one instruction, and leaves the folder unchanged."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from operations.data_dir import DATABASE_FILE, FIRST_START_FILE, KEY_FILE, get_secret_key, open_folder
from operations.start.lock import LOCK_FILE, is_unchanged_since_end
from operations.start.sqlite_file import DamagedDatabaseError, check_sqlite_file
from tests.support.waiting import wait_until
from tests.workspaces import find_free_port

from .conftest import FRENCH, RunningUp, run_manage, start_and_stop

pytestmark = pytest.mark.slow


def get_refusal_line(data: Path, *more: str, **variables: str) -> str:
    """Return the last line of an `up` that refuses to start, after the output of its preparation."""
    ended = run_manage("up", "--port", str(find_free_port()), "--data", str(data), *more, **variables)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stderr.splitlines()[-1]


@pytest.fixture
def data(tmp_path: Path, prepared_folder: Path) -> Path:
    return shutil.copytree(prepared_folder, tmp_path / "data")


def overwrite_bytes(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "its beginning is overwritten": lambda path: overwrite_bytes(path, 0, b"\0" * 100),
    "a part of its middle is overwritten": lambda path: overwrite_bytes(path, 40 * 4096, b"\xab" * 20_000),
    "its end is cut off": lambda path: os.truncate(path, path.stat().st_size // 2),
    "it is another kind of file": lambda path: overwrite_bytes(path, 0, b"Dear club,\n" * 500),
}


@pytest.mark.long
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_database_is_reported_with_restore_commands(data: Path, damage: Callable[[Path], None]) -> None:
    damage(data / DATABASE_FILE)
    content = (data / DATABASE_FILE).read_bytes()
    refusal_line = get_refusal_line(data)
    assert refusal_line.startswith(f"The database in {data} is damaged (")
    assert f"python3 manage.py restore BACKUP.zip --data {data}-2, then python3 manage.py up" in refusal_line
    assert (data / DATABASE_FILE).read_bytes() == content
    assert get_refusal_line(data, **FRENCH).startswith(f"La base de données de {data} est endommagée (")


@pytest.mark.long
def test_refusal_names_the_newest_copy_before_an_update(data: Path) -> None:
    (data / "backups").mkdir()
    for age, name in enumerate(["2026-11-20-190000", "2026-10-20-190000"]):
        copy = shutil.copy(data / DATABASE_FILE, data / "backups" / f"{name}-before-upgrade.sqlite3")
        os.utime(copy, (1e9 - age * 86400,) * 2)
    overwrite_bytes(data / DATABASE_FILE, 0, b"\0" * 100)
    refusal_line = get_refusal_line(data)
    newest = data / "backups" / "2026-11-20-190000-before-upgrade.sqlite3"
    assert f"from before an update is {newest}." in refusal_line
    assert f"d'avant une mise à jour est {newest}." in get_refusal_line(data, **FRENCH)
    other = Path(f"{data}-2")
    other.mkdir()
    shutil.copy(newest, other / DATABASE_FILE)
    shutil.copy(data / KEY_FILE, other / KEY_FILE)
    assert "http" in start_and_stop(other)


def test_refusal_names_the_newest_backup_in_the_folder(data: Path) -> None:
    (data / "backups").mkdir()
    for age, name in enumerate(["today.zip", "yesterday.zip"]):
        (data / "backups" / name).touch()
        os.utime(data / "backups" / name, (1e9 - age * 86400,) * 2)
    (data / DATABASE_FILE).write_bytes(b"no database")
    assert f"restore {data}/backups/today.zip --data {data}-2" in get_refusal_line(data)


@pytest.mark.long("starts many servers")
def test_suggested_commands_restore_the_club(data: Path, backup: Path) -> None:
    (data / DATABASE_FILE).write_bytes(b"no database")
    get_refusal_line(data)
    restored = run_manage("restore", str(backup), "--data", f"{data}-2")
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


@pytest.mark.long("starts many servers; the test of the restored key is not long")
@pytest.mark.parametrize("spoil", [delete, empty, empty_of_tables])
def test_start_without_the_database_creates_no_new_club(data: Path, spoil: Callable[[Path], None]) -> None:
    spoil(data / DATABASE_FILE)
    for _ in range(2):  # also at the second attempt
        refusal_line = get_refusal_line(data)
        assert refusal_line.startswith(f"{data} was in use before, but its database (charlemagne.sqlite3) is missing")
    assert "/start/" not in refusal_line


@pytest.mark.long("starts many servers")
def test_failed_restore_does_not_create_a_new_club(data: Path, backup: Path, tmp_path: Path) -> None:
    delete(data / DATABASE_FILE)
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no archive")
    assert run_manage("restore", str(broken), "--data", str(data)).returncode == 1
    assert "was in use before" in get_refusal_line(data)
    assert run_manage("restore", str(backup), "--data", str(data)).returncode == 0


@pytest.mark.long
def test_killed_first_start_can_be_resumed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / FIRST_START_FILE).touch()
    (data / KEY_FILE).write_text("a key of more than fifty letters, as the first start makes them")
    (data / DATABASE_FILE).touch()
    assert "/start/" in start_and_stop(data)
    assert not (data / FIRST_START_FILE).exists()


def test_key_created_by_another_command_keeps_the_first_start_open(tmp_path: Path) -> None:
    get_secret_key(tmp_path / "data")  # as the settings do for --help
    assert (tmp_path / "data" / FIRST_START_FILE).exists()


@pytest.mark.long("starts twice")
def test_folder_of_an_earlier_version_starts_and_remembers_its_key(data: Path) -> None:
    assert run_manage("migrate", "config", "zero", "--data", str(data)).returncode == 0
    with sqlite3.connect(data / DATABASE_FILE) as database:
        assert not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'config_installation'").fetchone()
    database.close()
    assert "/start/" in start_and_stop(data)
    (data / KEY_FILE).write_text("another key of more than fifty letters, of another folder of data")
    assert "Restore its secret.key" in get_refusal_line(data)


KEYS: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (empty, "is empty"),
    "of zeros, as a loss of power leaves it": (lambda path: path.write_bytes(b"\0" * 64), "is empty"),
    "missing": (delete, "is missing"),
    "of another folder": (lambda path: path.write_text("k" * 64), "Restore its secret.key"),
}


@pytest.mark.long("starts many servers; the test of the restored key is not long")
@pytest.mark.parametrize(("spoil", "message"), KEYS.values(), ids=KEYS)
def test_wrong_key_is_reported_and_replaced_only_on_request(
    data: Path, spoil: Callable[[Path], object], message: str
) -> None:
    spoil(data / KEY_FILE)
    for _ in range(2):
        refusal_line = get_refusal_line(data)
        assert message in refusal_line
        assert "everybody must then sign in again" in refusal_line
    assert "/start/" in start_and_stop(data, "--new-key")
    assert "/start/" in start_and_stop(data)  # the new key is kept from now on


@pytest.mark.long
def test_restored_key_is_sufficient(data: Path) -> None:
    right = (data / KEY_FILE).read_bytes()
    (data / KEY_FILE).write_text("k" * 64)
    get_refusal_line(data)
    (data / KEY_FILE).write_bytes(right)
    start_and_stop(data)


@pytest.mark.long("starts many servers; the test of the restored key is not long")
def test_original_key_is_accepted_again_as_a_new_one(data: Path) -> None:
    right = (data / KEY_FILE).read_bytes()
    (data / KEY_FILE).write_text("k" * 64)
    start_and_stop(data, "--new-key")
    (data / KEY_FILE).write_bytes(right)
    assert "start once with --new-key" in get_refusal_line(data)
    start_and_stop(data, "--new-key")
    start_and_stop(data)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Yield a file system of 24 MB."""
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


@pytest.mark.long("starts many new installations")
@pytest.mark.parametrize("left", [0, 64 * 1024, 512 * 1024, 1024 * 1024])
def test_first_start_on_a_full_disk_gets_one_sentence(tiny_disk: Path, left: int) -> None:
    data = tiny_disk / "data"
    data.mkdir()
    fill(tiny_disk, but=left)
    commanded = run_manage("showmigrations", "--data", str(data))  # needs less space than `up`
    assert (commanded.returncode, "Traceback" in commanded.stderr) == (2, False), commanded.stderr
    for line in (commanded.stderr.splitlines()[-1], get_refusal_line(data)):
        assert line == f"No space left for {data}. Nothing is lost: free about 100 MB, then start again."
    (tiny_disk / "filling").unlink()
    assert run_manage("showmigrations", "--data", str(data)).returncode == 0


def test_start_on_a_nearly_full_disk_is_refused(tiny_disk: Path, prepared_folder: Path) -> None:
    data = shutil.copytree(prepared_folder, tiny_disk / "data")
    fill(tiny_disk, but=1024 * 1024)
    assert get_refusal_line(data).startswith(f"No space left for {data}.")


DROP_RIGHTS_COMMAND = ("setpriv", "--bounding-set=-all")


@pytest.mark.long
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="only root gives files to others, and needs setpriv")
@pytest.mark.parametrize("part", [DATABASE_FILE, KEY_FILE, LOCK_FILE, "messages", "static", "static.stamp", "locale"])
def test_file_owned_by_another_account_is_named(data: Path, part: str) -> None:
    (data / "messages").mkdir(exist_ok=True)
    (data / part).touch()
    (data / part).chmod(0o700 if (data / part).is_dir() else 0o600)
    os.chown(data / part, 65534, 65534)
    ended = run_manage("up", "--data", str(data), through=DROP_RIGHTS_COMMAND)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"Your account cannot read and write {data / part}.")


WRONG_KINDS = {
    LOCK_FILE: "should be a file. Rename it, then start again.",
    KEY_FILE: "should be a file. Rename it, then start again.",
    "static": "should be a folder. Rename it, then start again.",
    "static/staticfiles.json": "cannot be read or written (Is a directory). Rename it, then start again.",
}


@pytest.mark.parametrize(("part", "message"), WRONG_KINDS.items(), ids=WRONG_KINDS)
def test_part_of_another_kind_is_named(data: Path, part: str, message: str) -> None:
    path = data / part
    if part == "static":
        path.rename(data / "renamed")
        path.touch()
    else:
        path.unlink(missing_ok=True)
        path.mkdir()
    assert get_refusal_line(data) == f"{path} {message}"


@pytest.mark.parametrize("part", [LOCK_FILE, DATABASE_FILE])
def test_part_that_is_a_dangling_link_is_named(data: Path, part: str, tmp_path: Path) -> None:
    (data / part).unlink(missing_ok=True)
    (data / part).symlink_to(tmp_path / "unplugged" / part)
    assert get_refusal_line(data).startswith(f"{data / part} is a link to {tmp_path / 'unplugged' / part}, which is")


@pytest.mark.long
def test_file_removed_during_the_check_is_ignored(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def remove_part(part: Path, mode: int) -> bool:
        shutil.rmtree(part) if part.is_dir() else part.unlink(missing_ok=True)
        return False

    monkeypatch.setattr(os, "access", remove_part)
    open_folder(data)


def test_second_start_names_the_address_of_the_first(up: RunningUp) -> None:
    assert get_refusal_line(up.data) == (
        f"Charlemagne is already running on {up.data}: http://127.0.0.1:{up.port}/. "
        "Open that address; or stop it first, or choose another folder: --data FOLDER."
    )
    assert get_refusal_line(up.data, **FRENCH).startswith(f"Charlemagne tourne déjà sur {up.data} : http://127.0.0.1:")
    assert up.is_answering()


@pytest.mark.long
def test_running_program_allows_backup_but_not_restore(up: RunningUp, tmp_path: Path) -> None:
    saved = tmp_path / "saved.zip"
    assert run_manage("backup", str(saved), "--data", str(up.data)).returncode == 0
    restored = run_manage("restore", str(saved), "--data", str(up.data))
    assert restored.returncode == 2
    assert restored.stderr.startswith(f"Charlemagne is already running on {up.data}: ")


@pytest.mark.long
def test_folder_is_unchanged_until_its_database_is_written(data: Path) -> None:
    up = RunningUp(data)
    try:
        wait_until(up.has_greeted)
        assert not is_unchanged_since_end(data, data / DATABASE_FILE)  # still running
    finally:
        up.end()
    assert is_unchanged_since_end(data, data / DATABASE_FILE)
    with closing(sqlite3.connect(data / DATABASE_FILE)) as database, database:
        database.execute("DELETE FROM jobs_job")
    assert not is_unchanged_since_end(data, data / DATABASE_FILE)


def test_full_check_finds_damage_in_the_middle_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_FILE
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE hand (points TEXT)")
        database.executemany("INSERT INTO hand VALUES (?)", [("x" * 1000,)] * 1000)
    check_sqlite_file(path, is_full_check=True)
    overwrite_bytes(path, 100 * 4096, b"\xab" * 20_000)
    check_sqlite_file(path, is_full_check=False)
    with pytest.raises(DamagedDatabaseError):
        check_sqlite_file(path, is_full_check=True)


def test_unreachable_database_server_is_reported_with_the_reason(data: Path) -> None:
    port = find_free_port()
    refusal_line = get_refusal_line(data, DATABASE_URL=f"postgresql://127.0.0.1:{port}/hall")
    assert refusal_line.startswith("The database server does not answer (")
    assert f"port {port} failed: Connection refused" in refusal_line
    assert "check DATABASE_URL" in refusal_line
