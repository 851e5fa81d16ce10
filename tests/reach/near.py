"""The tests that reach what git says was changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.reach.map import Map

OF_TESTS = "tests"


@dataclass(frozen=True, slots=True)
class Near:
    tests: list[str]
    """Names of tests, and files of tests."""
    unknown: list[str]
    """Changed files of which the map knows nothing."""


def near(changed: dict[str, set[int]], known: Map, tree: Path) -> Near:
    """Of changed lines, by file."""
    tests: set[str] = set()
    files: set[str] = set()
    unknown = []
    for path, lines in sorted(changed.items()):
        if path.startswith(f"{OF_TESTS}/"):
            files.update(_files_of_tests(path, tree))
        elif known.knows(path):
            tests |= known.tests_of(path, lines) or known.tests_of_file(path)
        else:
            unknown.append(path)
    there = [test for test in sorted(tests) if (tree / test.partition("::")[0]).exists()]
    return Near([*sorted(files), *(test for test in there if test.partition("::")[0] not in files)], unknown)


def _files_of_tests(path: str, tree: Path) -> list[str]:
    """A changed file of tests; those beside a file that helps them."""
    changed = Path(path)
    if changed.name.startswith("test_") and changed.suffix == ".py":
        return [path] if (tree / path).exists() else []
    beside = (tree / changed.parent).glob("test_*.py")
    return sorted(file.relative_to(tree).as_posix() for file in beside)
