"""Run the tests: `manage.py test [--long | --near | --mutants] [arguments of pytest]`."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.core.management.base import BaseCommand

from operations.data_dir import PROJECT, VARIABLE

BROWSER_TESTS = "tests/journeys"
MARK = "mark.postgresql("
"""On a test, a class or a file that asks PostgreSQL something of its own, with what that is."""
SOME_FAILED, NOTHING_COLLECTED = 1, 5  # pytest's status
FEW = 5
"""So many tests that failed beside others are tried again by themselves."""
CACHE = PROJECT / ".pytest_cache"
PROCESSES = min((os.cpu_count() or 1) + 2, 6)
"""Two more than processors, for half of them wait at first (tests/order.py). Two runs of six find enough
numbers of Redis."""
BESIDE_ONE_ANOTHER = ("-n", str(PROCESSES), "--dist", "worksteal")


LONG = "CHARLEMAGNE_TEST_LONG"
NOT_FOR_TESTS = {
    "DATABASE_URL",
    "DJANGO_SETTINGS_MODULE",  # pytest has its own
    VARIABLE,
    "PYTHONDONTWRITEBYTECODE",  # or each process that a test starts compiles the whole program
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of pytest over some folders or files."""

    title: str
    folders: tuple[str, ...]
    options: tuple[str, ...] = ("-p", "no:playwright")  # whose import takes more than a second
    environment: dict[str, str] = field(default_factory=dict)


class Command(BaseCommand):
    help = (
        "Runs all tests, or those that the arguments (pytest's) choose, and says what could not be run. "
        "With --long, laws are tried on other examples than the last time, and simulations on many. "
        "With --near, runs those that reach what git says was changed; with --mutants, makes faults there and"
        " names those that no test notices; --map learns which test reaches what."
    )

    def run_from_argv(self, argv: list[str]) -> None:
        sys.exit(run_tests(argv[2:]))


def run_tests(arguments: list[str]) -> int:
    """Run pytest on SQLite, on PostgreSQL and in the browser, as far as the machine has them; the last lines
    say what failed, and what could not be run and how to get it."""
    from tests import parts

    if asked := {"--mutants", "--near", "--map"} & set(arguments):
        return _told_by_the_map(arguments, is_about_faults="--mutants" in asked)
    missing = parts.missing()
    paths = [word for word in arguments if (PROJECT / word.partition("::")[0]).exists()]
    options = [word for word in arguments if word not in paths]
    options, more = _long(options)
    statuses: dict[str, int] = {}
    unsteady: list[str] = []
    for run in runs_without(missing):
        if chosen := choose_paths(run, paths):
            statuses[run.title] = _pytest(run, [*_beside_one_another(paths), *options, *chosen], more)
            if _beside_one_another(paths) and (alone := try_again(run, statuses[run.title], more)):
                statuses[run.title] = 0
                unsteady += alone
    for line in last_lines(statuses, missing, unsteady):
        print(line)
    return exit_status(statuses, missing, is_ci=os.environ.get("CI") == "true")


def _told_by_the_map(arguments: list[str], *, is_about_faults: bool) -> int:
    from tests.mutants import command as mutants
    from tests.reach import command as reach

    if is_about_faults:
        return mutants.main([word for word in arguments if word != "--mutants"])
    return reach.main(arguments)


def try_again(run: Run, status: int, more: dict[str, str]) -> list[str]:
    """The tests that failed beside others and pass by themselves, all that failed; else none. A browser on a
    busy machine may be late; a fault of the product fails here, too."""
    if status != SOME_FAILED:
        return []
    known = _cache_of(run) / "v" / "cache" / "lastfailed"
    failed = list(json.loads(known.read_text(encoding="utf-8"))) if known.exists() else []
    return failed if failed and len(failed) <= FEW and _pytest(run, failed, more) == 0 else []


