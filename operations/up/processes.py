"""Child processes as copies of `up`, if the system can fork (Linux): they share all modules that `up` has
loaded.

Only while `up` has no threads: a copy has none of them, and a lock that one held at that moment would stay
locked for ever.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Collection
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import active_count
from typing import NoReturn

from django.conf import settings
from django.db import connections

from operations.start.preloading import all_is_kept

assert sys.platform == "linux"

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)
"""Signals that `up` handles itself."""
SHARED = (
    "operations.up.connections",
    "config.asgi",
    "config.celery",
    "uvicorn.lifespan.off",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.auto",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.solo",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.loops",
    "jobs.scheduler",
    "jobs.transport",
)
"""Modules that children import, before that or while they begin."""
WITH_REDIS = ("redis.asyncio",)
"""Further modules if Redis is used."""
MOMENT = 0.02  # seconds between two checks whether a copy has ended


class Copy:
    """A copy of this process that runs a function in a session of its own, until that ends.

    It keeps only the named file descriptors. It has the methods of ``subprocess.Popen`` that supervisors use.
    """

    def __init__(self, run: Callable[[], object], *, keeps: Collection[int]) -> None:
        listening, telling = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _run_as_copy(run, listening, {0, 1, 2, *keeps})
        os.close(listening)
        self.stdin = os.fdopen(telling, "wb")
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, as ``Popen.poll`` does; None while it runs."""
        if self._code is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if ended else None
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises subprocess.TimeoutExpired after as many seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired("", timeout or 0.0)
            time.sleep(MOMENT)
        return code

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def load_before_copying() -> None:
    """Load everything that any of the children uses, so that they share it."""
    with all_is_kept():
        for each in (*SHARED, *(WITH_REDIS if settings.LIVE_REDIS_URL else ())):
            import_module(each)
    for database in connections.all(initialized_only=True):
        database.close()
        if database.vendor == "postgresql":
            database.close_pool()  # type: ignore[attr-defined]
    if active_count() > 1:
        raise RuntimeError("a process with threads is not to be copied")
    gc.collect()
    gc.freeze()  # otherwise collecting garbage in a copy would write to shared memory


def _run_as_copy(run: Callable[[], object], listening: int, keeps: Collection[int]) -> NoReturn:
    """Run the function in the copy and exit, never returning into the original's code."""
    status = 1
    try:
        os.setsid()
        os.dup2(listening, 0)
        _close_all_but(keeps)
        for each in SIGNALS:
            signal.signal(each, signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL)
        run()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _close_all_but(descriptors: Collection[int]) -> None:
    """Close all other file descriptors.

    Above all the ends of the pipes by which other copies are told to end, and the lock of the folder, which
    ends with `up`.
    """
    for each in [int(link.name) for link in Path("/proc/self/fd").iterdir()]:
        if each not in descriptors:
            with suppress(OSError):  # the descriptor of the listing itself
                os.close(each)
