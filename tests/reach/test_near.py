"""Tests near a change, by the map; and how the map is recorded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.management.commands.test import NOT_FOR_TESTS
from operations.data_dir import PROJECT
from tests.mutants.trees import ENDS, HAS_MARGIN, PAGE, WINNER, WINS, a_map, a_tree
from tests.reach.changed import changed_lines
from tests.reach.making import combine, prepare
from tests.reach.map import Map
from tests.reach.near import Near, near


def near_after(folder: Path, path: str, text: str) -> Near:
    """Return what is near when a file of the tree has another text than when the map was made."""
    tree = a_tree(folder / "tree")
    known = a_map(tree, folder / "map")
    (tree / path).write_text(text, encoding="utf-8")
    return near(changed_lines(tree, "HEAD"), known, tree)


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
def test_what_reaches_the_changed_lines_is_near(
    tmp_path: Path, path: str, text: str, tests: list[str]
) -> None:
    assert near_after(tmp_path, path, text).tests == tests


def test_a_changed_file_that_no_test_reaches_is_named(tmp_path: Path) -> None:
    assert near_after(tmp_path, "README.md", "A game for four.\n").unknown == ["README.md"]


def test_nothing_is_near_when_nothing_was_changed(tmp_path: Path) -> None:
    tree = a_tree(tmp_path / "tree")
    assert near(changed_lines(tree, "HEAD"), a_map(tree, tmp_path / "map"), tree) == Near([], [])


def test_a_map_knows_the_tree_in_which_it_was_made_and_no_copy_of_it(tmp_path: Path) -> None:
    tree = a_tree(tmp_path / "tree")
    assert a_map(tree, tmp_path / "map").is_of_this_tree
    assert not Map(tmp_path / "map", tmp_path / "copy").is_of_this_tree


IN_PYTHON = "tests/web/test_money.py::test_of_all_are_the_sums_and_nobody_pays_for_another"
ON_A_PAGE = (
    "tests/tournaments/public/test_the_front.py::TestAClub::test_is_sent_again_only_when_something_changed"
)
BY_NODE, BY_NODE_BELOW = (
    f"tests/scripts/test_modules.py::test_they_do_as_their_specification_says[{name}]"
    for name in ("pages", "fold")
)
BY_A_COMMAND = (
    "tests/operations/up/test_commands.py::test_data_without_a_folder_gets_one_sentence[arguments0]"
)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Map:
    """A map of five tests of this very tree."""
    folder = tmp_path_factory.mktemp("map")
    prepare(folder)
    kept = {name: value for name, value in os.environ.items() if name not in NOT_FOR_TESTS}
    options = ["-q", "-p", "no:playwright", "-p", "no:cacheprovider", "-p", "tests.reach.recorder"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        *options,
        IN_PYTHON,
        ON_A_PAGE,
        BY_NODE,
        BY_NODE_BELOW,
        BY_A_COMMAND,
    ]
    ran = subprocess.run(
        command,
        cwd=PROJECT,
        env=kept | {"CHARLEMAGNE_TEST_MAP": str(folder)},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    combine(folder)
    return Map(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("web/money.py", IN_PYTHON),
        ("server/answers.py", ON_A_PAGE),
        ("templates/base.html", ON_A_PAGE),
        ("static/js/morph_form.js", BY_NODE),
        ("static/js/table/fold.js", BY_NODE_BELOW),
        ("operations/bootstrap.py", BY_A_COMMAND),
    ],
)
def test_what_a_test_runs_itself_renders_or_starts_is_recorded(recorded: Map, path: str, test: str) -> None:
    assert test in recorded.tests_of_file(path)


def test_it_is_recorded_by_the_line(recorded: Map) -> None:
    lines = (PROJECT / "templates/base.html").read_text(encoding="utf-8").splitlines()
    reached = {
        place for place in range(1, len(lines) + 1) if recorded.tests_of("templates/base.html", {place})
    }
    assert 0 < len(reached) <= len(lines)


def test_seconds_of_each_test_are_kept(recorded: Map) -> None:
    assert recorded.seconds.keys() >= {IN_PYTHON, ON_A_PAGE, BY_A_COMMAND}
    assert all(seconds > 0 for seconds in recorded.seconds.values())
