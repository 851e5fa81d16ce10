"""Order of the tests: those that wait begin first, beside those that keep a processor busy.

Tests of operations start servers, workers and databases, and wait for them: four seconds, of which one is work. At the
end of a run, they would make all processes wait at once.
"""

from __future__ import annotations

from itertools import groupby, islice
from pathlib import Path

import pytest

WAITING_TESTS = Path(__file__).parent / "operations"


def interleave_waiting_tests(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the tests in an order in which half of the processes begin with waiting tests.

    Each process is given an equal stretch of the list, and takes tests over from others when it is done. Half of the
    stretches begin with waiting tests, in whole files.
    """
    waiting = [item for item in items if _is_waiting(item)]
    others = iter([item for item in items if not _is_waiting(item)])
    files = [list(tests) for _, tests in groupby(waiting, key=lambda item: item.path)]
    heads = processes // 2
    ordered: list[pytest.Item] = []
    for first in range(heads):
        head = [item for tests in files[first::heads] for item in tests]
        room = max(len(items) // processes - len(head), 0)
        ordered += [*head, *islice(others, room)]
    return [*ordered, *others]


def _is_waiting(item: pytest.Item) -> bool:
    """Return whether the test waits for servers and has no rows in the database of this process.

    Such a test may run before or after any other.
    """
    has_rows_here = item.get_closest_marker("django_db") or {"db", "transactional_db"} & _list_fixtures(item)
    return item.path.is_relative_to(WAITING_TESTS) and not has_rows_here


def _list_fixtures(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))
