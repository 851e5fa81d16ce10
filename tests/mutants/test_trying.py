"""A fault that a test notices and one that none does; what is said of them, and with which status."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants.choosing import Choosing
from tests.mutants.command import status_of, tried_out, without_false_alarms
from tests.mutants.fault import Fault
from tests.mutants.making import all_faults
from tests.mutants.telling import last_lines
from tests.mutants.trees import ENDS, HAS_MARGIN, WINNER, WINS, a_map, a_tree
from tests.mutants.trying import Copy, Outcome, Tried

ODD, OTHER_SIGN, ENDLESS = "if us != them:", "abs(us + them)", "us += 1"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return a_tree(tmp_path / "tree")


def made(tree: Path, wrong: str) -> Fault:
    """The fault with which this stands in the module."""
    return next(fault for fault in all_faults(tree) if wrong in fault.done_to(WINNER))


def test_of_a_table_the_tests_that_are_named_for_its_module_are_asked(tree: Path, tmp_path: Path) -> None:
    (tree / "rules/words.py").write_text('WORDS = {"won": "Won", "lost": "Lost"}\n', encoding="utf-8")
    known = a_map(tree, tmp_path / "map")
    known.seconds["tests/test_words.py::test_tables[rules.words]"] = 0.1
    (lost, *_) = [fault for fault in all_faults(tree) if fault.path == "rules/words.py"]
    assert "tests/test_words.py::test_tables[rules.words]" in Choosing(known, tree).reaching(lost)


def tried(fault: Fault, outcome: Outcome, by: str = "") -> Tried:
    return Tried(fault=fault, outcome=outcome, by=by)


@pytest.mark.slow
def test_a_test_that_reaches_a_fault_notices_it_or_does_not(tree: Path, tmp_path: Path) -> None:
    faults = [made(tree, ODD), made(tree, OTHER_SIGN)]
    known = a_map(tree, tmp_path / "map")
    seen = {one.fault: one for one in tried_out(faults, known, tree, seconds=30, processes=1)}
    assert seen[faults[0]] == Tried(fault=faults[0], outcome=Outcome.NOTICED, by=WINS, tests=1)
    assert seen[faults[1]] == Tried(fault=faults[1], outcome=Outcome.NOT_NOTICED, tests=1)
    assert (tree / "rules/winner.py").read_text(encoding="utf-8") == WINNER


@pytest.mark.slow
def test_a_fault_that_never_ends_is_ended_and_the_copy_is_as_before(tree: Path, tmp_path: Path) -> None:
    copy = Copy(tree, tmp_path / "copy")
    fault = made(tree, ENDLESS)
    assert copy.try_out(fault, [ENDS], seconds=5).outcome is Outcome.NEVER_ENDS
    assert (tmp_path / "copy/rules/winner.py").read_text(encoding="utf-8") == WINNER
    assert copy.try_out(fault, [], seconds=5).outcome is Outcome.NOT_REACHED


@pytest.mark.slow
def test_a_test_that_fails_anyway_has_noticed_nothing(tree: Path) -> None:
    test = tree / "tests/test_winner.py"
    test.write_text(test.read_text(encoding="utf-8").replace('== "them"', '== "us"'), encoding="utf-8")
    noticed = [tried(made(tree, ODD), Outcome.NOTICED, by) for by in (WINS, HAS_MARGIN)]
    believed = without_false_alarms(noticed, tree)
    assert believed == [replace(noticed[0], outcome=Outcome.FAILS_ANYWAY), noticed[1]]


def test_the_last_lines_name_what_nobody_noticed_and_count_by_package(tree: Path) -> None:
    page = next(fault for fault in all_faults(tree) if fault.package == "templates")
    lines = last_lines(
        [
            tried(made(tree, ODD), Outcome.NOTICED, WINS),
            tried(made(tree, ENDLESS), Outcome.NEVER_ENDS),
            tried(made(tree, OTHER_SIGN), Outcome.NOT_NOTICED),
            tried(page, Outcome.NOT_REACHED),
        ]
    )
    assert "not noticed: rules/winner.py:8: - → + in us - them (0 tests)" in lines
    assert f"no test reaches it: {page.path}:{page.line}: {page.what}" in lines
    assert lines[-3:] == ["| rules | 3 | 2 |", "| templates | 1 | 0 |", "| all | 4 | 2 |"]


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        ([Outcome.NOTICED, Outcome.NEVER_ENDS], 0),
        ([Outcome.NOTICED, Outcome.NOT_NOTICED], 1),
        ([Outcome.NOT_REACHED], 1),
        ([Outcome.FAILS_ANYWAY], 1),
    ],
)
def test_the_status_is_good_if_all_were_noticed(tree: Path, outcomes: list[Outcome], status: int) -> None:
    fault = made(tree, ODD)
    assert status_of([tried(fault, outcome) for outcome in outcomes]) == status
