"""Runs of the tests, for `manage.py test`."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from operations.data_dir import DATA_VARIABLE, PROJECT

BROWSER_TESTS = "tests/journeys"
MARK = "mark.postgresql("
"""Mark of a test, a class or a file that depends on PostgreSQL, with the reason."""
SOME_FAILED, NO_SUCH_PATH, NOTHING_COLLECTED = 1, 4, 5  # pytest's status
MAX_RETRIED = 5
"""Maximum number of failed tests that are tried again alone."""
CACHE_FOLDER = PROJECT / ".pytest_cache"
FLAKY_FILE = PROJECT / "tests" / "flaky.txt"
"""Tests that passed only when tried again alone, since the last release."""
PROCESSORS = min(os.cpu_count() or 1, 4)
"""Number of processors to keep busy: more processes would find too few Redis database numbers."""
ENDS_HUNG_TESTS = ("-o", "faulthandler_timeout=600", "-o", "faulthandler_exit_on_timeout=true")
"""Options that name a test that hangs, and let the others go on. They start a thread for each test."""


def list_parallel_options(processes: int) -> tuple[str, ...]:
    """Return the options that spread tests over so many processes."""
    return ("-n", str(processes), "--dist", "worksteal", *ENDS_HUNG_TESTS)


LONG = "CHARLEMAGNE_TEST_LONG"
NIGHTLY_MUTANTS, NIGHTLY_PERCENT = 150, 92
"""Number of mutants of a long run, and the share that tests must detect: some change nothing that one can see."""
EXCLUDED_VARIABLES = {
    "DATABASE_URL",
    "DJANGO_SETTINGS_MODULE",  # pytest has its own
    DATA_VARIABLE,
    "PYTHONDONTWRITEBYTECODE",  # otherwise each process that a test starts compiles the whole program
}
FIRST_JOURNEYS = (
    "tests/journeys/test_first_night.py::test_first_night_runs_from_the_start_link_to_the_standings",
    "tests/journeys/test_offline_matches.py::TestOfflineMatch::test_match_is_recorded_offline_from_first_hand_to_agreement",
    "tests/journeys/test_two_phones.py::TestTwoPhones::test_phones_see_each_others_hands_within_seconds",
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
    processes: int
    marks: str = ""
    options: tuple[str, ...] = ("-p", "no:playwright")  # its import takes more than a second
    environment: dict[str, str] = field(default_factory=dict)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manage.py test",
        allow_abbrev=False,
        description="Run the quick tests on SQLite and a club night in the browser, or all tests at these "
        "paths. Other options are passed to pytest (`python3 -m pytest --help`).",
        usage="%(prog)s [--all | --long | --near | --mutants | --map] [paths] [options of pytest]",
    )
    tier = parser.add_mutually_exclusive_group()
    tier.add_argument("--all", action="store_true", help="add slow tests, PostgreSQL and all browser tests (CI)")
    tier.add_argument(
        "--long",
        action="store_true",
        help="add nightly tests, new random examples, both databases for everything, mutation tests",
    )
    tier.add_argument("--near", action="store_true", help="run the tests that reach the changed lines")
    tier.add_argument("--mutants", action="store_true", help="list mutants of the changed lines that no test detects")
    tier.add_argument(
        "--map", action="store_true", help="record which test reaches which line, for --near and --mutants"
    )
    parser.add_argument("--shard", help="run only shard N of M", metavar="N/M")
    parser.add_argument("--seed", help="with --long, repeat the random examples of an earlier run", metavar="SEED")
    return parser


def run_tests(arguments: list[str]) -> int:
    """Run pytest on SQLite, on PostgreSQL and in the browser, as far as they are installed. The last lines
    list failures, skipped tests and how to install what they need."""
    from tests import external_tools
    from tests.processor_time import delete_times, read_slow_tests, save_seconds

    parsed, others = _build_parser().parse_known_args(arguments)
    if parsed.mutants or parsed.near or parsed.map:
        return _run_map_command(arguments, is_mutation_run=parsed.mutants)
    missing = external_tools.list_missing()
    paths, options = split_paths(others)
    if wrong := [argument for argument in options if argument.startswith("tests/")]:
        print(f"Not found: {', '.join(wrong)}.")
        return NO_SUCH_PATH
    tier = Tier.LONG if parsed.long else Tier.ALL if parsed.all or paths else Tier.QUICK
    variables = _seed_variables(tier, parsed.seed)
    options = [*(f"--hypothesis-seed={seed}" for seed in variables.values()), *options]
    # A few files run in this process, where one can debug them.
    is_parallel = not paths or not all((PROJECT / path.partition("::")[0]).is_file() for path in paths)
    runs = [
        (run, [*(list_parallel_options(run.processes) if is_parallel else ()), *options, *chosen])
        for run in list_runs(missing, tier)
        if (chosen := _select_shard(choose_paths(run, paths), parsed.shard))
    ]
    delete_times()  # of earlier runs
    statuses = _run_each(runs, variables, at_once=is_parallel and tier is not Tier.LONG)
    flaky_tests: list[str] = []
    for run, _ in runs:
        if is_parallel and (retried := retry_failed(run, statuses[run.title], variables)):
            statuses[run.title] = 0
            flaky_tests += retried
    is_first_shard = (parsed.shard or "1/").startswith("1/")
    if tier is Tier.LONG and not paths and is_first_shard:
        statuses["Mutants"] = _run_mutation_tests()
    is_ci = os.environ.get("CI") == "true"
    if not is_ci:  # CI must not change its checkout
        record_flaky(flaky_tests)
    if not paths:
        save_seconds()
    for line in format_summary(statuses, missing, flaky_tests, sorted(read_slow_tests())):
        print(line)
    return compute_exit_status(statuses, missing, is_ci=is_ci)


def _seed_variables(tier: Tier, seed: str | None) -> dict[str, str]:
    """Return the variable that seeds a long run's examples, printed so that it can be repeated; else none."""
    if tier is not Tier.LONG:
        return {}
    seed = seed or str(secrets.randbelow(10**9))
    print(f"To repeat this run: --long --seed {seed}", flush=True)
    return {LONG: seed}


