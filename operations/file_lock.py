"""A lock on a file, for one process at a time. It ends with its process, however that ends.

Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

FAR = 1 << 30  # beyond the end of the file

if sys.platform == "win32":
    import msvcrt

    def _wait_for(file: BinaryIO) -> None:
        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError:  # after ten seconds
                continue

    def _is_mine_now(file: BinaryIO) -> bool:
        file.seek(FAR)  # locked bytes cannot be read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _wait_for(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)

    def _is_mine_now(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class LockTaken(Exception):  # noqa: N818 (an answer)
    """Raised if another process has the lock."""


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a lock on the file; other processes that want it wait.

    Raises OSError if the file cannot be written.
    """
    with path.open("ab") as file:
        _wait_for(file)
        yield


@contextmanager
def alone_or_not_at_all(path: Path) -> Iterator[None]:
    """Hold a lock on the file, or raise LockTaken if another process has it.

    Raises OSError if the file cannot be written.
    """
    with path.open("ab") as file:
        if not _is_mine_now(file):
            raise LockTaken
        yield