def last_lines(statuses: dict[str, int], missing: list[str], unsteady: Sequence[str] = ()) -> list[str]:
    """Which runs failed, by pytest's status of each; which tests passed only when they were tried again; and
    how to get the parts that the machine lacks."""
    from tests import parts

    failed = [f"tests failed: {title}, above" for title, status in statuses.items() if _is_failure(status)]
    again = [f"passed only when tried again by itself: {test}" for test in unsteady]
    return [*failed, *again, *(f"not run: {name}: {parts.HOW_TO_GET[name]}" for name in missing)]


def exit_status(statuses: dict[str, int], missing: list[str], *, is_ci: bool) -> int:
    """0 if tests were run and none failed; where changes are taken, only if nothing was left out."""
    is_bad = any(map(_is_failure, statuses.values())) or 0 not in statuses.values()
    return int(is_bad or (is_ci and bool(missing)))


def _is_failure(status: int) -> bool:
    return status not in {0, NOTHING_COLLECTED}


def _beside_one_another(paths: list[str]) -> tuple[str, ...]:
    """How tests are spread over the processors; those of a few files are run here, where one may step
    through them."""
    is_few = paths and all((PROJECT / path.partition("::")[0]).is_file() for path in paths)
    return () if is_few else BESIDE_ONE_ANOTHER


def _long(options: list[str]) -> tuple[list[str], dict[str, str]]:
    """The options of pytest, and the variables, with which a run is a long one if it is asked for. What it
    prints repeats it."""
    asked = [word for word in options if word.partition("=")[0] == "--long"]
    if not asked:
        return options, {}
    seed = asked[-1].partition("=")[2] or str(secrets.randbelow(10**9))
    print(f"to run the same again: --long={seed}", flush=True)
    others = [word for word in options if word not in asked]
    return [f"--hypothesis-seed={seed}", *others], {LONG: seed}


def runs_without(missing: list[str]) -> list[Run]:
    """All runs of a machine that lacks these parts."""
    from tests import parts

    everywhere = sorted(
        folder.relative_to(PROJECT).as_posix()
        for folder in (PROJECT / "tests").iterdir()
        if folder.is_dir() and any(folder.rglob("test_*.py"))
    )
    runs = [Run(title="SQLite", folders=tuple(name for name in everywhere if name != BROWSER_TESTS))]
    if "PostgreSQL" not in missing:
        environment = {"DATABASE_URL": parts.POSTGRES}
        runs.append(
            Run(
                title="PostgreSQL",
                folders=with_mark(),
                options=("-p", "no:playwright", "-m", "postgresql"),
                environment=environment,
            )
        )
    if set(parts.ENGINES) - set(missing):
        # A run of its own: Playwright's event loop would break the other tests of asynchronous code.
        environment = {"DJANGO_ALLOW_ASYNC_UNSAFE": "true"}
        runs.append(Run(title="Browser", folders=(BROWSER_TESTS,), options=(), environment=environment))
    return runs


def with_mark() -> tuple[str, ...]:
    """The files of tests in which something is marked: nobody needs to collect the others."""
    files = sorted((PROJECT / "tests").rglob("test_*.py"))
    found = (file for file in files if MARK in file.read_text(encoding="utf-8"))
    return tuple(file.relative_to(PROJECT).as_posix() for file in found)


def choose_paths(run: Run, paths: list[str]) -> list[str]:
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


def _cache_of(run: Run) -> Path:
    return CACHE / run.title.lower()


def _pytest(run: Run, arguments: list[str], more: dict[str, str]) -> int:
    """The status of a run."""
    print(f"\n{run.title}: {' '.join(arguments)}", flush=True)
    environment = {name: value for name, value in os.environ.items() if name not in NOT_FOR_TESTS}
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pytest", "-o", f"cache_dir={_cache_of(run)}", *run.options, *arguments],
        cwd=PROJECT,
        env=environment | run.environment | more,
        check=False,
    ).returncode