def _select_shard(paths: list[str], shard: str | None) -> list[str]:
    """Return the part of these folders, files and tests for one of several machines: ``2/4`` is the second of
    four."""
    from tests.processor_time import choose_shard_files, read_seconds_by_file

    if shard is None:
        return paths
    files = [
        file.relative_to(PROJECT).as_posix()
        for path in paths
        for file in ((PROJECT / path).rglob("test_*.py") if (PROJECT / path).is_dir() else [PROJECT / path])
    ]
    number, _, count = shard.partition("/")
    return choose_shard_files(files, read_seconds_by_file(), int(number), int(count))


def _run_map_command(arguments: list[str], *, is_mutation_run: bool) -> int:
    from tests.mutants import command as mutants
    from tests.reach import command as reach

    if is_mutation_run:
        return mutants.main([argument for argument in arguments if argument != "--mutants"])
    return reach.main(arguments)


def _run_mutation_tests() -> int:
    """Run mutation tests on the whole program; a map of all tests chooses those for each mutant."""
    from tests.mutants import command as mutants
    from tests.reach.generation import make_map

    options = ["--whole", "--count", str(NIGHTLY_MUTANTS), "--required", str(NIGHTLY_PERCENT)]
    return make_map([]) or mutants.main(options)


def record_flaky(tests: Sequence[str]) -> None:
    """Add tests to the list that has to be empty for a release."""
    known_tests = set(FLAKY_FILE.read_text(encoding="utf-8").splitlines())
    if new := set(tests) - known_tests:
        FLAKY_FILE.write_text("".join(f"{each}\n" for each in sorted(known_tests | new)), encoding="utf-8")


def retry_failed(run: Run, status: int, variables: dict[str, str]) -> list[str]:
    """Run failed tests again alone; return them if all pass, else none.

    A browser on a busy machine may be late; a bug fails here, too.
    """
    if status != SOME_FAILED:
        return []
    cache_file = _get_cache_folder(run) / "v" / "cache" / "lastfailed"
    failed = list(json.loads(cache_file.read_text(encoding="utf-8"))) if cache_file.exists() else []
    return failed if failed and len(failed) <= MAX_RETRIED and _run_pytest(run, failed, variables) == 0 else []


def format_summary(
    statuses: dict[str, int], missing: list[str], flaky_tests: Sequence[str] = (), slow: Sequence[str] = ()
) -> list[str]:
    """Return the last lines of a run.

    They have the failed runs, by pytest's status; tests that passed only when tried again; tests that need
    the mark ``slow``; and how to install the missing tools.
    """
    from tests import external_tools

    failure_lines = [f"tests failed: {title}, above" for title, status in statuses.items() if _is_failure(status)]
    flaky_lines = [f"passed only when tried again by itself: {test}" for test in flaky_tests]
    marks = [f"slow, and not marked so: {test}" for test in slow]
    return [
        *failure_lines,
        *flaky_lines,
        *marks,
        *(f"not run: {name}: {external_tools.INSTALL_HINTS[name]}" for name in missing),
    ]


def compute_exit_status(statuses: dict[str, int], missing: list[str], *, is_ci: bool) -> int:
    """Return 0 if tests were run and none failed; in CI, only if nothing was skipped."""
    is_bad = any(map(_is_failure, statuses.values())) or 0 not in statuses.values()
    return int(is_bad or (is_ci and bool(missing)))


