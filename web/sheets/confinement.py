"""A workbook read in a process of its own, with so much memory and so much time.

A small file may unpack to very much, in ways that its reader does not foresee: then a child ends, and not the
process that serves a hall.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

from rules import Refusal

from .grid import Grid

ROOT = Path(__file__).resolve().parents[2]
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


def confined_grids(content: bytes, *, file: str) -> list[Grid]:
    """What ``grids_of_workbook`` finds. Refuses what that refuses; workbook_too_large also for what takes too
    much to read; workbooks_wait, where too many are read already."""
    if not _places.acquire(timeout=PATIENCE):
        raise Refusal("workbooks_wait", field="file", file=file)
    try:
        child = subprocess.run(
            [sys.executable, "-m", "web.sheets"],
            input=content,
            capture_output=True,
            cwd=ROOT,
            timeout=3 * SECONDS,
            check=True,
        )
    except subprocess.SubprocessError:
        raise Refusal("workbook_too_large", field="file", file=file) from None
    finally:
        _places.release()
    found = json.loads(child.stdout)
    match found:
        case {"refusal": "old_workbook"}:
            raise Refusal("old_workbook", field="file", file=file)
        case {"refusal": "not_a_workbook"}:
            raise Refusal("not_a_workbook", field="file", file=file)
        case {"refusal": _}:
            raise Refusal("workbook_too_large", field="file", file=file)
    return [Grid(**grid) for grid in found]


def confine_this_process() -> None:
    """From now on; it is ended where it takes more. Windows counts nothing, and only the time is limited."""
    if hasattr(os, "nice"):
        os.nice(YIELDS)
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
