"""A lock on a file, for one process at a time. It ends with its process, however that ends.

Standard library only: this runs before anything is installed.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

LOCK_OFFSET = 1 << 30  # beyond the end of the file

if sys.platform == "win32":
    import msvcrt

    def _wait_for_lock(file: BinaryIO) -> None:
        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError:  # after ten seconds
                continue

    def _try_lock(file: BinaryIO) -> bool:
        file.seek(LOCK_OFFSET)  # locked bytes cannot be read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _wait_for_lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)

    def _try_lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class LockTakenError(Exception):
    """Raised if another process has the lock."""


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Hold a lock on the file; other processes that want it wait.

    Raises OSError if the file cannot be written.
    """
    with path.open("ab") as file:
        _wait_for_lock(file)
        yield


@contextmanager
def try_hold_lock(path: Path) -> Iterator[None]:
    """Hold a lock on the file, or raise LockTaken if another process has it.

    Raises OSError if the file cannot be written.
    """
    with path.open("ab") as file:
        if not _try_lock(file):
            raise LockTakenError
        yield
