"""List the tests to run on PostgreSQL too: the cheapest that issue every statement on which databases differ.

Record with DATABASE_URL set to a PostgreSQL server and CHARLEMAGNE_TEST_STATEMENTS to a file, then list:

    python3 -m pytest -p tests.reach.statements PATHS
    python3 -m tests.reach.statements FILE
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from django.db.backends.utils import CursorWrapper

VARIABLE = "CHARLEMAGNE_TEST_STATEMENTS"
DIFFERS = re.compile(
    r"FOR UPDATE|ON CONFLICT|LIKE|->|JSON|GROUP BY|(?:COUNT|SUM|MAX|MIN|AVG)\(|EXISTS|\(SELECT|SAVEPOINT"
    r"|CASE WHEN|DISTINCT|UNION|OVER \(|NULLS|::|EXTRACT|RETURNING|OFFSET",
    re.IGNORECASE,
)
"""Parts of statements on which databases differ.

Locks, conflicts, LIKE, JSON, aggregates, sub-queries, savepoints, conditions, time stamps.
"""


def shape_of(sql: str) -> str:
    """Return the statement without its values, and with lists of rows or values shortened to one."""
    sql = re.sub(r'"s\d+_x\d+"', '"savepoint"', sql)
    sql = re.sub(r"%s(?:(?:::\w+)?, %s)+", "%s", re.sub(r"'[^']*'|\b\d+\b", "%s", sql))
    return re.sub(r"(\([^()]*\))(?:, \1)+", r"\1", sql)


class Statements:
    """A pytest plugin that writes one JSON line per test: name, seconds, whether it commits, statement shapes."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.shapes: set[str] = set()
        wrapper: Any = CursorWrapper
        ordinary = wrapper._execute

        def execute_recorded(cursor: Any, sql: Any, *others: Any) -> Any:
            text = str(sql)
            if DIFFERS.search(text):
                self.shapes.add(shape_of(text))
            return ordinary(cursor, sql, *others)

        wrapper._execute = execute_recorded

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, bool, bool]:
        self.shapes.clear()
        begun = time.process_time()
        done = yield
        mark = item.get_closest_marker("django_db")
        is_free = mark is not None and bool(mark.kwargs.get("transaction"))
        line = [item.nodeid, round(time.process_time() - begun, 3), is_free, sorted(self.shapes)]
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")
        return done


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Statements(Path(os.environ[VARIABLE])))


def main(file: Path) -> None:
    """Print each chosen test function: seconds of all its cases, number of added shapes, name."""
    seconds: dict[str, float] = defaultdict(float)
    shapes: dict[str, set[str]] = defaultdict(set)
    chosen: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        name, took, is_free, issued = json.loads(line)
        function = name.partition("[")[0]
        seconds[function] += took
        shapes[function] |= set(issued)
        if is_free and function not in chosen:
            chosen.append(function)
            print(f"{seconds[function]:7.2f}  writers  {function}")
    missing = set().union(*shapes.values()) - set().union(*(shapes[each] for each in chosen))
    while missing:
        best = max(shapes, key=lambda each: (len(shapes[each] & missing) / (0.02 + seconds[each]), each))
        print(f"{seconds[best]:7.2f}  {len(shapes[best] & missing):7}  {best}")
        chosen.append(best)
        missing -= shapes[best]
    total, needed = sum(seconds.values()), sum(seconds[each] for each in chosen)
    print(f"{len(chosen)} of {len(shapes)} functions, {needed:.0f} of {total:.0f} seconds", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
