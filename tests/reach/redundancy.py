"""List slow tests that are not among the two cheapest of their package for any of its lines.

    python3 manage.py test --map
    python3 -m tests.reach.redundancy

Each line has the seconds of a test and its name, the dearest first. Tests of the rules and the engine are
left out: they check tables of values, not lines. So are the laws, tests of single scripts, and those of no
package, such as the crawls.
"""

from __future__ import annotations

from tests.reach.map import Map

SLOW = 0.1
CHEAPEST = 2
EXCLUDED_FOLDERS = ("tests/rules/", "tests/engine/", "tests/laws/", "tests/scripts/", "tests/vectors/")


def find_redundant_tests(test_map: Map) -> dict[str, float]:
    """Seconds of processor by test, of those that may be merged, deleted or marked ``long``."""
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
    """The package of a module, a template or a test: ``tournaments/entries``, ``clubs``."""
    first, *rest = path.removeprefix("templates/").removeprefix("tests/").split("/")
    return "/".join([first, *rest[:1]]) if first == "tournaments" else first


def main() -> None:
    """Print them, and how much of the time they take."""
    test_map = Map()
    found = find_redundant_tests(test_map)
    for test, took in sorted(found.items(), key=lambda each: -each[1]):
        print(f"{took:7.2f}  {test}")
    spent, total = sum(found.values()), sum(test_map.seconds.values())
    print(f"{len(found)} of {len(test_map.seconds)} tests, {spent:.0f} of {total:.0f} seconds")


if __name__ == "__main__":
    main()
