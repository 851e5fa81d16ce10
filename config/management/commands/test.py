"""Run the tests: `manage.py test [--all | --long] [paths and options of pytest]`."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from django.core.management.base import BaseCommand

from operations.data_dir import PROJECT, VARIABLE

BROWSER_TESTS = "tests/journeys"
MARK = "mark.postgresql("
"""Mark of a test, a class or a file that depends on PostgreSQL, with the reason."""
SOME_FAILED, NO_SUCH_PATH, NOTHING_COLLECTED = 1, 4, 5  # pytest's status
FEW = 5
"""Maximum number of failed tests that are tried again alone."""
CACHE = PROJECT / ".pytest_cache"
FLAKY = PROJECT / "tests" / "flaky.txt"
"""Tests that passed only when tried again alone, since the last release."""
PROCESSES = min((os.cpu_count() or 1) + 2, 6)
"""Number of test processes: two more than processors, as half of them wait at first (tests/order.py).

Two runs of six find enough Redis database numbers.
"""
SPREAD = ("--dist", "worksteal")
BESIDE_ONE_ANOTHER = ("-n", str(PROCESSES), *SPREAD)
LONG = "CHARLEMAGNE_TEST_LONG"
NIGHTLY_FAULTS = 150
NOT_FOR_TESTS = {
    "DATABASE_URL",
    "DJANGO_SETTINGS_MODULE",  # pytest has its own
    VARIABLE,
    "PYTHONDONTWRITEBYTECODE",  # otherwise each process that a test starts compiles the whole program
}
FIRST_JOURNEYS = (
    "tests/journeys/test_the_first_night.py::test_a_night_from_the_first_link_to_the_standings",
    "tests/journeys/test_without_a_network.py::TestAMatchWithoutANetwork::test_is_marked_from_its_first_hand_to_its_last_agreement",
    "tests/journeys/test_two_phones.py::TestTwoPhones::test_see_each_others_hands_within_seconds",
)
"""A club night in the browser, with its draws, a table without a network, and two phones at one table."""


class Tier(StrEnum):
    """Selection of tests; the value is pytest's expression of their marks."""

    QUICK = "not slow and not long"
    ALL = "not long"
    LONG = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of pytest over some folders or files."""

    title: str
    folders: tuple[str, ...]
    marks: str = ""
    options: tuple[str, ...] = ("-p", "no:playwright")  # its import takes more than a second
    environment: dict[str, str] = field(default_factory=dict)


class Command(BaseCommand):
    help = "Run the tests. Tests that need a missing tool are skipped; the last lines say how to install it."

    def run_from_argv(self, argv: list[str]) -> None:
        sys.exit(run_tests(argv[2:]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manage.py test",
        allow_abbrev=False,
        description="Run the quick tests on SQLite and a club night in the browser, or all tests at these "
        "paths. Other options are passed to pytest (`python3 -m pytest --help`).",
        usage="%(prog)s [--all | --long | --near | --mutants | --map] [paths] [options of pytest]",
    )
    tier = parser.add_mutually_exclusive_group()
    tier.add_argument(
        "--all", action="store_true", help="add slow tests, PostgreSQL and all browser tests (CI)"
    )
    tier.add_argument(
        "--long",
        action="store_true",
        help="add nightly tests, new random examples, both databases for everything, mutation tests",
    )
    tier.add_argument("--near", action="store_true", help="run the tests that reach the changed lines")
    tier.add_argument(
        "--mutants", action="store_true", help="list mutants of the changed lines that no test detects"
    )
    tier.add_argument(
        "--map", action="store_true", help="record which test reaches which line, for --near and --mutants"
    )
    parser.add_argument("--shard", help="run only shard N of M", metavar="N/M")
    parser.add_argument(
        "--seed", help="with --long, repeat the random examples of an earlier run", metavar="SEED"
    )
    return parser


def run_tests(arguments: list[str]) -> int:
    """Run pytest on SQLite, on PostgreSQL and in the browser, as far as they are installed. The last lines
    list failures, skipped tests and how to install what they need."""
    from tests import parts
    from tests.processor_time import forget_times, found_slow, keep_seconds

    asked, others = _parser().parse_known_args(arguments)
    if asked.mutants or asked.near or asked.map:
        return _told_by_the_map(arguments, is_about_faults=asked.mutants)
    missing = parts.missing()
    paths = [word for word in others if (PROJECT / word.partition("::")[0]).exists()]
    options = [word for word in others if word not in paths]
    if wrong := [word for word in options if word.startswith("tests/")]:
        print(f"Not found: {', '.join(wrong)}.")
        return NO_SUCH_PATH
    tier = Tier.LONG if asked.long else Tier.ALL if asked.all or paths else Tier.QUICK
    more = _seed_variables(tier, asked.seed)
    options = [*(f"--hypothesis-seed={seed}" for seed in more.values()), *options]
    statuses: dict[str, int] = {}
    unsteady: list[str] = []
    forget_times()  # of earlier runs
    for run in runs_without(missing, tier):
        if chosen := _of_shard(choose_paths(run, paths), asked.shard):
            spread = _beside_one_another(paths, tier)
            statuses[run.title] = _pytest(run, [*spread, *options, *chosen], more)
            if spread and (alone := try_again(run, statuses[run.title], more)):
                statuses[run.title] = 0
                unsteady += alone
    if tier is Tier.LONG and not paths:
        statuses["Faults"] = _try_faults()
    is_ci = os.environ.get("CI") == "true"
    if not is_ci:  # CI must not change its checkout
        note_flaky(unsteady)
    if not paths:
        keep_seconds()
    for line in last_lines(statuses, missing, unsteady, sorted(found_slow())):
        print(line)
    return exit_status(statuses, missing, is_ci=is_ci)


def _seed_variables(tier: Tier, seed: str | None) -> dict[str, str]:
    """Return the variable that seeds a long run's examples, printed so that it can be repeated; else none."""
    if tier is not Tier.LONG:
        return {}
    seed = seed or str(secrets.randbelow(10**9))
    print(f"To repeat this run: --long --seed {seed}", flush=True)
    return {LONG: seed}


