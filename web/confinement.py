"""What strangers' files are read by: a process of its own, with so much memory and so much time.

A small file may unpack to very much, in ways that its reader does not foresee: then a child ends, and not the
process that serves a hall.
"""

import os
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

ROOT = Path(__file__).resolve().parents[1]
MEMORY = 512 * 1024 * 1024
"""Bytes of the child's address space, where the system counts them."""
SECONDS = 20
"""Of a processor; a laptop that does much else gives them in three times as long."""
AT_ONCE = 2
"""Children of one process: however many files come, so many times ``MEMORY`` is what they take together."""
PATIENCE = 60.0
"""Seconds for which somebody waits until a child is free."""
YIELDS = 10
"""To whoever marks a hand: what a file takes, it takes while nobody else computes."""

_places = BoundedSemaphore(AT_ONCE)


class TooMuchToRead(Exception):  # noqa: N818 - it says of a file what it is
    """The child ended before its work did: the file takes more than it may."""


class NoReaderFree(Exception):  # noqa: N818 - no fault of the program
    """Too many files are read already, or the machine has too much else to do."""


def run_confined(module: str, content: bytes, *arguments: str) -> bytes:
    """What that module, run as a program, writes of the content that it reads. Raises TooMuchToRead,
    NoReaderFree."""
    if not _places.acquire(timeout=PATIENCE):
        raise NoReaderFree
    try:
        child = subprocess.run(  # noqa: S603 - a module of ours, and a number
            [sys.executable, "-m", module, *arguments],
            input=content,
            capture_output=True,
            cwd=ROOT,
            timeout=3 * SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired:  # before it had its seconds of a processor, where those are counted
        raise (TooMuchToRead if sys.platform == "win32" else NoReaderFree) from None
    except subprocess.SubprocessError:
        raise TooMuchToRead from None
    finally:
        _places.release()
    return child.stdout


def confine_this_process() -> None:
    """From now on; it is ended where it takes more. Windows counts nothing, and only the time is limited."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(YIELDS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
