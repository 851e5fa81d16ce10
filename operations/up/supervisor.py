"""Supervisor that keeps child processes running until it is told to stop."""

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
from operations.terminal import print_line

MIN_PAUSE, MAX_PAUSE = 0.5, 15.0  # seconds before a child is restarted
STABLE_AFTER = 30.0  # seconds after which earlier failures no longer count
GRACE_SECONDS = 6.0  # seconds to end by itself: a little more than a child's own GRACE
READY_TIMEOUT = 60.0  # seconds for a successor to report that it is ready
READY_VARIABLE = "CHARLEMAGNE_READY"
"""Variable with the file descriptor on which a successor reports that it is ready."""
PREPARE_COMMAND = [sys.executable, "-m", "operations.bootstrap", "showmigrations", "jobs"]
"""Command that changes nothing itself, and so only brings the folder up to date."""


class Process(Protocol):
    """Interface of a process, as far as supervisors use it."""

    @property
    def pid(self) -> int: ...
    @property
    def stdin(self) -> IO[bytes] | None: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...


class Child:
    """A named process that is restarted whenever it ends.

    It restarts soon if it was killed, and more slowly each time if it ended by itself. It inherits the named
    file descriptors.
    """

    def __init__(self, name: str, *arguments: str, inherited_descriptors: Sequence[int] = ()) -> None:
        self.name, self._arguments = name, arguments
        self._inherited_descriptors = inherited_descriptors
        self._process: Process | None = None
        self._started_at = self._restart_at = 0.0
        self._pause = MIN_PAUSE

    def start_forked(self) -> None:
        """Start the child as a copy of this process, with all that it has loaded
        (``processes.preload_modules``)."""
        if sys.platform == "linux":
            from .child import run_child
            from .processes import ForkedProcess

            self._started_at = time.monotonic()
            self._process = ForkedProcess(
                partial(run_child, self.name, *self._arguments), kept_descriptors=self._inherited_descriptors
            )

    @property
    def pid(self) -> int | None:
        """Id of the process, if there is one."""
        return self._process.pid if self._process is not None else None

    def check_process(self) -> None:
        """Start the child if it is time to, and note if it ended."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._restart_at:
                self._start(now)
            return
        code = self._process.poll()
        if code is None:
            return
        if code < 0 or now - self._started_at > STABLE_AFTER:
            self._pause = MIN_PAUSE
        print_line("child-ended", child=self.name, code=code, pause=self._pause)
        self.request_end()
        self._process, self._restart_at = None, now + self._pause
        self._pause = min(2 * self._pause, MAX_PAUSE)

    def request_end(self) -> None:
        """Close its input, which tells it to end."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def wait_for_end(self, deadline: float) -> None:
        """Wait for the end, then kill. The exit code is ignored: the web server ends by the signal it got."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def replace(self, is_stopping: Callable[[], bool]) -> bool:
        """Start a successor, and end the process once the successor is ready; return whether it was.

        If not, or if everything is stopping, the process stays.
        """
        read_end, write_end = os.pipe()
        predecessor, now = self._process, time.monotonic()
        successor = self._start_process(write_end)
        os.close(write_end)
        while not (ready := select.select([read_end], [], [], 0.1)[0]):
            if is_stopping() or time.monotonic() > now + READY_TIMEOUT:
                break
        is_ready = bool(ready and os.read(read_end, 1))  # empty if the successor has ended
        os.close(read_end)
        if is_ready:
            self._process, self._started_at = successor, now
        _end_process(predecessor if is_ready else successor)
        return is_ready

    def _start(self, now: float) -> None:
        self._started_at = now
        self._process = self._start_process()

    def _start_process(self, *ready_descriptors: int) -> subprocess.Popen[bytes]:
        # A session of its own, so that Ctrl-C reaches `up` only, which then ends them in order.
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "operations.up.child", self.name, *self._arguments],
            stdin=subprocess.PIPE,
            env=os.environ | {READY_VARIABLE: "".join(map(str, ready_descriptors))},
            pass_fds=[*self._inherited_descriptors, *ready_descriptors],
            cwd=PROJECT,
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )


def _end_process(process: Process | None) -> None:
    """Ask a process to end, wait, then kill it."""
    if process is None:
        return
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Supervisor:
    """Supervisor of the children of `up`.

    Once it is created, Ctrl-C or a termination signal stops everything in order, and SIGUSR1 replaces the
    children, one after the other, while the others work.
    """

    def __init__(self, *children: Child) -> None:
        self._children = children
        self._is_stopping = self._is_replacing = False
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._stop)
        if hasattr(signal, "SIGUSR1"):
            signal.signal(signal.SIGUSR1, self._request_replacement)

    def run(self) -> None:
        """Keep the children running until a signal to stop, then end them all."""
        while not self._is_stopping:
            for child in self._children:
                child.check_process()
            if self._is_replacing:
                self._is_replacing = False
                self._replace_all()
            time.sleep(0.1)
        print_line("stopping")
        for child in self._children:
            child.request_end()
        deadline = time.monotonic() + GRACE_SECONDS
        for child in self._children:
            child.wait_for_end(deadline)

    def _replace_all(self) -> None:
        """Replace the children by those of the program now on the disk, after bringing the folder up to date.

        If one is not ready, it and those after it keep running as they are.
        """
        print_line("replacing")
        result = subprocess.run(PREPARE_COMMAND, cwd=PROJECT, stdout=subprocess.DEVNULL, check=False)  # noqa: S603
        for child in self._children:
            child.check_process()
            if self._is_stopping:
                return
            if result.returncode or not child.replace(lambda: self._is_stopping):
                print_line("not-replaced", child=child.name)
                return
        print_line("replaced")

    def list_processes(self) -> dict[int, str]:
        """Return the name of each process by its id, this one as `up`."""
        running = {child.pid: child.name for child in self._children if child.pid is not None}
        return {os.getpid(): "up", **running}

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        self._is_stopping = True

    def _request_replacement(self, signum: int, frame: FrameType | None) -> None:
        self._is_replacing = True
