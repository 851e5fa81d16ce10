"""Whole random tournaments of every format; `bench tournaments` plays as many of them as one likes."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from bench.simulated.by_price import (
    nobody_meets_again_without_need,
    nobody_sits_out_above_the_lowest,
    nobody_sits_out_before_their_turn,
    the_proof_holds,
)
from bench.simulated.course import Course, Round
from bench.simulated.formats import PLAYED
from bench.simulated.laws import (
    RoundLaw,
    everybody_present_has_a_place,
    everything_has_a_reason,
    is_the_round_asked_for,
    locked_tables_stay,
    neither_names_nor_the_order_of_history_matter,
    nobody_is_in_two_places,
    sides_are_full,
    tables_have_numbers_of_their_own,
    who_asked_for_a_bye_does_not_play,
    who_cannot_change_tables_does_not,
    who_needs_a_side_has_it,
)
from bench.simulated.truths import TRUTHS, every_reason_is_true
from bench.tournaments import tournament
from engine.draws import FORMATS, Draw, DrawInput, EntryId, LockedTable, Reason, ReasonCode, draw
from rules import Side

from .events import field, met, sat_out

EACH = 8
"""Tournaments of each format."""


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(PLAYED))
def test_no_rule_is_broken_and_nothing_raises_in_whole_tournaments(key: str) -> None:
    failures = [failure for seed in range(1, EACH + 1) for failure in tournament(PLAYED[key], seed)[1]]
    assert failures == []


@pytest.mark.parametrize(
    ("key", "seed"),
    [
        ("stages", 700_001),  # reasons of a stage that carries no earlier rounds
        ("stages", 700_062),
        ("pools", 800_245),  # tables numbered by the ids of entries, after one had left
        ("progressive_individual", 900_042),  # a first round of byes only
    ],
)
def test_tournaments_that_once_broke_a_rule_break_none(key: str, seed: int) -> None:
    assert tournament(PLAYED[key], seed)[1] == []


@pytest.mark.slow
def test_in_hundreds_of_swiss_fields_nobody_sits_out_above_the_lowest_score_without_need() -> None:
    fields, found = 0, []
    for seed in range(1000, 1090):
        course, failures = tournament(PLAYED["swiss"], seed)
        fields += len(course.rounds) if course else 0
        found += failures
    assert (found, fields > 400) == ([], True)


def test_there_is_a_truth_for_every_reason() -> None:
    assert set(TRUTHS) == set(ReasonCode)


@pytest.mark.slow
def test_the_same_tournaments_are_drawn_whatever_the_order_of_sets() -> None:
    def digest(hash_seed: int) -> str:
        program = "from bench.tournaments import main; print(main(['--count', '17'])['digest'])"
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
        return subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)

    assert digest(1) == digest(2)


# The laws themselves: each tells of a draw that breaks it


def _sides_taken_from(drawn: Draw) -> Draw:
    first, *others = drawn.tables
    return replace(drawn, tables=(replace(first, a=(), b=(*first.a, *first.b)), *others))


def _turned(drawn: Draw) -> Draw:
    return replace(drawn, tables=tuple(replace(table, a=table.b, b=table.a) for table in drawn.tables))


def _renumbered(drawn: Draw) -> Draw:
    return replace(drawn, tables=tuple(replace(table, number=7) for table in drawn.tables))


BROKEN: list[tuple[RoundLaw, Callable[[Draw], Draw]]] = [
    (is_the_round_asked_for, lambda drawn: replace(drawn, round=2)),
    (is_the_round_asked_for, lambda drawn: replace(drawn, seed=drawn.seed + 1)),
    (nobody_is_in_two_places, lambda drawn: replace(drawn, tables=drawn.tables * 2)),
    (everybody_present_has_a_place, lambda drawn: replace(drawn, tables=drawn.tables[1:])),
    (everybody_present_has_a_place, lambda drawn: replace(drawn, byes=())),
    (tables_have_numbers_of_their_own, _renumbered),
    (sides_are_full, _sides_taken_from),
    (locked_tables_stay, lambda drawn: replace(drawn, tables=drawn.tables[1:])),
    (locked_tables_stay, _renumbered),
    (who_cannot_change_tables_does_not, _renumbered),
    (who_needs_a_side_has_it, _turned),
    (
        everything_has_a_reason,
        lambda drawn: replace(drawn, tables=tuple(replace(table, reasons=()) for table in drawn.tables)),
    ),
    (neither_names_nor_the_order_of_history_matter, _turned),
]


def _troubled() -> DrawInput:
    """Seven entries: two at a locked table, one that cannot leave table 5, one that cannot leave side B."""
    before = field(*range(7))
    entrants = list(before.entrants)
    entrants[2] = replace(entrants[2], table=5)
    entrants[3] = replace(entrants[3], side=Side.B)
    locked = LockedTable(number=1, a=(entrants[0].id,), b=(entrants[1].id,))
    return replace(before, entrants=tuple(entrants), locked=(locked,))


def _told(law: RoundLaw, before: DrawInput, drawn: Draw) -> list[str]:
    course = Course(FORMATS["swiss"], {}, frozenset(), [], None)
    return list(law(course, Round(before, drawn)))


@pytest.mark.parametrize(("law", "change"), BROKEN, ids=lambda each: each.__name__.strip("_<>"))
def test_a_law_tells_of_what_breaks_it_and_is_silent_otherwise(
    law: RoundLaw, change: Callable[[Draw], Draw]
) -> None:
    before = _troubled()
    drawn = draw("swiss", before)
    assert _told(law, before, drawn) == []
    assert _told(law, before, change(drawn)) != []


@pytest.mark.parametrize(
    ("law", "absent", "byes_asked"),
    [
        (nobody_is_in_two_places, frozenset([1]), frozenset()),
        (who_asked_for_a_bye_does_not_play, frozenset(), frozenset([1])),
    ],
)
def test_a_law_tells_of_who_plays_though_away_or_sitting_out(
    law: RoundLaw, absent: frozenset[int], byes_asked: frozenset[int]
) -> None:
    before = field(*range(6))
    drawn = draw("swiss", before)
    assert _told(law, before, drawn) == []
    entrants = (replace(before.entrants[0], absent=absent, byes_asked=byes_asked), *before.entrants[1:])
    assert _told(law, replace(before, entrants=entrants), drawn) != []


@pytest.mark.parametrize("law", [the_proof_holds, nobody_meets_again_without_need])
def test_a_law_tells_of_two_who_meet_again_without_need(law: RoundLaw) -> None:
    one, other = draw("swiss", field(*range(4))).tables
    before = field(*range(4), history=[met(1, one.a[0], other.b[0]), met(1, other.a[0], one.b[0])])
    drawn = draw("swiss", before)
    assert _told(law, before, drawn) == []
    again = (replace(one, b=other.b), replace(other, b=one.b))
    assert _told(law, before, replace(drawn, tables=again)) != []


def test_a_law_tells_of_who_sits_out_before_their_turn() -> None:
    before = field(*range(5), history=[sat_out(1, 3)])
    drawn = draw("swiss", before)
    assert _told(nobody_sits_out_before_their_turn, before, drawn) == []
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
    assert _told(nobody_sits_out_before_their_turn, before, changed) != []


def _sitting_out(drawn: Draw, entry: EntryId, plays: EntryId) -> Draw:
    """The draw in which these two have changed places."""
    tables = tuple(
        replace(
            table,
            a=tuple(plays if each == entry else each for each in table.a),
            b=tuple(plays if each == entry else each for each in table.b),
        )
        for table in drawn.tables
    )
    return replace(drawn, tables=tables, byes=(replace(drawn.byes[0], entry=entry),))


def test_a_law_tells_of_a_winner_who_sits_out() -> None:
    before = field(*range(5))
    entrants = tuple(
        replace(each, score=score) for each, score in zip(before.entrants, (2, 2, 2, 0, 0), strict=True)
    )
    before = replace(before, entrants=entrants)
    drawn = draw("swiss", before)
    assert _told(nobody_sits_out_above_the_lowest, before, drawn) == []
    changed = _sitting_out(drawn, EntryId(0), plays=drawn.byes[0].entry)
    assert _told(nobody_sits_out_above_the_lowest, before, changed) != []
    assert any("lowest_score" in told for told in _told(every_reason_is_true, before, changed))


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
def test_a_law_tells_of_a_reason_that_is_not_true(reason: Reason) -> None:
    before = field(*range(4))
    drawn = draw("swiss", before)
    assert _told(every_reason_is_true, before, drawn) == []
    first, *others = drawn.tables
    false = replace(drawn, tables=(replace(first, reasons=(reason,)), *others))
    assert _told(every_reason_is_true, before, false) != []
