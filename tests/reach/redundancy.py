"""List slow tests that are not among the two cheapest of their package for any line.

    python3 manage.py test --map
    python3 -m tests.reach.redundancy

Each output line has the seconds and the name of a test, slowest first. Tests of the rules and the engine are
excluded: they check tables of values, not lines. Also excluded are the property tests in ``tests/laws``, tests
of single scripts, and tests of no package, such as crawl tests.
"""

from __future__ import annotations

from tests.reach.map import Map

SLOW = 0.1
CHEAPEST = 2
EXCLUDED_FOLDERS = ("tests/rules/", "tests/engine/", "tests/laws/", "tests/scripts/", "tests/vectors/")


def find_redundant_tests(test_map: Map) -> dict[str, float]:
    """Return the seconds by test of those that may be merged, deleted or marked ``long``."""
    seconds = test_map.seconds
    needed: set[str] = set()
    packages = set()
    for path, tests in test_map.iter_tests_by_line():
        package = get_package(path)
        packages.add(package)
        of_package = [test for test in tests if get_package(test) == package]
        needed.update(sorted(of_package, key=lambda test: (seconds[test], test))[:CHEAPEST])
    return {
        test: took
        for test, took in seconds.items()
        if took > SLOW
        and test not in needed
        and get_package(test) in packages
        and not test.startswith(EXCLUDED_FOLDERS)
    }


def get_package(path: str) -> str:
    """Return the package of a module, template or test, for example ``tournaments/entries`` or ``clubs``."""
    first, *rest = path.removeprefix("templates/").removeprefix("tests/").split("/")
    return "/".join([first, *rest[:1]]) if first == "tournaments" else first


def main() -> None:
    """Print the redundant tests and their share of the total time."""
    test_map = Map()
    found = find_redundant_tests(test_map)
    for test, took in sorted(found.items(), key=lambda each: -each[1]):
        print(f"{took:7.2f}  {test}")
    spent, total = sum(found.values()), sum(test_map.seconds.values())
    print(f"{len(found)} of {len(test_map.seconds)} tests, {spent:.0f} of {total:.0f} seconds")


if __name__ == "__main__":
    main()
