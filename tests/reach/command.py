"""`manage.py test --map` and `manage.py test --near`."""

from __future__ import annotations

import argparse

from operations.data_dir import PROJECT
from tests.reach.changes import list_changed_lines
from tests.reach.folder import FOLDER
from tests.reach.generation import make_map
from tests.reach.map import Map
from tests.reach.nearby import find_nearby_tests
from tools.test_runs import PROCESSORS, list_parallel_options, run_tests

OLD = 24 * 14
"""Age in hours from which a map is reported as old: it lacks the tests written since."""
FEW = 20
NOTHING, NO_MAP = 0, 2  # exit statuses


def main(arguments: list[str]) -> int:
    """Make the map, or run the tests near the changes; other arguments go to pytest."""
    parser = argparse.ArgumentParser(prog="manage.py test", allow_abbrev=False)
    mode_group = parser.add_mutually_exclusive_group(required=True)
    mode_group.add_argument("--map", action="store_true", help="run all tests, and keep which reaches what")
    mode_group.add_argument("--near", action="store_true", help="run the tests that reach what was changed")
    parser.add_argument("--since", default="HEAD", help="the revision that it was changed from (default: HEAD)")
    options, others = parser.parse_known_args(arguments)
    return make_map(others) if options.map else _run_near(options.since, others)


def _run_near(since: str, others: list[str]) -> int:
    test_map = find_map()
    if test_map is None:
        return NO_MAP
    found = find_nearby_tests(list_changed_lines(PROJECT, since), test_map, PROJECT)
    if found.unknown:
        print(f"no test is known to reach: {', '.join(found.unknown)}")
    if not found.tests:
        print(f"no tests are near what was changed since {since}")
        return NOTHING
    print(f"{len(found.tests)} tests and files of tests are near what was changed since {since}", flush=True)
    spread = list_parallel_options(PROCESSORS + 1) if len(found.tests) > FEW else ()
    return run_tests([*spread, *others, *found.tests])


def find_map() -> Map | None:
    """Return the map and print its age; without a usable map, print how to make one and return None."""
    if not FOLDER.exists():
        print("which test reaches what is not known yet: manage.py test --map")
        return None
    test_map = Map()
    if not test_map.is_of_this_tree:
        print("which test reaches what is known of another folder only: manage.py test --map")
        return None
    hours = round(test_map.age_in_hours)
    advice = "; manage.py test --map makes it anew" if hours > OLD else ""
    print(f"{len(test_map.seconds)} tests are known, as they were {hours} hours ago{advice}", flush=True)
    return test_map
