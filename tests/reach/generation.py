"""Making the test map: one recorded run of all tests on SQLite, and one in the browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import coverage

from operations.data_dir import PROJECT
from tests import external_tools
from tests.reach.folder import DURATIONS, FOLDER, LINES, SETTINGS, SOURCES, VARIABLE
from tests.reach.tree import PACKAGES, copy_files, list_files
from tools.test_runs import EXCLUDED_VARIABLES, Run, choose_paths, list_parallel_options, list_runs, split_paths

COVERAGE = """\
[run]
data_file = {folder}/{lines}
parallel = true
patch =
    _exit
    fork
context = ${{PYTEST_CURRENT_TEST-}}
include =
{included}
disable_warnings = no-data-collected, module-not-measured, couldnt-parse, include-ignored
"""


def make_map(arguments: list[str]) -> int:
    """Record the runs of `--all` except PostgreSQL, which repeats tests of SQLite.

    The map is made even if tests fail; it omits the failed ones. Folders and files among the arguments limit the
    run to their tests.
    """
    paths, options = split_paths(arguments)
    making = FOLDER.with_suffix(".new")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    prepare_folder(making)
    runs = [run for run in list_runs(external_tools.list_missing()) if run.title != "PostgreSQL"]
    statuses = [_record(run, making, [*options, *chosen]) for run in runs if (chosen := choose_paths(run, paths))]
    combine(making)
    shutil.rmtree(FOLDER, ignore_errors=True)
    making.rename(FOLDER)
    return int(any(statuses))


def prepare_folder(folder: Path) -> None:
    """Prepare a folder for recording: copies of the source files, and settings for coverage."""
    copy_files(list_files(PROJECT), PROJECT, folder / SOURCES)
    included = "\n".join(f"    {PROJECT / package}/*" for package in PACKAGES)
    settings = COVERAGE.format(folder=folder, lines=LINES, included=included)
    (folder / SETTINGS).write_text(settings, encoding="utf-8")


def _record(run: Run, folder: Path, arguments: list[str]) -> int:
    environment = {name: value for name, value in os.environ.items() if name not in EXCLUDED_VARIABLES}
    options = [
        *run.options,
        "-m",
        run.marks,
        "-p",
        "tests.reach.recorder",
        *list_parallel_options(run.processes),
        *arguments,
    ]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options],
        cwd=PROJECT,
        env=environment | run.environment | {VARIABLE: str(folder)},
        check=False,
    ).returncode


def combine(folder: Path) -> None:
    """Combine the coverage data and durations of all processes."""
    together = coverage.Coverage(config_file=str(folder / SETTINGS), context="")
    together.combine([str(folder)])
    together.save()
    durations: dict[str, float] = {}
    for part in folder.glob(f"*.{DURATIONS}"):
        durations |= json.loads(part.read_text(encoding="utf-8"))
        part.unlink()
    (folder / DURATIONS).write_text(json.dumps(durations), encoding="utf-8")