def _is_failure(status: int) -> bool:
    return status not in {0, NOTHING_COLLECTED}


def list_runs(missing: list[str], tier: Tier = Tier.ALL) -> list[Run]:
    """Return the runs of a tier on a machine without these tools."""
    from tests import external_tools

    everywhere = sorted(
        folder.relative_to(PROJECT).as_posix()
        for folder in (PROJECT / "tests").iterdir()
        if folder.is_dir() and any(folder.rglob("test_*.py"))
    )
    pages = tuple(name for name in everywhere if name != BROWSER_TESTS)
    is_long = tier is Tier.LONG
    # Half of the slow tests of operations wait (tests/order.py): one more process works meanwhile.
    runs = [Run(title="SQLite", folders=pages, processes=PROCESSORS + (tier is not Tier.QUICK), marks=tier)]
    if "PostgreSQL" not in missing and tier is not Tier.QUICK:
        runs.append(
            Run(
                title="PostgreSQL",
                folders=pages if is_long else list_marked_files(),
                processes=PROCESSORS + 1 if is_long else max(PROCESSORS // 2, 1),
                marks="" if is_long else f"postgresql and {tier}",
                environment={"DATABASE_URL": external_tools.POSTGRES},
            )
        )
    if set(external_tools.ENGINES) - set(missing):
        # A run of its own: Playwright's event loop would break the other tests of asynchronous code.
        runs.append(
            Run(
                title="Browser",
                folders=FIRST_JOURNEYS if tier is Tier.QUICK else (BROWSER_TESTS,),
                processes=PROCESSORS,
                marks="" if tier is Tier.QUICK else tier,
                options=(),
                environment={"DJANGO_ALLOW_ASYNC_UNSAFE": "true"},
            )
        )
    return runs


def list_marked_files() -> tuple[str, ...]:
    """Return the test files that have the PostgreSQL mark: the others need not be collected."""
    files = sorted((PROJECT / "tests").rglob("test_*.py"))
    marked_files = (file for file in files if MARK in file.read_text(encoding="utf-8"))
    return tuple(file.relative_to(PROJECT).as_posix() for file in marked_files)


def split_paths(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return the folders, files and tests among the arguments, and the options of pytest with their values."""
    paths = [
        argument
        for argument in arguments
        if Path(argument).is_relative_to("tests") and (PROJECT / argument.partition("::")[0]).exists()
    ]
    return paths, [argument for argument in arguments if argument not in paths]


def choose_paths(run: Run, paths: list[str]) -> list[str]:
    """Return which of the named paths belong to this run; without any, all of it."""
    if not paths:
        return list(run.folders)
    chosen = []
    for path in paths:
        root = Path(path.partition("::")[0])
        if any(root.is_relative_to(folder) for folder in run.folders):
            chosen.append(path)
        else:
            chosen += [folder for folder in run.folders if Path(folder).is_relative_to(root)]
    return chosen


def _get_cache_folder(run: Run) -> Path:
    return CACHE_FOLDER / run.title.lower()


def _run_each(runs: Sequence[tuple[Run, list[str]]], variables: dict[str, str], *, at_once: bool) -> dict[str, int]:
    """Return pytest's status of each run by title.

    Browsers and servers wait often: run at once, they take little of each other's time. The output of the later runs
    follows that of the first.
    """
    if not at_once:
        return {run.title: _run_pytest(run, arguments, variables) for run, arguments in runs}
    with ExitStack() as files:
        started = []
        for index, (run, arguments) in enumerate(runs):
            output = files.enter_context(TemporaryFile()) if index else None
            started.append((run, output, _start_pytest(run, arguments, variables, output)))
        statuses = {}
        for run, output, process in started:
            statuses[run.title] = process.wait()
            if output:
                output.seek(0)
                print(output.read().decode(), end="", flush=True)
        return statuses


def _run_pytest(run: Run, arguments: list[str], variables: dict[str, str]) -> int:
    """Run pytest, and return its status."""
    return _start_pytest(run, arguments, variables).wait()


def _start_pytest(
    run: Run, arguments: list[str], variables: dict[str, str], output: IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    title_line = f"\n{run.title}: {' '.join(arguments)}\n"
    if output:
        output.write(title_line.encode())
        output.flush()
    else:
        print(title_line, end="", flush=True)
    environment = {name: value for name, value in os.environ.items() if name not in EXCLUDED_VARIABLES}
    return subprocess.Popen(  # noqa: S603
        [
            sys.executable,
            "-m",
            "pytest",
            "-o",
            f"cache_dir={_get_cache_folder(run)}",
            *run.options,
            "-m",
            run.marks,
            *arguments,
        ],
        cwd=PROJECT,
        env=environment | run.environment | variables,
        stdout=output,
    )
