"""Random whole tournaments of every format break no rule; `bench tournaments` plays any number of them."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from bench.simulated.checks import (
    RoundCheck,
    check_all_placed,
    check_fixed_sides,
    check_fixed_tables,
    check_full_sides,
    check_locked_tables,
    check_order_independence,
    check_reasons_given,
    check_requested_byes,
    check_requested_round,
    check_table_numbers,
    check_unique_places,
)
from bench.simulated.course import Course, Round
from bench.simulated.formats import SIMULATED_FORMATS
from bench.simulated.price_checks import check_bye_turns, check_certificate, check_lowest_bye_score, check_repeats
from bench.simulated.reason_checks import REASON_CHECKS, check_reasons
from bench.tournaments import run_tournament
from engine.draws import FORMATS, Draw, DrawInput, EntryId, LockedTable, Reason, ReasonCode, draw
from rules import Side

from .events import build_bye, build_field, build_pairing

RUNS_PER_FORMAT = 8
"""Number of tournaments of each format."""


@pytest.mark.long
@pytest.mark.parametrize("key", sorted(SIMULATED_FORMATS))
def test_whole_tournaments_break_no_rule(key: str) -> None:
    failures = [
        failure for seed in range(1, RUNS_PER_FORMAT + 1) for failure in run_tournament(SIMULATED_FORMATS[key], seed)[1]
    ]
    assert failures == []


@pytest.mark.parametrize(
    ("key", "seed"),
    [
        ("stages", 700_001),  # reasons of a stage that carries no earlier rounds
        ("stages", 700_062),
        ("stages", 9_018),  # an entry seated by hand in a bracket had a bye in its own stage
        ("pools", 800_245),  # tables were numbered by the ids of entries after one had left
        ("progressive_individual", 900_042),  # a first round of byes only
    ],
)
def test_past_failing_tournaments_break_no_rule(key: str, seed: int) -> None:
    assert run_tournament(SIMULATED_FORMATS[key], seed)[1] == []


@pytest.mark.long
def test_swiss_bye_goes_above_the_lowest_score_only_if_needed() -> None:
    fields, found = 0, []
    for seed in range(1000, 1090):
        course, failures = run_tournament(SIMULATED_FORMATS["swiss"], seed)
        fields += len(course.rounds) if course else 0
        found += failures
    assert (found, fields > 400) == ([], True)


def test_every_reason_has_a_check() -> None:
    assert set(REASON_CHECKS) == set(ReasonCode)


@pytest.mark.slow
def test_draws_do_not_depend_on_the_hash_seed() -> None:
    def digest(hash_seed: int) -> str:
        program = "from bench.tournaments import main; print(main(['--count', '17'])['digest'])"
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
        return subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)

    assert digest(1) == digest(2)


# Rule checks: each reports a draw that breaks its rule


def _empty_sides(drawn: Draw) -> Draw:
    first, *others = drawn.tables
    return replace(drawn, tables=(replace(first, a=(), b=(*first.a, *first.b)), *others))


def _swap_sides(drawn: Draw) -> Draw:
    return replace(drawn, tables=tuple(replace(table, a=table.b, b=table.a) for table in drawn.tables))


def _duplicate_numbers(drawn: Draw) -> Draw:
    return replace(drawn, tables=tuple(replace(table, number=7) for table in drawn.tables))


BROKEN: list[tuple[RoundCheck, Callable[[Draw], Draw]]] = [
    (check_requested_round, lambda drawn: replace(drawn, round=2)),
    (check_requested_round, lambda drawn: replace(drawn, seed=drawn.seed + 1)),
    (check_unique_places, lambda drawn: replace(drawn, tables=drawn.tables * 2)),
    (check_all_placed, lambda drawn: replace(drawn, tables=drawn.tables[1:])),
    (check_all_placed, lambda drawn: replace(drawn, byes=())),
    (check_table_numbers, _duplicate_numbers),
    (check_full_sides, _empty_sides),
    (check_locked_tables, lambda drawn: replace(drawn, tables=drawn.tables[1:])),
    (check_locked_tables, _duplicate_numbers),
    (check_fixed_tables, _duplicate_numbers),
    (check_fixed_sides, _swap_sides),
    (
        check_reasons_given,
        lambda drawn: replace(drawn, tables=tuple(replace(table, reasons=()) for table in drawn.tables)),
    ),
    (check_order_independence, _swap_sides),
]


def _build_troubled_input() -> DrawInput:
    """Build seven entries: two at a locked table, one fixed to table 5, one fixed to side B."""
    before = build_field(*range(7))
    entrants = list(before.entrants)
    entrants[2] = replace(entrants[2], table=5)
    entrants[3] = replace(entrants[3], side=Side.B)
    locked = LockedTable(number=1, a=(entrants[0].id,), b=(entrants[1].id,))
    return replace(before, entrants=tuple(entrants), locked=(locked,))


def _run_check(check: RoundCheck, before: DrawInput, drawn: Draw) -> list[str]:
    course = Course(FORMATS["swiss"], {}, frozenset(), [], None)
    return list(check(course, Round(before, drawn)))


@pytest.mark.parametrize(("law", "change"), BROKEN, ids=lambda each: each.__name__.strip("_<>"))
def test_rule_check_reports_a_violation_and_nothing_else(law: RoundCheck, change: Callable[[Draw], Draw]) -> None:
    before = _build_troubled_input()
    drawn = draw("swiss", before)
    assert _run_check(law, before, drawn) == []
    assert _run_check(law, before, change(drawn)) != []


@pytest.mark.parametrize(
    ("law", "absent", "byes_asked"),
    [
        (check_unique_places, frozenset([1]), frozenset()),
        (check_requested_byes, frozenset(), frozenset([1])),
    ],
)
def test_rule_check_reports_absent_or_bye_entries_that_play(
    law: RoundCheck, absent: frozenset[int], byes_asked: frozenset[int]
) -> None:
    before = build_field(*range(6))
    drawn = draw("swiss", before)
    assert _run_check(law, before, drawn) == []
    entrants = (replace(before.entrants[0], absent=absent, requested_byes=byes_asked), *before.entrants[1:])
    assert _run_check(law, replace(before, entrants=entrants), drawn) != []


@pytest.mark.parametrize("law", [check_certificate, check_repeats])
def test_rule_check_reports_an_unneeded_rematch(law: RoundCheck) -> None:
    one, other = draw("swiss", build_field(*range(4))).tables
    before = build_field(
        *range(4), history=[build_pairing(1, one.a[0], other.b[0]), build_pairing(1, other.a[0], one.b[0])]
    )
    drawn = draw("swiss", before)
    assert _run_check(law, before, drawn) == []
    again = (replace(one, b=other.b), replace(other, b=one.b))
    assert _run_check(law, before, replace(drawn, tables=again)) != []


def test_rule_check_reports_a_bye_out_of_turn() -> None:
    before = build_field(*range(5), history=[build_bye(1, 3)])
    drawn = draw("swiss", before)
    assert _run_check(check_bye_turns, before, drawn) == []
    plays, out = EntryId(3), drawn.byes[0].entry
    tables = tuple(
        replace(
            table,
            a=tuple(out if entry == plays else entry for entry in table.a),
            b=tuple(out if entry == plays else entry for entry in table.b),
        )
        for table in drawn.tables
    )
    changed = replace(drawn, tables=tables, byes=(replace(drawn.byes[0], entry=plays),))
    assert _run_check(check_bye_turns, before, changed) != []


def _swap_bye(drawn: Draw, entry: EntryId, plays: EntryId) -> Draw:
    """Return the draw with these two exchanged."""
    tables = tuple(
        replace(
            table,
            a=tuple(plays if each == entry else each for each in table.a),
            b=tuple(plays if each == entry else each for each in table.b),
        )
        for table in drawn.tables
    )
    return replace(drawn, tables=tables, byes=(replace(drawn.byes[0], entry=entry),))


def test_rule_check_reports_a_bye_for_a_winner() -> None:
    before = build_field(*range(5))
    entrants = tuple(replace(each, score=score) for each, score in zip(before.entrants, (2, 2, 2, 0, 0), strict=True))
    before = replace(before, entrants=entrants)
    drawn = draw("swiss", before)
    assert _run_check(check_lowest_bye_score, before, drawn) == []
    changed = _swap_bye(drawn, EntryId(0), plays=drawn.byes[0].entry)
    assert _run_check(check_lowest_bye_score, before, changed) != []
    assert any("lowest_score" in violation for violation in _run_check(check_reasons, before, changed))


@pytest.mark.parametrize(
    "reason",
    [
        Reason(code=ReasonCode.MET_BEFORE, details={"rounds": (1,)}),
        Reason(code=ReasonCode.REPEATS_UNAVOIDABLE),
        Reason(code=ReasonCode.FORBIDDEN_UNAVOIDABLE),
        Reason(code=ReasonCode.BOND_UNAVOIDABLE, details={"bonds": 1}),
        Reason(code=ReasonCode.FLOATED, details={"scores": (0, 0)}),
        Reason(code=ReasonCode.SCORE_GROUP, details={"score": 1, "places": (1, 3), "size": 4}),
        Reason(code=ReasonCode.BY_LOT),
        Reason(code=ReasonCode.BY_RANK, details={"places": ((1,), (2,))}),
        Reason(code=ReasonCode.LOCKED),
        Reason(code=ReasonCode.FIXED_TABLE),
        Reason(code=ReasonCode.TWO_LEFT),
    ],
    ids=lambda reason: reason.code.value,
)
def test_rule_check_reports_a_false_reason(reason: Reason) -> None:
    before = build_field(*range(4))
    drawn = draw("swiss", before)
    assert _run_check(check_reasons, before, drawn) == []
    first, *others = drawn.tables
    false = replace(drawn, tables=(replace(first, reasons=(reason,)), *others))
    assert _run_check(check_reasons, before, false) != []
