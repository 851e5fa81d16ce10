"""Keeps child processes running until it is told to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

from operations.data_dir import PROJECT
from operations.terminal import say

SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 15.0  # seconds before a child is started again
SETTLED = 30.0  # seconds after which a child's past is forgotten
GRACE = 6.0  # seconds to end by itself: a little more than a child gives itself


class Child:
    """A process of a name, started again whenever it ends: soon if it was killed, more slowly each time if it
    ended by itself. It inherits the file descriptors that are named."""

    def __init__(self, name: str, *arguments: str, inherits: Sequence[int] = ()) -> None:
        self.name = name
        self._inherits = inherits
        self._command = [sys.executable, "-m", "operations.up.child", name, *arguments]
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = self._start_at = 0.0
        self._pause = SHORTEST_PAUSE

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

    def _start(self, now: float) -> None:
        self._started_at = now
        # A session of its own, so that Ctrl-C reaches `up` only, which then ends them in order.
        self._process = subprocess.Popen(  # noqa: S603
            self._command,
            stdin=subprocess.PIPE,
            pass_fds=self._inherits,
            cwd=PROJECT,
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )


class Supervisor:
    """From the moment when it is made, Ctrl-C or a signal to end is the sign to end in order."""

    def __init__(self, *children: Child) -> None:
        self._children = children
        self._is_stopping = False
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._stop)

    def run(self) -> None:
        """Keep the children running until that sign, then end them all."""
        while not self._is_stopping:
            for child in self._children:
                child.look_after()
            time.sleep(0.1)
        say("stopping")
        for child in self._children:
            child.ask_to_end()
        until = time.monotonic() + GRACE
        for child in self._children:
            child.wait_for_end(until)

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        self._is_stopping = True
