"""Run the tests: `manage.py test [arguments of pytest]`."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from django.core.management.base import BaseCommand

from config.folder import PROJECT, VARIABLE

BROWSER_TESTS = "tests/journeys"
WITHOUT_A_DATABASE = (
    *("charts", "design", "draws", "money", "nights", "planning", "publishing", "ranking", "ratings"),
    *("records", "rules", "scripts", "seasons"),
)
PLAIN_PYTHON = tuple(f"tests/{name}" for name in WITHOUT_A_DATABASE)
ON_BOTH_DATABASES = (
    "tests/backup",
    "tests/jobs",
    "tests/services",
    "tests/upgrades",
    *(f"tests/pages/test_{name}.py" for name in ("every_page", "importing_people", "nasty_values")),
    *(f"tests/pages/test_{name}.py" for name in ("sign_up", "the_people")),
)
"""What asks the database in every way there is: the services, and the tests that walk over all pages."""
ON_ONE_DATABASE = tuple(
    f"tests/services/test_{name}.py"
    for name in (
        *("bracket_bugs", "calendar", "calendar_feed", "director_bugs", "event_files", "final_ranks"),
        *("history_words", "match_laws", "matching", "names", "paging", "passkey_answers", "people_lists"),
        "undo",
    )
)
"""Services that ask it nothing that others do not ask as well; and long random evenings."""
NOTHING_COLLECTED = 5  # pytest's status


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of pytest over some folders or files. Those that are ``apart`` share nothing with the others
    and go on beside them, one after another; what they say comes last."""

    title: str
    folders: tuple[str, ...]
    without: tuple[str, ...] = ()
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
    first = [each for each in runs if not each[0].is_apart] or runs
    with ThreadPoolExecutor(max_workers=1) as apart:
        beside = [(*each, apart.submit(_captured, *each)) for each in runs if each not in first]
        statuses = {run.title: _pytest(run, words) for run, words in first}
        for run, words, ended in beside:
            statuses[run.title], said = ended.result()
            print(f"\n{_named(run, words)}\n{said}", flush=True)
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
    runs = [
        Run(title="SQLite", folders=others),
        Run(title="Plain Python", folders=PLAIN_PYTHON),
    ]
    if "PostgreSQL" not in missing:
        environment = {"DATABASE_URL": parts.POSTGRES, "CHARLEMAGNE_TEST_REDIS": parts.OTHER_REDIS}
        runs.append(
            Run(
                title="PostgreSQL",
                folders=ON_BOTH_DATABASES,
                without=ON_ONE_DATABASE,
                environment=environment,
                is_apart=True,
            )
        )
    if "Chromium" not in missing:
        # A run of its own: Playwright's event loop would break the other tests of asynchronous code.
        browser = tuple(name for name in everywhere if name == BROWSER_TESTS)
        environment = {"DJANGO_ALLOW_ASYNC_UNSAFE": "true", "CHARLEMAGNE_TEST_REDIS": parts.OTHER_REDIS}
        runs.append(Run(title="Browser", folders=browser, environment=environment, is_apart=True))
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


def _captured(run: Run, arguments: list[str]) -> tuple[int, str]:
    """The status of a run, and what it said."""
    command, environment = _command(run, arguments)
    ended = subprocess.run(  # noqa: S603
        command, cwd=PROJECT, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return ended.returncode, ended.stdout.decode(errors="replace")


def _pytest(run: Run, arguments: list[str]) -> int:
    print(f"\n{_named(run, arguments)}", flush=True)
    command, environment = _command(run, arguments)
    return subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode  # noqa: S603


def _named(run: Run, arguments: list[str]) -> str:
    return f"{run.title}: {' '.join(arguments)}"


def _command(run: Run, arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)  # pytest has its own
    environment.pop(VARIABLE, None)
    left_out = [f"--ignore={path}" for path in run.without]
    return [sys.executable, "-m", "pytest", *arguments, *left_out], environment | run.environment
