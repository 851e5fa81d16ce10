"""Run the tests: `manage.py test [arguments of pytest]`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from django.core.management.base import BaseCommand

from config.folder import PROJECT, VARIABLE

BROWSER_TESTS = "tests/journeys"
WITHOUT_A_DATABASE = "charts design draws money nights planning ranking ratings records rules seasons"
PLAIN_PYTHON = tuple(f"tests/{name}" for name in WITHOUT_A_DATABASE.split())
ON_BOTH_DATABASES = (
    "tests/backup",
    "tests/jobs",
    "tests/services",
    *(f"tests/pages/test_{name}.py" for name in ("every_page", "nasty_settings", "nasty_values", "queries")),
    *(f"tests/pages/test_{name}.py" for name in ("importing_people", "sign_up", "the_people", "who_may")),
)
"""What asks the database in every way there is: the services, and the tests that walk over all pages."""
NOTHING_COLLECTED = 5  # pytest's status


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of pytest over some folders or files. One that is ``apart`` shares nothing with the others, and
    goes on beside them from the beginning; it comes last."""

    title: str
    folders: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    is_apart: bool = False


class Command(BaseCommand):
    help = "Runs all tests, or those that the arguments (pytest's) choose, and says what could not be run."

    def run_from_argv(self, argv: list[str]) -> None:
        sys.exit(run_tests(argv[2:]))


def run_tests(arguments: list[str]) -> int:
    """Run pytest on SQLite, in the browser, without a database and on PostgreSQL, as far as the machine has
    them; the last lines say what failed, and what could not be run and how to get it."""
    from tests import parts

    missing = parts.missing()
    paths = [word for word in arguments if (PROJECT / word.partition("::")[0]).exists()]
    options = [word for word in arguments if word not in paths]
    runs = [(run, [*options, *chosen]) for run in _runs(missing) if (chosen := _chosen(run, paths))]
    beside = {run.title: _begun(run, words) for run, words in runs[1:] if run.is_apart}
    statuses: dict[str, int] = {}
    for run, words in runs:
        print(f"\n{run.title}: {' '.join(words)}", flush=True)
        begun = beside.get(run.title)
        statuses[run.title] = _pytest(run, words) if begun is None else _ended(*begun)
    failed = [title for title, status in statuses.items() if status not in {0, NOTHING_COLLECTED}]
    for title in failed:
        print(f"tests failed: {title}, above")
    for name in missing:
        print(f"not run: {name}: {parts.HOW_TO_GET[name]}")
    is_short = bool(missing) and os.environ.get("CI") == "true"
    return 1 if failed or is_short or 0 not in statuses.values() else 0


def _runs(missing: list[str]) -> list[Run]:
    from tests import parts

    everywhere = sorted(
        folder.relative_to(PROJECT).as_posix()
        for folder in (PROJECT / "tests").iterdir()
        if folder.is_dir() and any(folder.rglob("test_*.py"))
    )
    others = tuple(name for name in everywhere if name not in (BROWSER_TESTS, *PLAIN_PYTHON))
    runs = [Run(title="SQLite", folders=others)]
    if "Chromium" not in missing:
        # A run of its own: Playwright's event loop would break the other tests of asynchronous code.
        browser = tuple(name for name in everywhere if name == BROWSER_TESTS)
        runs.append(Run(title="Browser", folders=browser, environment={"DJANGO_ALLOW_ASYNC_UNSAFE": "true"}))
    runs.append(Run(title="Plain Python", folders=PLAIN_PYTHON, is_apart=True))
    if "PostgreSQL" not in missing:
        environment = {"DATABASE_URL": parts.POSTGRES, "CHARLEMAGNE_TEST_REDIS": parts.OTHER_REDIS}
        runs.append(
            Run(title="PostgreSQL", folders=ON_BOTH_DATABASES, environment=environment, is_apart=True)
        )
    return runs


def _chosen(run: Run, paths: list[str]) -> list[str]:
    """What of the named paths belongs to this run; without any, all of it."""
    if not paths:
        return list(run.folders)
    chosen = []
    for path in paths:
        named = Path(path.partition("::")[0])
        if any(named.is_relative_to(folder) for folder in run.folders):
            chosen.append(path)
        else:
            chosen += [folder for folder in run.folders if Path(folder).is_relative_to(named)]
    return chosen


def _begun(run: Run, arguments: list[str]) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """The run under way in the background, and where it writes."""
    written = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `_ended`
    command, environment = _command(run, arguments)
    begun = subprocess.Popen(  # noqa: S603
        command, cwd=PROJECT, env=environment, stdout=written, stderr=subprocess.STDOUT
    )
    return begun, written


def _ended(run: subprocess.Popen[bytes], written: IO[bytes]) -> int:
    """Waits for a run in the background, and says what it wrote."""
    status = run.wait()
    with written:
        written.seek(0)
        print(written.read().decode(errors="replace"), flush=True)
    return status


def _pytest(run: Run, arguments: list[str]) -> int:
    command, environment = _command(run, arguments)
    return subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode  # noqa: S603


def _command(run: Run, arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)  # pytest has its own
    environment.pop(VARIABLE, None)
    return [sys.executable, "-m", "pytest", *arguments], environment | run.environment
