"""Trials of detected and undetected mutants: outcome, report and exit status."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants.command import get_status, remove_false_alarms, try_mutants
from tests.mutants.generation import list_mutants
from tests.mutants.mutant import Mutant
from tests.mutants.report import format_summary
from tests.mutants.selection import Selector
from tests.mutants.trees import ENDS, HAS_MARGIN, WINNER, WINS, build_map, build_tree
from tests.mutants.trials import Copy, Outcome, TrialResult

ODD, OTHER_SIGN, ENDLESS = "if us != them:", "abs(us + them)", "us += 1"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return build_tree(tmp_path / "tree")


def find_mutant(tree: Path, wrong: str) -> Mutant:
    """Return the mutant whose module contains this text."""
    return next(mutant for mutant in list_mutants(tree) if wrong in mutant.apply(WINNER))


def test_table_mutant_selects_the_tests_named_after_its_module(tree: Path, tmp_path: Path) -> None:
    (tree / "rules/words.py").write_text('WORDS = {"won": "Won", "lost": "Lost"}\n', encoding="utf-8")
    test_map = build_map(tree, tmp_path / "map")
    test_map.seconds["tests/test_words.py::test_tables[rules.words]"] = 0.1
    (lost, *_) = [mutant for mutant in list_mutants(tree) if mutant.path == "rules/words.py"]
    assert "tests/test_words.py::test_tables[rules.words]" in Selector(test_map, tree).find_reaching_tests(lost)


def build_result(mutant: Mutant, outcome: Outcome, by: str = "") -> TrialResult:
    return TrialResult(mutant=mutant, outcome=outcome, failed_test=by)


@pytest.mark.long
def test_reaching_test_detects_a_mutant_or_misses_it(tree: Path, tmp_path: Path) -> None:
    mutants = [find_mutant(tree, ODD), find_mutant(tree, OTHER_SIGN)]
    test_map = build_map(tree, tmp_path / "map")
    seen = {one.mutant: one for one in try_mutants(mutants, test_map, tree, seconds=30, processes=1)}
    assert seen[mutants[0]] == TrialResult(mutant=mutants[0], outcome=Outcome.DETECTED, failed_test=WINS, tests=1)
    assert seen[mutants[1]] == TrialResult(mutant=mutants[1], outcome=Outcome.NOT_DETECTED, tests=1)
    assert (tree / "rules/winner.py").read_text(encoding="utf-8") == WINNER


@pytest.mark.long
def test_endless_mutant_is_stopped_and_the_copy_restored(tree: Path, tmp_path: Path) -> None:
    copy = Copy(tree, tmp_path / "copy")
    mutant = find_mutant(tree, ENDLESS)
    assert copy.try_out(mutant, [ENDS], seconds=5).outcome is Outcome.NEVER_ENDS
    assert (tmp_path / "copy/rules/winner.py").read_text(encoding="utf-8") == WINNER
    assert copy.try_out(mutant, [], seconds=5).outcome is Outcome.NOT_REACHED


@pytest.mark.slow
def test_already_failing_test_detects_no_mutant(tree: Path) -> None:
    test = tree / "tests/test_winner.py"
    test.write_text(test.read_text(encoding="utf-8").replace('== "them"', '== "us"'), encoding="utf-8")
    detected = [build_result(find_mutant(tree, ODD), Outcome.DETECTED, by) for by in (WINS, HAS_MARGIN)]
    believed = remove_false_alarms(detected, tree)
    assert believed == [replace(detected[0], outcome=Outcome.FAILS_ANYWAY), detected[1]]


def test_summary_names_missed_mutants_and_counts_by_package(tree: Path) -> None:
    page = next(mutant for mutant in list_mutants(tree) if mutant.package == "templates")
    lines = format_summary(
        [
            build_result(find_mutant(tree, ODD), Outcome.DETECTED, WINS),
            build_result(find_mutant(tree, ENDLESS), Outcome.NEVER_ENDS),
            build_result(find_mutant(tree, OTHER_SIGN), Outcome.NOT_DETECTED),
            build_result(page, Outcome.NOT_REACHED),
        ]
    )
    assert "not detected: rules/winner.py:8: - → + in us - them (0 tests)" in lines
    assert f"no test reaches it: {page.path}:{page.line}: {page.description}" in lines
    assert lines[-3:] == ["| rules | 3 | 2 |", "| templates | 1 | 0 |", "| all | 4 | 2 |"]


@pytest.mark.parametrize(
    ("outcomes", "required_percent", "status"),
    [
        ([Outcome.DETECTED, Outcome.NEVER_ENDS], 100, 0),
        ([Outcome.DETECTED, Outcome.NOT_DETECTED], 100, 1),
        ([Outcome.DETECTED, Outcome.NOT_DETECTED], 50, 0),
        ([Outcome.DETECTED, Outcome.NOT_DETECTED], 51, 1),
        ([Outcome.NOT_REACHED], 100, 1),
        ([Outcome.FAILS_ANYWAY], 100, 1),
    ],
)
def test_exit_status_is_zero_only_if_enough_mutants_are_detected(
    tree: Path, outcomes: list[Outcome], required_percent: int, status: int
) -> None:
    mutant = find_mutant(tree, ODD)
    results = [build_result(mutant, outcome) for outcome in outcomes]
    assert get_status(results, required_percent=required_percent) == status
