"""How a process loads what it keeps until its end."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def all_is_kept() -> Iterator[None]:
    """What is loaded meanwhile stays. The garbage collector looks for nothing in it: not now, which took an
    eighth of the time of a start, and not later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
