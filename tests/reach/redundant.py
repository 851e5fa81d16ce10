"""List slow tests whose every line is reached by two cheaper tests.

    python3 manage.py test --map
    python3 -m tests.reach.redundant

Each line has the seconds of a test and its name, the dearest first. Tests of the rules and the engine are
left out: they check tables of values, not lines. So are the laws, and tests of single scripts.
"""

from __future__ import annotations

from tests.reach.map import Map

SLOW = 0.1
CHEAPEST = 2
LEFT_ALONE = ("tests/rules/", "tests/engine/", "tests/laws/", "tests/scripts/", "tests/vectors/")


def redundant(known: Map) -> dict[str, float]:
    """Seconds by test, of the tests that are not among the two cheapest for any line."""
    seconds = known.seconds
    needed: set[str] = set()
    for tests in known.tests_by_line():
        needed.update(sorted(tests, key=lambda test: (seconds[test], test))[:CHEAPEST])
    return {
        test: took
        for test, took in seconds.items()
        if took > SLOW and test not in needed and not test.startswith(LEFT_ALONE)
    }


def main() -> None:
    """Print them, and how much of the time they take."""
    known = Map()
    found = redundant(known)
    for test, took in sorted(found.items(), key=lambda each: -each[1]):
        print(f"{took:7.2f}  {test}")
    spent, total = sum(found.values()), sum(known.seconds.values())
    print(f"{len(found)} of {len(known.seconds)} tests, {spent:.0f} of {total:.0f} seconds")


if __name__ == "__main__":
    main()
