"""In which order tests run: those that wait begin at once, beside those that keep a processor busy.

Tests of operations start servers, workers and databases, and wait for them: for four seconds, of which
one is work. Left to the end, all processes would wait at the same time.
"""

from __future__ import annotations

from itertools import groupby, islice
from pathlib import Path

import pytest

WAITING_TESTS = Path(__file__).parent / "operations"


def interleave_waiting_tests(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the same tests for several processes, each of which is given an equal stretch of them, and
    takes over from others when it is done: half of the stretches begin with those that wait, whole files
    of them."""
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
    """Its rows, if it has any, are of a server of its own: it may run before or after any other."""
    has_rows_here = item.get_closest_marker("django_db") or {"db", "transactional_db"} & _list_fixtures(item)
    return item.path.is_relative_to(WAITING_TESTS) and not has_rows_here


def _list_fixtures(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))