def _of_shard(paths: list[str], shard: str | None) -> list[str]:
    """Return the part of these folders, files and tests for one of several machines: ``2/4`` is the second of
    four."""
    from tests.processor_time import files_of_shard, seconds_by_file

    if shard is None:
        return paths
    files = [
        file.relative_to(PROJECT).as_posix()
        for path in paths
        for file in ((PROJECT / path).rglob("test_*.py") if (PROJECT / path).is_dir() else [PROJECT / path])
    ]
    number, _, count = shard.partition("/")
    return files_of_shard(files, seconds_by_file(), int(number), int(count))


def _told_by_the_map(arguments: list[str], *, is_about_faults: bool) -> int:
    from tests.mutants import command as mutants
    from tests.reach import command as reach

    if is_about_faults:
        return mutants.main([word for word in arguments if word != "--mutants"])
    return reach.main(arguments)


def _try_faults() -> int:
    """Run mutation tests on the whole program; a map of all tests chooses those for each mutant."""
    from tests.mutants import command as mutants
    from tests.reach.making import make_map

    return make_map([]) or mutants.main(["--whole", "--count", str(NIGHTLY_FAULTS)])


def note_flaky(tests: Sequence[str]) -> None:
    """Add tests to the list that has to be empty for a release."""
    known = set(FLAKY.read_text(encoding="utf-8").splitlines())
    if new := set(tests) - known:
        FLAKY.write_text("".join(f"{each}\n" for each in sorted(known | new)), encoding="utf-8")


def try_again(run: Run, status: int, more: dict[str, str]) -> list[str]:
    """Run failed tests again alone; return them if all pass, else none.

    A browser on a busy machine may be late; a bug fails here, too.
    """
    if status != SOME_FAILED:
        return []
    known = _cache_of(run) / "v" / "cache" / "lastfailed"
    failed = list(json.loads(known.read_text(encoding="utf-8"))) if known.exists() else []
    return failed if failed and len(failed) <= FEW and _pytest(run, failed, more) == 0 else []


