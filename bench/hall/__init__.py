"""A hall to measure in: a real server, as `up` starts it, with a night in its own data folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection
from typing import Any

from bench.hall.server import Server, find_free_port
from operations.data_dir import DATA_VARIABLE, PROJECT


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """Hall with a night's ``tables``, each with its ``code`` and ``match``; its folder is deleted at the end."""

    environment: dict[str, str]
    event: str
    tables: list[dict[str, Any]]
    pages: list[str]

    @property
    def folder(self) -> Path:
        """Data folder."""
        return Path(self.environment[DATA_VARIABLE])

    def run_role(self, role: str, *numbers: int) -> str:
        """Run `bench.hall.room` in this role, and return the last line that it prints."""
        return _run_role(self.environment, role, *numbers)

    @contextmanager
    def serve(self, *options: str) -> Iterator[int]:
        """Run a server with these options of ``up`` while the block runs, and yield its port."""
        with Server(self.environment, *options) as server:
            yield server.port

    @contextmanager
    def serve_bare_view(self) -> Iterator[int]:
        """Run ``bench.hall.bare_view``, which only records hands, while the block runs, and yield its port."""
        port = find_free_port()
        command = [sys.executable, "-m", "uvicorn", "bench.hall.bare_view:application", "--port", str(port)]
        bare = subprocess.Popen([*command, "--log-level", "warning"], cwd=PROJECT, env=self.environment)
        try:
            while bare.poll() is None:
                with suppress(OSError), create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.05)
            yield port
        finally:
            bare.terminate()
            bare.wait()


@contextmanager
def open_hall(*, tables: int, role: str = "make", hands: int | None = None) -> Iterator[Hall]:
    """Open a hall with a night of ``tables`` tables in round 1, its matches of ``hands`` hands or endless.

    With ``role="public"`` the night is in round 3, and the club has something on each public page (``pages``).
    """
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as folder:
        environment = {**os.environ, "CHARLEMAGNE_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        night = json.loads(_run_role(environment, role, tables, *([] if hands is None else [hands])))
        yield Hall(environment=environment, **{"pages": [], **night})


def _run_role(environment: dict[str, str], role: str, *numbers: int) -> str:
    result = subprocess.run(
        [sys.executable, "-m", "bench.hall.room", role, *map(str, numbers)],
        cwd=PROJECT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return result.stdout.splitlines()[-1]
