"""In which order tests run beside one another."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.order import WAITING, wait_beside_work

ELSEWHERE = Path("tests/rules")
FILES = st.tuples(st.sampled_from([WAITING, WAITING / "up", ELSEWHERE]), st.integers(1, 9), st.booleans())


class Test:
    """As much of a test as its order asks for."""

    __test__ = False

    def __init__(self, path: Path, has_rows: bool) -> None:
        self.path, self.has_rows = path, has_rows
        self.fixturenames = ["transactional_db"] if has_rows else []

    def get_closest_marker(self, name: str) -> None:
        return None


def ordered_for(processes: int, tests: Any) -> list[Any]:
    return list(wait_beside_work(tests, processes))


def waits(test: Any) -> bool:
    return test.path.is_relative_to(WAITING) and not test.has_rows


@given(st.lists(FILES, max_size=30), st.integers(2, 6))
def test_all_run_once_files_stay_whole_and_those_that_wait_begin(
    files: list[tuple[Path, int, bool]], processes: int
) -> None:
    tests = [
        Test(folder / f"test_{number}.py", has_rows)
        for number, (folder, many, has_rows) in enumerate(files)
        for _ in range(many)
    ]
    ordered = ordered_for(processes, tests)
    assert sorted(map(id, ordered)) == sorted(map(id, tests))
    assert [test for test in ordered if not waits(test)] == [test for test in tests if not waits(test)]
    stretches = [wait for wait, _ in groupby(ordered, key=waits) if wait]
    assert len(stretches) <= processes // 2
    waiting = [test for test in ordered if waits(test)]
    assert len(list(groupby(waiting, key=lambda test: test.path))) == len({test.path for test in waiting})


def test_of_four_processes_the_first_two_begin_by_waiting() -> None:
    waiting = [Test(WAITING / f"test_{number}.py", has_rows=False) for number in range(10)]
    working = [Test(ELSEWHERE / f"test_{number}.py", has_rows=False) for number in range(90)]
    ordered = ordered_for(4, [*working, *waiting])
    assert [sum(map(waits, ordered[first : first + 25])) for first in range(0, 100, 25)] == [5, 5, 0, 0]
    assert all(map(waits, [*ordered[:5], *ordered[25:30]]))
