"""Measure how long `up` takes to answer: on an empty data folder, and on later starts.

With `--first`, also the first start of a copy of the project without its environment, which installs packages.
"""

from __future__ import annotations

import argparse
import http.client
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.hall.server import find_free_port

PROJECT = Path(__file__).resolve().parent.parent
TIMEOUT_SECONDS = 600.0


def main(argv: list[str]) -> dict[str, float]:
    """Return seconds from the command to the first answer: ``empty_folder_s``, ``later_start_s``, ``first_start_s``."""
    parser = argparse.ArgumentParser(prog="bench start")
    parser.add_argument("--times", type=int, default=3, help="how many later starts (their median counts)")
    parser.add_argument("--first", action="store_true", help="rebuild the environment, too")
    options = parser.parse_args(argv)
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as name:
        folder = Path(name)
        project = _copy_project(PROJECT, folder / "project") if options.first else PROJECT
        if options.first:
            figures["first_start_s"] = _measure_start(project, folder / "first")
        figures["empty_folder_s"] = _measure_start(project, folder / "data")
        later = [_measure_start(project, folder / "data") for _ in range(options.times)]
        figures["later_start_s"] = round(statistics.median(later), 2)
    return figures


def _copy_project(project: Path, target: Path) -> Path:
    """Copy the files of the repository, without generated ones."""
    tracked_files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=project, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    for name in tracked_files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(project / name, target / name)
    return target


def _measure_start(project: Path, data: Path) -> float:
    port = find_free_port()
    python = getattr(sys, "_base_executable", sys.executable)
    started = time.monotonic()
    process = subprocess.Popen(
        [python, "manage.py", "up", "--host", "127.0.0.1", "--port", str(port), "--data", str(data)],
        cwd=project,
        stdout=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
    )
    try:
        while (status := _get_status(port)) is None:
            if process.poll() is not None or time.monotonic() - started > TIMEOUT_SECONDS:
                raise RuntimeError("up did not come up")
            time.sleep(0.02)
        if status >= 400:
            raise RuntimeError(f"the first page answered {status}")
        return round(time.monotonic() - started, 2)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _get_status(port: int) -> int | None:
    """Return the status of the front page; None while no process listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()
