"""Keeps child processes running until it is told to stop."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType
from typing import IO, Protocol

from operations.data_dir import PROJECT
from operations.terminal import say

SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 15.0  # seconds before a child is started again
SETTLED = 30.0  # seconds after which a child's past is forgotten
GRACE = 6.0  # seconds to end by itself: a little more than a child gives itself
SOON_READY = 60.0  # seconds in which a successor says that it can do the work
READY = "CHARLEMAGNE_READY"
"""Tells a successor on which file descriptor to say so."""
PREPARE = [sys.executable, "-m", "operations.bootstrap", "showmigrations", "jobs"]
"""A command that changes nothing itself, and so only brings the folder up to date."""


class Process(Protocol):
    """What is used of a process here."""

    @property
    def pid(self) -> int: ...
    @property
    def stdin(self) -> IO[bytes] | None: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...


class Child:
    """A process of a name, started again whenever it ends: soon if it was killed, more slowly each time if it
    ended by itself. It inherits the file descriptors that are named."""

    def __init__(self, name: str, *arguments: str, inherits: Sequence[int] = ()) -> None:
        self.name, self._arguments = name, arguments
        self._inherits = inherits
        self._process: Process | None = None
        self._started_at = self._start_at = 0.0
        self._pause = SHORTEST_PAUSE

    def begin_as_copy(self) -> None:
        """Of this very process, with all that it has loaded (``forking.load_before_copying``)."""
        if sys.platform == "linux":
            from .child import run
            from .forking import Copy

            self._started_at = time.monotonic()
            self._process = Copy(partial(run, self.name, *self._arguments), keeps=self._inherits)

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        return self._process.pid if self._process is not None else None

    def look_after(self) -> None:
        """Start it if it is time to, take note if it ended."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._start_at:
                self._start(now)
            return
        code = self._process.poll()
        if code is None:
            return
        if code < 0 or now - self._started_at > SETTLED:
            self._pause = SHORTEST_PAUSE
        say("child-ended", child=self.name, code=code, pause=self._pause)
        self.ask_to_end()
        self._process, self._start_at = None, now + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def ask_to_end(self) -> None:
        """Close its input: the sign it ends on."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def wait_for_end(self, until: float) -> None:
        """Wait, then kill. How it ended is of no interest: the web server ends by the signal it got."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def replace(self, is_over: Callable[[], bool]) -> bool:
        """Start a successor, and end the process once that one can do the work; whether it came to that. If
        not, or if it is over with everything, the process stays."""
        listening, telling = os.pipe()
        predecessor, now = self._process, time.monotonic()
        successor = self._begin(telling)
        os.close(telling)
        while not (ready := select.select([listening], [], [], 0.1)[0]):
            if is_over() or time.monotonic() > now + SOON_READY:
                break
        is_ready = bool(ready and os.read(listening, 1))  # nothing comes of one that has ended
        os.close(listening)
        if is_ready:
            self._process, self._started_at = successor, now
        _end(predecessor if is_ready else successor)
        return is_ready

    def _start(self, now: float) -> None:
        self._started_at = now
        self._process = self._begin()

    def _begin(self, *telling: int) -> subprocess.Popen[bytes]:
        # A session of its own, so that Ctrl-C reaches `up` only, which then ends them in order.
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "operations.up.child", self.name, *self._arguments],
            stdin=subprocess.PIPE,
            env=os.environ | {READY: "".join(map(str, telling))},
            pass_fds=[*self._inherits, *telling],
            cwd=PROJECT,
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )


def _end(process: Process | None) -> None:
    """Ask it to end, wait, then kill."""
    if process is None:
        return
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Supervisor:
    """From the moment when it is made, Ctrl-C or a signal to end is the sign to end in order, and SIGUSR1 the
    one to replace the children, one after the other, while the others work."""

    def __init__(self, *children: Child) -> None:
        self._children = children
        self._is_stopping = self._is_replacing = False
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._stop)
        if hasattr(signal, "SIGUSR1"):
            signal.signal(signal.SIGUSR1, self._ask_to_replace)

    def run(self) -> None:
        """Keep the children running until that sign, then end them all."""
        while not self._is_stopping:
            for child in self._children:
                child.look_after()
            if self._is_replacing:
                self._is_replacing = False
                self._replace_all()
            time.sleep(0.1)
        say("stopping")
        for child in self._children:
            child.ask_to_end()
        until = time.monotonic() + GRACE
        for child in self._children:
            child.wait_for_end(until)

    def _replace_all(self) -> None:
        """By those of the program as it lies on the disk now, once the folder is up to date for it. Where one
        is not ready for its work, it and those after it stay as they are."""
        say("replacing")
        prepared = subprocess.run(PREPARE, cwd=PROJECT, stdout=subprocess.DEVNULL, check=False)  # noqa: S603
        for child in self._children:
            child.look_after()
            if self._is_stopping:
                return
            if prepared.returncode or not child.replace(lambda: self._is_stopping):
                say("not-replaced", child=child.name)
                return
        say("replaced")

    def processes(self) -> dict[int, str]:
        """The name of each process by its id, this one as `up`."""
        living = {child.pid: child.name for child in self._children if child.pid is not None}
        return {os.getpid(): "up", **living}

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        self._is_stopping = True

    def _ask_to_replace(self, signum: int, frame: FrameType | None) -> None:
        self._is_replacing = True