def last_lines(
    statuses: dict[str, int], missing: list[str], unsteady: Sequence[str] = (), slow: Sequence[str] = ()
) -> list[str]:
    """Return the last lines of a run.

    They have the failed runs, by pytest's status; tests that passed only when tried again; tests that need
    the mark ``slow``; and how to install the missing tools.
    """
    from tests import parts

    failed = [f"tests failed: {title}, above" for title, status in statuses.items() if _is_failure(status)]
    again = [f"passed only when tried again by itself: {test}" for test in unsteady]
    marks = [f"slow, and not marked so: {test}" for test in slow]
    return [*failed, *again, *marks, *(f"not run: {name}: {parts.HOW_TO_GET[name]}" for name in missing)]


def exit_status(statuses: dict[str, int], missing: list[str], *, is_ci: bool) -> int:
    """Return 0 if tests were run and none failed; in CI, only if nothing was skipped."""
    is_bad = any(map(_is_failure, statuses.values())) or 0 not in statuses.values()
    return int(is_bad or (is_ci and bool(missing)))


def _is_failure(status: int) -> bool:
    return status not in {0, NOTHING_COLLECTED}


def _beside_one_another(paths: list[str], tier: Tier) -> tuple[str, ...]:
    """Return the options that spread tests over the processors.

    A few files run in this process, where one can debug them. No quick test waits: a process for each
    processor is enough.
    """
    if paths and all((PROJECT / path.partition("::")[0]).is_file() for path in paths):
        return ()
    return ("-n", str(os.cpu_count() or 1), *SPREAD) if tier is Tier.QUICK else BESIDE_ONE_ANOTHER


def runs_without(missing: list[str], tier: Tier = Tier.ALL) -> list[Run]:
    """Return the runs of a tier on a machine without these tools."""
    from tests import parts

    everywhere = sorted(
        folder.relative_to(PROJECT).as_posix()
        for folder in (PROJECT / "tests").iterdir()
        if folder.is_dir() and any(folder.rglob("test_*.py"))
    )
    pages = tuple(name for name in everywhere if name != BROWSER_TESTS)
    runs = [Run(title="SQLite", folders=pages, marks=tier)]
    if "PostgreSQL" not in missing and tier is not Tier.QUICK:
        of_both = tier is Tier.LONG
        runs.append(
            Run(
                title="PostgreSQL",
                folders=pages if of_both else with_mark(),
                marks="" if of_both else f"postgresql and {tier}",
                environment={"DATABASE_URL": parts.POSTGRES},
            )
        )
    if set(parts.ENGINES) - set(missing):
        # A run of its own: Playwright's event loop would break the other tests of asynchronous code.
        runs.append(
            Run(
                title="Browser",
                folders=FIRST_JOURNEYS if tier is Tier.QUICK else (BROWSER_TESTS,),
                marks="" if tier is Tier.QUICK else tier,
                options=(),
                environment={"DJANGO_ALLOW_ASYNC_UNSAFE": "true"},
            )
        )
    return runs


def with_mark() -> tuple[str, ...]:
    """Return the test files that have the PostgreSQL mark: the others need not be collected."""
    files = sorted((PROJECT / "tests").rglob("test_*.py"))
    found = (file for file in files if MARK in file.read_text(encoding="utf-8"))
    return tuple(file.relative_to(PROJECT).as_posix() for file in found)


def choose_paths(run: Run, paths: list[str]) -> list[str]:
    """Return which of the named paths belong to this run; without any, all of it."""
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
    """Run pytest, and return its status."""
    print(f"\n{run.title}: {' '.join(arguments)}", flush=True)
    environment = {name: value for name, value in os.environ.items() if name not in NOT_FOR_TESTS}
    return subprocess.run(  # noqa: S603
        [
            sys.executable,
            "-m",
            "pytest",
            "-o",
            f"cache_dir={_cache_of(run)}",
            *run.options,
            "-m",
            run.marks,
            *arguments,
        ],
        cwd=PROJECT,
        env=environment | run.environment | more,
        check=False,
    ).returncode
