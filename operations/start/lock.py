"""Lock of a data folder: one `up` or one `restore` at a time. Standard library only.

The lock ends with its process, however that ends. Its file holds the address of the running `up` or, once
that has ended cleanly, the state in which it left the database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path

from operations.file_lock import LockTaken, alone_or_not_at_all
from operations.terminal import Stop, terminal_text

NAME = "up.lock"
AT, FROM, MOVED, LEFT = "at ", "from ", "moved ", "left "
"""Beginnings of the notes: the address of a running `up`, its folder and computer, and when the network last
changed the address; or how it left."""


@contextmanager
def folder_to_oneself(folder: Path) -> Iterator[None]:
    """Hold the lock of the folder. Stops with a sentence if another process has it."""
    try:
        with alone_or_not_at_all(folder / NAME):
            yield
    except LockTaken:
        address = read_note(folder, AT)
        code = "running-already-at" if address else "running-already"
        raise Stop(terminal_text(code, folder=folder, address=address)) from None


def note_address(folder: Path, address: str, place: str, moved_at: str = "") -> None:
    """Record this program's address, for those who find the folder locked, and where its folder is."""
    moved = f"\n{MOVED}{moved_at}" if moved_at else ""
    (folder / NAME).write_text(f"{AT}{address}\n{FROM}{place}{moved}", encoding="utf-8")


def note_good_end(folder: Path, database: Path) -> None:
    """Record for the next start how the database was left."""
    (folder / NAME).write_text(f"{LEFT}{_look_of(database)} {_digest_of(database)}", encoding="utf-8")


def is_as_it_was_left(folder: Path, database: Path) -> bool:
    """Check whether the last `up` ended cleanly, and neither a program nor the disk has changed the database
    since."""
    look, _, digest = read_note(folder, LEFT).rpartition(" ")
    return bool(look) and look == _look_of(database) and digest == _digest_of(database)


def is_changed_by_disk(folder: Path, database: Path) -> bool:
    """Check whether the database has changed since the last clean end without being written to."""
    look, _, digest = read_note(folder, LEFT).rpartition(" ")
    return look == _look_of(database) and digest != _digest_of(database)


def read_note(folder: Path, what: str) -> str:
    """Return the note in the file that begins so; else ""."""
    try:
        lines = (folder / NAME).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.removeprefix(what) for line in lines if line.startswith(what)), "")


def _digest_of(database: Path) -> str:
    """Return the digest of the whole file, about a second a gigabyte; "" without one, as with PostgreSQL."""
    if not database.exists():
        return ""
    with database.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _look_of(database: Path) -> str:
    """Return a text that changes with every write: the sizes of the files, and when they were written."""
    files = [database, database.with_name(f"{database.name}-wal")]
    status = [file.stat() for file in files if file.exists()]
    return " ".join(f"{each.st_size}:{each.st_mtime_ns}" for each in status)
