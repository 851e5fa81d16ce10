"""A hall to measure in: a real server, as `up` starts it, on a night in a data folder of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """`tables` are the night's, each with its `code` and `match`; the folder goes when the hall closes."""

    environment: dict[str, str]
    event: str
    tables: list[dict[str, Any]]
    pages: list[str]

    def in_room(self, role: str, *numbers: int) -> str:
        """The last line of what `bench.hall.room` prints in this role."""
        return _in_room(self.environment, role, *numbers)

    @contextmanager
    def served(self, *options: str) -> Iterator[int]:
        """The port of a running server, started with these options of ``up``."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        command = ["manage.py", "up", "--host", "127.0.0.1", "--port", str(port), *options]
        up = subprocess.Popen(
            [sys.executable, *command], cwd=PROJECT, env=self.environment, stdout=subprocess.DEVNULL
        )
        try:
            _wait_for(port)
            yield port
        finally:
            up.send_signal(signal.SIGTERM)
            up.wait()


@contextmanager
def hall(*, tables: int, role: str = "make", hands: int | None = None) -> Iterator[Hall]:
    """A hall with a night of that many tables, round 1 published, its matches of so many hands, or endless;
    ``role="public"``: round 3, and whatever a club shows everybody, with its ``pages``."""
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as folder:
        environment = {**os.environ, "CHARLEMAGNE_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        made = json.loads(_in_room(environment, role, tables, *([] if hands is None else [hands])))
        yield Hall(environment=environment, **{"pages": [], **made})


def _in_room(environment: dict[str, str], role: str, *numbers: int) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "bench.hall.room", role, *map(str, numbers)],
        cwd=PROJECT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines()[-1]


def _wait_for(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("up did not come up")
