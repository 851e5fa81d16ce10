"""Trial of a mutant: run its tests in a copy of the tree, with a time limit."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tests.mutants.mutant import Mutant
from tests.reach.tree import copy_files, list_files
from tools.test_runs import BROWSER_TESTS, EXCLUDED_VARIABLES

_MISSING_TEST = re.compile(r"^ERROR: not found: .*?/(tests/.+)$", re.MULTILINE)
"""Error about a test that the mutant removed, because its parameters come from the program."""
_FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)
PASSED_STATUS = 0
MEMORY = 3 * 2**30
"""Bytes per test process: an endless loop could fill the memory before its time limit."""


class Outcome(StrEnum):
    DETECTED = "detected"
    NEVER_ENDS = "never ends"
    NOT_DETECTED = "not detected"
    NOT_REACHED = "no test reaches it"
    FAILS_ANYWAY = "not known, for the test fails anyway"


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialResult:
    mutant: Mutant
    outcome: Outcome
    failed_test: str = ""
    """The test that detected the mutant."""
    tests: int = 0
    """Number of tests selected for it."""

    @property
    def is_detected(self) -> bool:
        return self.outcome in {Outcome.DETECTED, Outcome.NEVER_ENDS}


class Copy:
    """A copy of a tree, with one mutant at a time."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.folder = folder
        copy_files(list_files(tree), tree, folder)
        (folder / ".venv").symlink_to(tree / ".venv")

    def try_out(self, mutant: Mutant, tests: list[str], seconds: float) -> TrialResult:
        """Run the tests against a mutant for this many seconds per run of pytest; return the outcome."""
        if not tests:
            return TrialResult(mutant=mutant, outcome=Outcome.NOT_REACHED)
        with self._apply_mutant(mutant):
            for some in _group_by_run(tests):
                try:
                    status, output = self._run_those_there(some, seconds)
                except subprocess.TimeoutExpired:
                    return TrialResult(mutant=mutant, outcome=Outcome.NEVER_ENDS, tests=len(tests))
                if status != PASSED_STATUS:
                    by = _FAILED_TEST.search(output)
                    named = by[1] if by else f"status {status}"
                    return TrialResult(mutant=mutant, outcome=Outcome.DETECTED, failed_test=named, tests=len(tests))
        return TrialResult(mutant=mutant, outcome=Outcome.NOT_DETECTED, tests=len(tests))

    def list_failing_tests(self, tests: list[str]) -> set[str]:
        """Return the tests that fail without any mutant."""
        _, output = self._run(tests, 24 * 3600, "--maxfail=0")
        return set(_FAILED_TEST.findall(output))

    def _run_those_there(self, tests: list[str], seconds: float) -> tuple[int, str]:
        status, output = self._run(tests, seconds)
        gone = set(_MISSING_TEST.findall(output))
        there = [test for test in tests if test not in gone]
        if not gone or len(there) == len(tests):
            return status, output
        return self._run(there, seconds) if there else (PASSED_STATUS, "")

    def _run(self, tests: list[str], seconds: float, *more: str) -> tuple[int, str]:
        """Run pytest, by default until the first failure; return its exit status and output."""
        browser = any(test.startswith(BROWSER_TESTS) for test in tests)
        options = ["-x", "-q", "--tb=no", "--color=no", "-rfE", "-p", "no:cacheprovider", *more]
        options += [] if browser else ["-p", "no:playwright"]
        environment = {name: value for name, value in os.environ.items() if name not in EXCLUDED_VARIABLES}
        if browser:
            environment["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # to kill the child processes of the tests with it
        ) as running:
            if not browser:  # browsers reserve more memory than they use
                resource.prlimit(running.pid, resource.RLIMIT_DATA, (MEMORY, MEMORY))
            try:
                output, _ = running.communicate(timeout=seconds)
            except BaseException:
                os.killpg(running.pid, signal.SIGKILL)
                raise
        return running.returncode, output

    @contextmanager
    def _apply_mutant(self, mutant: Mutant) -> Iterator[None]:
        file = self.folder / mutant.path
        before = self.folder.with_suffix(".before")
        shutil.copy2(file, before)
        file.write_text(mutant.apply(file.read_text(encoding="utf-8")), encoding="utf-8")
        try:
            yield
        finally:
            shutil.move(before, file)


def _group_by_run(tests: list[str]) -> Iterator[list[str]]:
    """Yield the browser tests separately and last, as they are the slowest."""
    for is_browser in (False, True):
        if some := [test for test in tests if test.startswith(BROWSER_TESTS) == is_browser]:
            yield some
