"""The order of tests in parallel processes."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.order import WAITING_TESTS, interleave_waiting_tests

ELSEWHERE = Path("tests/rules")
FILES = st.tuples(st.sampled_from([WAITING_TESTS, WAITING_TESTS / "up", ELSEWHERE]), st.integers(1, 9), st.booleans())


class Test:
    """A test with the attributes that the order uses."""

    __test__ = False

    def __init__(self, path: Path, has_rows: bool) -> None:
        self.path, self.has_rows = path, has_rows
        self.fixturenames = ["transactional_db"] if has_rows else []

    def get_closest_marker(self, name: str) -> None:
        return None


def order_tests(processes: int, tests: Any) -> list[Any]:
    return list(interleave_waiting_tests(tests, processes))


def is_waiting(test: Any) -> bool:
    return test.path.is_relative_to(WAITING_TESTS) and not test.has_rows


@given(st.lists(FILES, max_size=30), st.integers(2, 6))
def test_order_runs_every_test_once_and_keeps_files_together(
    files: list[tuple[Path, int, bool]], processes: int
) -> None:
    tests = [
        Test(folder / f"test_{number}.py", has_rows)
        for number, (folder, many, has_rows) in enumerate(files)
        for _ in range(many)
    ]
    ordered = order_tests(processes, tests)
    assert sorted(map(id, ordered)) == sorted(map(id, tests))
    assert [test for test in ordered if not is_waiting(test)] == [test for test in tests if not is_waiting(test)]
    stretches = [wait for wait, _ in groupby(ordered, key=is_waiting) if wait]
    assert len(stretches) <= processes // 2
    waiting = [test for test in ordered if is_waiting(test)]
    assert len(list(groupby(waiting, key=lambda test: test.path))) == len({test.path for test in waiting})


def test_first_half_of_the_processes_starts_with_waiting_tests() -> None:
    waiting = [Test(WAITING_TESTS / f"test_{number}.py", has_rows=False) for number in range(10)]
    working = [Test(ELSEWHERE / f"test_{number}.py", has_rows=False) for number in range(90)]
    ordered = order_tests(4, [*working, *waiting])
    assert [sum(map(is_waiting, ordered[first : first + 25])) for first in range(0, 100, 25)] == [5, 5, 0, 0]
    assert all(map(is_waiting, [*ordered[:5], *ordered[25:30]]))
