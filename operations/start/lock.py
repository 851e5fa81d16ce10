"""Who runs on a data folder: one `up`, or one `restore`. Standard library only.

The lock ends with its process, however that ends. In the file stands where the running `up` is reached, or,
once it has ended well, how it left the database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from operations.file_lock import LockTaken, alone_or_not_at_all
from operations.terminal import Stop, terminal_text

NAME = "up.lock"
AT, LEFT = "at ", "left "


@contextmanager
def folder_to_oneself(folder: Path) -> Iterator[None]:
    """While this holds, nobody else runs on the folder. Stops with a sentence if somebody does."""
    try:
        with alone_or_not_at_all(folder / NAME):
            yield
    except LockTaken:
        address = read_note(folder, AT)
        code = "running-already-at" if address else "running-already"
        raise Stop(terminal_text(code, folder=folder, address=address)) from None


def note_address(folder: Path, address: str) -> None:
    """Tell those who come later where this one is reached."""
    (folder / NAME).write_text(AT + address, encoding="utf-8")


def note_good_end(folder: Path, database: Path) -> None:
    """Tell the next start how the database was left."""
    (folder / NAME).write_text(LEFT + _look_of(database), encoding="utf-8")


def is_as_it_was_left(folder: Path, database: Path) -> bool:
    """Whether the last `up` ended well, and nobody has written to the database since."""
    return read_note(folder, LEFT) == _look_of(database)


def read_note(folder: Path, what: str) -> str:
    """What stands in the file of that: where ``up`` is reached, or how it left the database; else nothing."""
    try:
        line = (folder / NAME).read_text(encoding="utf-8")
    except OSError:
        return ""
    return line.removeprefix(what) if line.startswith(what) else ""


def _look_of(database: Path) -> str:
    """What changes with every write: how large the files are, and when they were written."""
    files = [database, database.with_name(f"{database.name}-wal")]
    status = [file.stat() for file in files if file.exists()]
    return " ".join(f"{each.st_size}:{each.st_mtime_ns}" for each in status)
