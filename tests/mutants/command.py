"""`manage.py test --mutants`: mutation testing."""

from __future__ import annotations

import argparse
import os
import secrets
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

from operations.data_dir import PROJECT
from tests.mutants.generation import list_mutants, sample_mutants
from tests.mutants.mutant import Mutant
from tests.mutants.report import format_line, format_summary
from tests.mutants.selection import Selector
from tests.mutants.trials import Copy, Outcome, TrialResult
from tests.reach.changes import list_changed_lines
from tests.reach.command import NO_MAP, NOTHING, find_map
from tests.reach.map import Map
from tools.test_runs import BROWSER_TESTS

UNDETECTED_STATUS = 1
START, PATIENCE = 90, 6
"""A trial times out after START seconds for pytest plus PATIENCE times the recorded duration of its tests."""


def main(arguments: list[str]) -> int:
    """Test mutants; return 0 if the tests detect the required percentage, by default all of them."""
    options = _parse_options(arguments)
    test_map = find_map()
    if test_map is None:
        return NO_MAP
    mutants = _choose_mutants(options)
    if not mutants:
        print(f"nothing to make mutants in: no lines were changed since {options.since} (or say --whole)")
        return NOTHING
    tried = []
    for one in try_mutants(mutants, test_map, PROJECT, seconds=options.seconds, processes=options.processes):
        tried.append(one)
        print(format_line(one), flush=True)
    believed = remove_false_alarms(tried, PROJECT)
    print("\n".join(format_summary(believed)))
    return get_status(believed, required_percent=options.required)


def get_status(tried: list[TrialResult], *, required_percent: int = 100) -> int:
    detected = sum(one.is_detected for one in tried)
    return 0 if 100 * detected >= required_percent * len(tried) else UNDETECTED_STATUS


def _parse_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="manage.py test --mutants", allow_abbrev=False)
    parser.add_argument("--since", default="HEAD", help="mutants in lines changed since then (default: HEAD)")
    parser.add_argument("--whole", action="store_true", help="in the whole tree instead")
    parser.add_argument("--count", type=int, default=30, help="in so many lines at most (default: 30)")
    parser.add_argument("--required", type=int, default=100, help="percentage that tests must detect (default: 100)")
    parser.add_argument("--seed", type=int, default=None, help="the same mutants again")
    parser.add_argument("--seconds", type=float, default=30, help="of tests for one mutant (default: 30)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("paths", nargs="*", help="only in these folders or files")
    return parser.parse_args(arguments)


def _choose_mutants(options: argparse.Namespace) -> list[Mutant]:
    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    print(f"to make the same mutants again: --seed {seed}", flush=True)
    mutants = list_mutants(PROJECT, None if options.whole else list_changed_lines(PROJECT, options.since))
    wanted = [Path(path) for path in options.paths or ["."]]
    here = [mutant for mutant in mutants if any(Path(mutant.path).is_relative_to(path) for path in wanted)]
    return sample_mutants(here, options.count, seed)


def try_mutants(
    mutants: list[Mutant], test_map: Map, tree: Path, *, seconds: float, processes: int
) -> Iterator[TrialResult]:
    """Yield the result of each mutant as soon as its tests end."""
    choosing = Selector(test_map, tree)
    tests_of = {mutant: choosing.choose_tests(mutant, seconds) for mutant in mutants}
    with tempfile.TemporaryDirectory(prefix="charlemagne-mutants-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(processes):
            copies.put(Copy(tree, Path(folder) / str(number)))

        def try_out(mutant: Mutant) -> TrialResult:
            copy = copies.get()
            try:
                usual = sum(test_map.seconds[test] for test in tests_of[mutant])
                return copy.try_out(mutant, tests_of[mutant], START + PATIENCE * usual)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(processes) as pool:
            for done in as_completed([pool.submit(try_out, mutant) for mutant in mutants]):
                yield done.result()


def remove_false_alarms(tried: list[TrialResult], tree: Path) -> list[TrialResult]:
    """Replace the outcome of mutants whose failed test also fails without a mutant."""
    with tempfile.TemporaryDirectory(prefix="charlemagne-mutants-") as folder:
        copy = Copy(tree, Path(folder) / "0")
        failed_tests = {one.failed_test for one in tried if "::" in one.failed_test}
        runs = [
            [test for test in failed_tests if test.startswith(BROWSER_TESTS) == is_browser]
            for is_browser in (False, True)
        ]
        anyway = {test for some in runs if some for test in copy.list_failing_tests(some)}
    return [replace(one, outcome=Outcome.FAILS_ANYWAY) if one.failed_test in anyway else one for one in tried]
