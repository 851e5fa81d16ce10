"""Trials of detected and undetected mutants: outcome, report and exit status."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants.command import get_status, remove_false_alarms, try_faults
from tests.mutants.fault import Fault
from tests.mutants.generation import list_faults
from tests.mutants.report import format_summary
from tests.mutants.selection import Selector
from tests.mutants.trees import ENDS, HAS_MARGIN, WINNER, WINS, build_map, build_tree
from tests.mutants.trials import Copy, Outcome, TrialResult

ODD, OTHER_SIGN, ENDLESS = "if us != them:", "abs(us + them)", "us += 1"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return build_tree(tmp_path / "tree")


def find_fault(tree: Path, wrong: str) -> Fault:
    """Return the mutant whose module contains this text."""
    return next(fault for fault in list_faults(tree) if wrong in fault.apply(WINNER))


def test_table_fault_selects_the_tests_named_after_its_module(tree: Path, tmp_path: Path) -> None:
    (tree / "rules/words.py").write_text('WORDS = {"won": "Won", "lost": "Lost"}\n', encoding="utf-8")
    test_map = build_map(tree, tmp_path / "map")
    test_map.seconds["tests/test_words.py::test_tables[rules.words]"] = 0.1
    (lost, *_) = [fault for fault in list_faults(tree) if fault.path == "rules/words.py"]
    assert "tests/test_words.py::test_tables[rules.words]" in Selector(test_map, tree).find_reaching_tests(lost)


def build_result(fault: Fault, outcome: Outcome, by: str = "") -> TrialResult:
    return TrialResult(fault=fault, outcome=outcome, failed_test=by)


@pytest.mark.slow
def test_reaching_test_detects_a_fault_or_misses_it(tree: Path, tmp_path: Path) -> None:
    faults = [find_fault(tree, ODD), find_fault(tree, OTHER_SIGN)]
    test_map = build_map(tree, tmp_path / "map")
    seen = {one.fault: one for one in try_faults(faults, test_map, tree, seconds=30, processes=1)}
    assert seen[faults[0]] == TrialResult(fault=faults[0], outcome=Outcome.NOTICED, failed_test=WINS, tests=1)
    assert seen[faults[1]] == TrialResult(fault=faults[1], outcome=Outcome.NOT_NOTICED, tests=1)
    assert (tree / "rules/winner.py").read_text(encoding="utf-8") == WINNER


@pytest.mark.slow
def test_endless_fault_is_stopped_and_the_copy_restored(tree: Path, tmp_path: Path) -> None:
    copy = Copy(tree, tmp_path / "copy")
    fault = find_fault(tree, ENDLESS)
    assert copy.try_out(fault, [ENDS], seconds=5).outcome is Outcome.NEVER_ENDS
    assert (tmp_path / "copy/rules/winner.py").read_text(encoding="utf-8") == WINNER
    assert copy.try_out(fault, [], seconds=5).outcome is Outcome.NOT_REACHED


@pytest.mark.slow
def test_already_failing_test_detects_no_fault(tree: Path) -> None:
    test = tree / "tests/test_winner.py"
    test.write_text(test.read_text(encoding="utf-8").replace('== "them"', '== "us"'), encoding="utf-8")
    noticed = [build_result(find_fault(tree, ODD), Outcome.NOTICED, by) for by in (WINS, HAS_MARGIN)]
    believed = remove_false_alarms(noticed, tree)
    assert believed == [replace(noticed[0], outcome=Outcome.FAILS_ANYWAY), noticed[1]]


def test_summary_names_missed_faults_and_counts_by_package(tree: Path) -> None:
    page = next(fault for fault in list_faults(tree) if fault.package == "templates")
    lines = format_summary(
        [
            build_result(find_fault(tree, ODD), Outcome.NOTICED, WINS),
            build_result(find_fault(tree, ENDLESS), Outcome.NEVER_ENDS),
            build_result(find_fault(tree, OTHER_SIGN), Outcome.NOT_NOTICED),
            build_result(page, Outcome.NOT_REACHED),
        ]
    )
    assert "not noticed: rules/winner.py:8: - → + in us - them (0 tests)" in lines
    assert f"no test reaches it: {page.path}:{page.line}: {page.description}" in lines
    assert lines[-3:] == ["| rules | 3 | 2 |", "| templates | 1 | 0 |", "| all | 4 | 2 |"]


@pytest.mark.parametrize(
    ("outcomes", "required_percent", "status"),
    [
        ([Outcome.NOTICED, Outcome.NEVER_ENDS], 100, 0),
        ([Outcome.NOTICED, Outcome.NOT_NOTICED], 100, 1),
        ([Outcome.NOTICED, Outcome.NOT_NOTICED], 50, 0),
        ([Outcome.NOTICED, Outcome.NOT_NOTICED], 51, 1),
        ([Outcome.NOT_REACHED], 100, 1),
        ([Outcome.FAILS_ANYWAY], 100, 1),
    ],
)
def test_exit_status_is_zero_only_if_enough_faults_are_detected(
    tree: Path, outcomes: list[Outcome], required_percent: int, status: int
) -> None:
    fault = find_fault(tree, ODD)
    results = [build_result(fault, outcome) for outcome in outcomes]
    assert get_status(results, required_percent=required_percent) == status
