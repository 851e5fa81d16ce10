"""One process at a time: a lock on a file, which ends with its process, however that ends.

Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def _wait_for(file: BinaryIO) -> None:
        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError:  # after ten seconds
                continue

else:
    import fcntl

    def _wait_for(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """While this holds, every other process that asks for the same file waits. Raises OSError if it cannot be
    written."""
    with path.open("ab") as file:
        _wait_for(file)
        yield
