"""A small git repository with code and tests, and a test map of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from coverage import CoverageData

from tests.reach.folder import DURATIONS, LINES, SOURCES
from tests.reach.map import Map
from tests.reach.tree import copy_files, list_files

WINNER = """\
def winner(us, them):
    if us == them:
        return None
    return "us" if us > them else "them"


def margin(us, them):
    return abs(us - them)


def waited(us):
    while us > 0:
        us -= 1
    return us
"""
TEST = """\
from rules.winner import margin, waited, winner


def test_the_higher_side_wins():
    assert winner(3, 2) == "us"
    assert winner(2, 3) == "them"


def test_a_margin_is_a_number():
    assert margin(3, 2) is not None


def test_waiting_ends():
    assert waited(3) == 0
"""
WINS, HAS_MARGIN, ENDS = (
    f"tests/test_winner.py::test_{name}" for name in ("the_higher_side_wins", "a_margin_is_a_number", "waiting_ends")
)
PAGE = "<h1>{{ winner }}</h1>\n<p>{{ margin }}</p>\n"
FILES = {
    "rules/winner.py": WINNER,
    "tests/test_winner.py": TEST,
    "templates/page.html": PAGE,
    "static/js/page.js": "show(1);\n",
    "README.md": "A game.\n",
}


def build_tree(folder: Path) -> Path:
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "A game"]):
        named = ["-c", "user.name=Rita", "-c", "user.email=rita@example.org"]
        subprocess.run(["git", *named, *command], cwd=folder, check=True)
    return folder


def build_map(tree: Path, folder: Path) -> Map:
    """Build the map that a recorded run of the tests would give."""
    copy_files(list_files(tree), tree, folder / SOURCES)
    data = CoverageData(basename=str(folder / LINES))
    reached: dict[str, dict[str, set[int]]] = {
        WINS: {"rules/winner.py": {2, 4}, "templates/page.html": {1}},
        HAS_MARGIN: {"rules/winner.py": {8}, "templates/page.html": {2}, "static/js/page.js": {1}},
        ENDS: {"rules/winner.py": {12, 13, 14}},
    }
    for test, lines in reached.items():
        data.set_context(test)
        data.add_lines({str(tree / path): those for path, those in lines.items()})
    data.write()
    (folder / DURATIONS).write_text(json.dumps(dict.fromkeys(reached, 0.1)), encoding="utf-8")
    return Map(folder, tree)
