"""Selection of the tests near a change, and recording of the test map."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from operations.data_dir import PROJECT
from tests.mutants.trees import ENDS, HAS_MARGIN, PAGE, WINNER, WINS, build_map, build_tree
from tests.reach.changes import list_changed_lines
from tests.reach.generation import combine, prepare_folder
from tests.reach.map import Map
from tests.reach.nearby import NearbyTests, find_nearby_tests
from tools.test_runs import EXCLUDED_VARIABLES

pytestmark = pytest.mark.slow


def find_nearby_after(folder: Path, path: str, text: str) -> NearbyTests:
    """Return the tests near a file that gets another text after the map was made."""
    tree = build_tree(folder / "tree")
    test_map = build_map(tree, folder / "map")
    (tree / path).write_text(text, encoding="utf-8")
    return find_nearby_tests(list_changed_lines(tree, "HEAD"), test_map, tree)


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "text", "tests"),
    [
        ("rules/winner.py", WINNER.replace("us == them", "us is them"), [WINS]),
        ("rules/winner.py", WINNER.replace("abs(us - them)", "us - them"), [HAS_MARGIN]),
        (
            "rules/winner.py",
            '"""Who wins."""\n\n' + WINNER.replace("abs(us - them)", "us - them"),
            [HAS_MARGIN],
        ),
        ("rules/winner.py", WINNER.replace("        us -= 1\n", ""), [ENDS]),
        (
            "rules/winner.py",
            WINNER.replace("def winner(us, them)", "def winner(us, them, *, by=0)"),
            [HAS_MARGIN, WINS, ENDS],
        ),
        ("templates/page.html", PAGE.replace("<p>", "<p class=margin>"), [HAS_MARGIN]),
        ("static/js/page.js", "show(2);\n", [HAS_MARGIN]),
        ("tests/test_winner.py", "def test_nothing(): ...\n", ["tests/test_winner.py"]),
        ("tests/test_loser.py", "def test_nothing(): ...\n", ["tests/test_loser.py"]),
        ("tests/builders.py", "WORD = 1\n", ["tests/test_winner.py"]),
        ("README.md", "A game for four.\n", []),
    ],
)
def test_tests_reaching_the_changed_lines_are_nearby(tmp_path: Path, path: str, text: str, tests: list[str]) -> None:
    assert find_nearby_after(tmp_path, path, text).tests == tests


@pytest.mark.long
def test_a_changed_file_that_no_test_reaches_is_named(tmp_path: Path) -> None:
    assert find_nearby_after(tmp_path, "README.md", "A game for four.\n").unknown == ["README.md"]


@pytest.mark.long
def test_unchanged_tree_has_no_nearby_tests(tmp_path: Path) -> None:
    tree = build_tree(tmp_path / "tree")
    assert find_nearby_tests(list_changed_lines(tree, "HEAD"), build_map(tree, tmp_path / "map"), tree) == NearbyTests(
        [], []
    )


@pytest.mark.long
def test_map_belongs_only_to_the_tree_it_was_made_in(tmp_path: Path) -> None:
    tree = build_tree(tmp_path / "tree")
    assert build_map(tree, tmp_path / "map").is_of_this_tree
    assert not Map(tmp_path / "map", tmp_path / "copy").is_of_this_tree


PYTHON_TEST = "tests/web/test_money.py::test_totals_never_offset_one_person_by_another"
PAGE_TEST = (
    "tests/tournaments/public/test_home_pages.py::TestClubHomePage::"
    "test_club_page_is_not_modified_until_something_changes"
)
BY_NODE, BY_NODE_BELOW = (
    f"tests/scripts/test_specifications.py::test_script_specification_passes_under_node[{name}]"
    for name in ("pages", "fold")
)
COMMAND_TEST = "tests/operations/up/test_commands.py::test_data_option_without_a_folder_gets_one_sentence[arguments0]"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Map:
    """Return a map recorded from five tests of this repository."""
    folder = tmp_path_factory.mktemp("map")
    prepare_folder(folder)
    environment = {name: value for name, value in os.environ.items() if name not in EXCLUDED_VARIABLES}
    options = ["-q", "-p", "no:playwright", "-p", "no:cacheprovider", "-p", "tests.reach.recorder"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        *options,
        PYTHON_TEST,
        PAGE_TEST,
        BY_NODE,
        BY_NODE_BELOW,
        COMMAND_TEST,
    ]
    ran = subprocess.run(
        command,
        cwd=PROJECT,
        env=environment | {"CHARLEMAGNE_TEST_MAP": str(folder)},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    combine(folder)
    return Map(folder)


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("web/money.py", PYTHON_TEST),
        ("server/answers.py", PAGE_TEST),
        ("templates/base.html", PAGE_TEST),
        ("static/js/morph_form.js", BY_NODE),
        ("static/js/table/fold.js", BY_NODE_BELOW),
        ("operations/bootstrap.py", COMMAND_TEST),
    ],
)
def test_map_records_code_templates_and_child_processes(recorded: Map, path: str, test: str) -> None:
    assert test in recorded.find_tests_of_file(path)


@pytest.mark.long
def test_map_records_single_lines(recorded: Map) -> None:
    lines = (PROJECT / "templates/base.html").read_text(encoding="utf-8").splitlines()
    reached = {place for place in range(1, len(lines) + 1) if recorded.find_tests("templates/base.html", {place})}
    assert 0 < len(reached) <= len(lines)


def test_map_records_the_seconds_of_each_test(recorded: Map) -> None:
    assert recorded.seconds.keys() >= {PYTHON_TEST, PAGE_TEST, COMMAND_TEST}
    assert all(seconds > 0 for seconds in recorded.seconds.values())
