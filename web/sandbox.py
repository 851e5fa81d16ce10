"""A process with limited memory and time to read strangers' files.

A small file may unpack to far more than its reader expects: then a child process ends, and not the one that
serves a hall.
"""

import os
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

ROOT = Path(__file__).resolve().parents[1]
MEMORY = 512 * 1024 * 1024
"""Bytes of the child's address space, if the system can limit it."""
SECONDS = 20
"""Seconds of processor time; a busy laptop takes up to three times as long."""
MAX_PROCESSES = 2
"""Children at once per process: the most they use together is this times ``MEMORY``."""
WAIT_SECONDS = 60.0
"""Seconds to wait for a free child."""
NICENESS = 10
"""The niceness of the child: hands are recorded first."""

_process_slots = BoundedSemaphore(MAX_PROCESSES)


class FileTooLargeError(Exception):
    """The child ended before its work was done: the file needs more than the limits."""


class SandboxBusyError(Exception):
    """Too many files are being read already, or the machine is too busy."""


def run_confined(module: str, content: bytes, *arguments: str) -> bytes:
    """Run the module as a program on this content, and return its output. Raises FileTooLargeError,
    SandboxBusyError."""
    if not _process_slots.acquire(timeout=WAIT_SECONDS):
        raise SandboxBusyError
    try:
        child = subprocess.run(  # noqa: S603 - a module of ours, and a number
            [sys.executable, "-m", module, *arguments],
            input=content,
            capture_output=True,
            cwd=ROOT,
            timeout=3 * SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired:  # before the limit on processor time, if there is one
        raise (FileTooLargeError if sys.platform == "win32" else SandboxBusyError) from None
    except subprocess.SubprocessError:
        raise FileTooLargeError from None
    finally:
        _process_slots.release()
    return child.stdout


def limit_current_process() -> None:
    """Limit this process from now on; the system ends it if it exceeds a limit. Windows has no limits but the
    caller's timeout."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
