"""Lock of a data folder: one `up` or one `restore` at a time. Standard library only.

The lock ends with its process, however that ends. Its file holds the address of the running `up` or, once
that has ended cleanly, the state in which it left the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path

from operations.data_dir import read_note_file
from operations.file_lock import LockTakenError, try_hold_lock
from operations.terminal import Stop, format_terminal_text

LOCK_FILE = "up.lock"
ADDRESS_NOTE, PLACE_NOTE, MOVED_NOTE, END_NOTE = "at ", "from ", "moved ", "left "
"""Beginnings of the notes: the address of a running `up`, its folder and computer, and when the network last
changed the address; or how it left."""


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of the folder. Stops with a sentence if another process has it."""
    try:
        with try_hold_lock(folder / LOCK_FILE):
            yield
    except LockTakenError:
        address = read_note(folder, ADDRESS_NOTE)
        code = "running-already-at" if address else "running-already"
        raise Stop(format_terminal_text(code, folder=folder, address=address)) from None


def record_address(folder: Path, address: str, place: str, moved_at: str = "") -> None:
    """Record this program's address, for those who find the folder locked, and where its folder is."""
    moved_line = f"\n{MOVED_NOTE}{moved_at}" if moved_at else ""
    (folder / LOCK_FILE).write_text(f"{ADDRESS_NOTE}{address}\n{PLACE_NOTE}{place}{moved_line}", encoding="utf-8")


def record_clean_end(folder: Path, database: Path) -> None:
    """Record for the next start how the database was left."""
    (folder / LOCK_FILE).write_text(
        f"{END_NOTE}{_get_file_state(database)} {_compute_digest(database)}", encoding="utf-8"
    )


def is_unchanged_since_end(folder: Path, database: Path) -> bool:
    """Check whether the last `up` ended cleanly, and neither a program nor the disk has changed the database
    since."""
    file_state, _, digest = read_note(folder, END_NOTE).rpartition(" ")
    return bool(file_state) and file_state == _get_file_state(database) and digest == _compute_digest(database)


def is_changed_by_disk(folder: Path, database: Path) -> bool:
    """Check whether the database has changed since the last clean end without being written to."""
    file_state, _, digest = read_note(folder, END_NOTE).rpartition(" ")
    return file_state == _get_file_state(database) and digest != _compute_digest(database)


def read_note(folder: Path, prefix: str) -> str:
    """Return the note in the file that begins so; else ""."""
    lines = read_note_file(folder / LOCK_FILE).splitlines()
    return next((line.removeprefix(prefix) for line in lines if line.startswith(prefix)), "")


def _compute_digest(database: Path) -> str:
    """Return the digest of the whole file, about a second a gigabyte; "" without one, as with PostgreSQL."""
    if not database.exists():
        return ""
    with database.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _get_file_state(database: Path) -> str:
    """Return a text that changes with every write: the sizes of the files, and when they were written."""
    files = [database, database.with_name(f"{database.name}-wal")]
    status = [file.stat() for file in files if file.exists()]
    return " ".join(f"{file_status.st_size}:{file_status.st_mtime_ns}" for file_status in status)
