"""List slow tests that can be marked ``long``: quicker tests reach their lines.

    python3 manage.py test --map
    python3 -m tests.reach.redundancy

Each output line has the seconds and the name of a test function, slowest first. Kept are, by falling number of lines
per second, those which reach a line that no kept or quick test of the package reaches, up to a second for each such
line. Excluded are tests that check tables of values, invariants or the source itself, not lines.
"""

from __future__ import annotations

import ast
import heapq
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from operations.data_dir import PROJECT
from tests.reach.map import Map

QUICK = 0.1
"""Seconds of processor up to which a test costs nothing."""
MAX_SECONDS_PER_LINE = 1.0
EXCLUDED_FOLDERS = tuple(
    f"tests/{name}/"
    for name in (
        "architecture",
        "engine",
        "handbook",
        "interleaving",
        "journeys",
        "laws",
        "rules",
        "vectors",
        "wording",
    )
)


def find_redundant_tests(test_map: Map) -> dict[str, float]:
    """Return the seconds of all cases, by test function, of those that are not needed to reach any line."""
    seconds: dict[str, float] = defaultdict(float)
    for test, took in test_map.seconds.items():
        if took > QUICK and not test.startswith(EXCLUDED_FOLDERS):
            seconds[get_function(test)] += took
    needed = _choose_tests(list(_iter_open_lines(test_map, set(seconds))), seconds)
    return {function: took for function, took in seconds.items() if function not in needed}


def _choose_tests(lines: list[set[str]], seconds: dict[str, float]) -> set[str]:
    """Choose test functions until each line is reached by one of them, except for lines that cost too much.

    A line is the set of functions that reach it. The heap has each function by its seconds per new line; that price
    only rises while others are chosen, so the first one whose price is still right is the cheapest.
    """
    lines_by_function: dict[str, set[int]] = defaultdict(set)
    for number, functions in enumerate(lines):
        for function in functions:
            lines_by_function[function].add(number)
    heap = [(seconds[function] / len(reached), function) for function, reached in lines_by_function.items()]
    heapq.heapify(heap)
    chosen: set[str] = set()
    reached_lines: set[int] = set()
    while heap and heap[0][0] <= MAX_SECONDS_PER_LINE:
        price, function = heapq.heappop(heap)
        new_lines = lines_by_function[function] - reached_lines
        if new_lines and price < (new_price := seconds[function] / len(new_lines)):
            heapq.heappush(heap, (new_price, function))
        elif new_lines:
            chosen.add(function)
            reached_lines |= new_lines
    return chosen


def _iter_open_lines(test_map: Map, slow_functions: set[str]) -> Iterator[set[str]]:
    """Yield the slow test functions that reach a line, for each line that no other test reaches.

    Only tests of the line's package count, if there are any. Code that runs at import belongs to no test.
    """
    for path, line, tests in test_map.iter_tests_by_line():
        if path.endswith(".py") and line not in _list_body_lines(path):
            continue
        of_package = {test for test in tests if get_package(test) == get_package(path)} or tests
        functions = set(map(get_function, of_package))
        if functions and functions <= slow_functions:
            yield functions


@cache
def _list_body_lines(path: str) -> set[int]:
    """Return the line numbers of the bodies of all functions in a module."""
    tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {number for node in functions for number in range(node.body[0].lineno, 1 + (node.end_lineno or node.lineno))}


def get_function(test: str) -> str:
    """Return the name of a test without its case: ``tests/test_a.py::test_b`` of ``tests/test_a.py::test_b[c]``."""
    return test.partition("[")[0]


def get_package(path: str) -> str:
    """Return the package of a module, template or test, for example ``tournaments/entries`` or ``clubs``."""
    first, *rest = path.removeprefix("templates/").removeprefix("tests/").split("/")
    return "/".join([first, *rest[:1]]) if first == "tournaments" else first


def main() -> None:
    """Print the redundant tests and their share of the total time."""
    test_map = Map()
    found = find_redundant_tests(test_map)
    for function, took in sorted(found.items(), key=lambda each: -each[1]):
        print(f"{took:7.2f}  {function}")
    spent, total = sum(found.values()), sum(test_map.seconds.values())
    print(f"{len(found)} test functions, {spent:.0f} of {total:.0f} seconds")


if __name__ == "__main__":
    main()
