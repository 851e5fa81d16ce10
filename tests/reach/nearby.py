"""Tests that reach the changes reported by git."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.reach.map import Map

TESTS_FOLDER = "tests"


@dataclass(frozen=True, slots=True)
class NearbyTests:
    tests: list[str]
    """Names of tests and of test files."""
    unknown: list[str]
    """Changed files that no recorded test reaches."""


def find_nearby_tests(changed: dict[str, set[int]], test_map: Map, tree: Path) -> NearbyTests:
    """Return the tests that reach changed lines (by path), and the changed test files."""
    tests: set[str] = set()
    files: set[str] = set()
    unknown = []
    for path, lines in sorted(changed.items()):
        if path.startswith(f"{TESTS_FOLDER}/"):
            files.update(_list_test_files(path, tree))
        elif test_map.is_reached(path):
            tests |= test_map.find_tests(path, lines) or test_map.find_tests_of_file(path)
        else:
            unknown.append(path)
    there = [test for test in sorted(tests) if (tree / test.partition("::")[0]).exists()]
    return NearbyTests([*sorted(files), *(test for test in there if test.partition("::")[0] not in files)], unknown)


def _list_test_files(path: str, tree: Path) -> list[str]:
    """Return a changed test file itself; for a helper file, all test files beside it."""
    changed = Path(path)
    if changed.name.startswith("test_") and changed.suffix == ".py":
        return [path] if (tree / path).exists() else []
    beside = (tree / changed.parent).glob("test_*.py")
    return sorted(file.relative_to(tree).as_posix() for file in beside)
