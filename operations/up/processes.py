"""Child processes as copies of `up`, if the system can fork (Linux): they share all modules that `up` has
loaded.

Only while `up` has no threads: a copy has none of them, and a lock that one held at that moment would stay
locked for ever.
"""

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

from operations.start.garbage_collection import freeze_loaded_objects

assert sys.platform == "linux"

HANDLED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)
"""Signals that `up` handles itself."""
SHARED_MODULES = (
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
REDIS_MODULES = ("redis.asyncio",)
"""Further modules if Redis is used."""
POLL_INTERVAL = 0.02  # seconds between two checks whether a copy has ended


class ForkedProcess:
    """A copy of this process that runs a function in a session of its own, until that ends.

    It keeps only the named file descriptors. It has the methods of ``subprocess.Popen`` that supervisors use.
    """

    def __init__(self, run: Callable[[], object], *, kept_descriptors: Collection[int]) -> None:
        read_end, write_end = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _run_forked(run, read_end, {0, 1, 2, *kept_descriptors})
        os.close(read_end)
        self.stdin = os.fdopen(write_end, "wb")
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, as ``Popen.poll`` does; None while it runs."""
        if self._code is None:
            ended_pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if ended_pid else None
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises subprocess.TimeoutExpired after as many seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("", timeout or 0.0)
            time.sleep(POLL_INTERVAL)
        return code

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def preload_modules() -> None:
    """Load everything that any of the children uses, so that they share it."""
    with freeze_loaded_objects():
        for name in (*SHARED_MODULES, *(REDIS_MODULES if settings.LIVE_REDIS_URL else ())):
            import_module(name)
    for database in connections.all(initialized_only=True):
        database.close()
        if database.vendor == "postgresql":
            database.close_pool()  # type: ignore[attr-defined]
    if active_count() > 1:
        raise RuntimeError("a process with threads is not to be copied")
    gc.collect()
    gc.freeze()  # otherwise collecting garbage in a copy would write to shared memory


def _run_forked(run: Callable[[], object], read_end: int, open_descriptors: Collection[int]) -> NoReturn:
    """Run the function in the copy and exit, never returning into the original's code."""
    status = 1
    try:
        os.setsid()
        os.dup2(read_end, 0)
        _close_other_descriptors(open_descriptors)
        for handled_signal in HANDLED_SIGNALS:
            signal.signal(
                handled_signal, signal.default_int_handler if handled_signal == signal.SIGINT else signal.SIG_DFL
            )
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


def _close_other_descriptors(descriptors: Collection[int]) -> None:
    """Close all other file descriptors.

    Above all the ends of the pipes by which other copies are told to end, and the lock of the folder, which
    ends with `up`.
    """
    for descriptor in [int(link.name) for link in Path("/proc/self/fd").iterdir()]:
        if descriptor not in descriptors:
            with suppress(OSError):  # the descriptor of the listing itself
                os.close(descriptor)
