"""The priced draw compared with its definition: no other pairing of a small field costs less."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.simulated.oracle import CRITERIA, Objective, iter_pairings
from engine.draws import Bond, Draw, DrawInput, EntryId, PlayedPairing, draw
from rules import Side
from tests.long_runs import choose_count

from .events import build_bye, build_pairing, fields, list_byes, simulate_event
from .events import build_field as field_of

SETTINGS: tuple[Mapping[str, Any], ...] = (
    {},
    {"target": "fold"},
    {"target": "adjacent"},
    {"target": "lot"},
    {"must_not": ("club",)},
    {"avoid": ("family",)},
    {"must_not": ("club",), "apart_rounds": 2},
    {"rematch_after": 2},
    {"forfeits_count": False},
    {"criteria": ("repeats", "scores", "bye_score", "sides")},
    {"criteria": ("byes", "scores", "floats", "repeats")},
)
KINDS = ("club", "family", "apart", "rather_apart")
BONDS = st.frozensets(
    st.sampled_from([Bond(kind, name, rounds) for kind in KINDS for name in "xy" for rounds in (None, 3)]),
    max_size=4,
)


def get_pairing(drawn: Draw) -> list[tuple[EntryId, EntryId | None]]:
    tables: list[tuple[EntryId, EntryId | None]] = [(table.a[0], table.b[0]) for table in drawn.tables]
    return tables + [(bye.entry, None) for bye in drawn.byes]


@st.composite
def troubled_fields(draw_one: st.DrawFn) -> DrawInput:
    """Generate up to seven entries with bonds, forfeits, fixed seats and unequal scores."""
    before = draw_one(fields(7))
    history = tuple(
        replace(
            table,
            is_forfeit=bool(table.b) and draw_one(st.integers(0, 4)) == 0,
            scores=(draw_one(st.integers(0, 2)), draw_one(st.integers(0, 2))) if table.b else (0, 0),
        )
        for table in before.history
    )
    entrants = tuple(
        replace(
            entrant,
            bonds=draw_one(BONDS),
            table=draw_one(st.sampled_from([None, None, None, 1, 2])),
            side=draw_one(st.sampled_from([None, None, None, *Side])),
            section=draw_one(st.sampled_from([None, None, None, "hall"])),
            arrives=draw_one(st.sampled_from([1, 1, 1, 2, 3])) if before.round > 3 else 1,
        )
        for entrant in before.entrants
    )
    return replace(before, entrants=entrants, history=history)


@pytest.mark.slow
@pytest.mark.parametrize("format_key", CRITERIA)
@settings(max_examples=choose_count(45, long=1_350))
@given(before=troubled_fields(), wanted=st.sampled_from(SETTINGS))
def test_no_pairing_costs_less_by_the_definitions(
    format_key: str, before: DrawInput, wanted: Mapping[str, Any]
) -> None:
    before = replace(before, settings=wanted)
    drawn, objective = draw(format_key, before), Objective(format_key, before)
    cost = objective.get_cost(get_pairing(drawn))
    assert cost == min(map(objective.get_cost, iter_pairings(objective.entries)))
    assert dict(zip(objective.criteria, cost, strict=True)) == drawn.price


@pytest.mark.slow
@pytest.mark.parametrize(
    "entries", [5, 6, 7, 8, pytest.param(9, marks=pytest.mark.long("the sizes from five to eight are not long"))]
)
def test_no_pairing_costs_less_up_to_the_last_round(entries: int) -> None:
    for seed in range(3):
        for before, drawn in simulate_event("swiss", entries, entries - 1 + entries % 2, seed=seed):
            objective = Objective("swiss", before)
            cost = objective.get_cost(get_pairing(drawn))
            assert cost == min(map(objective.get_cost, iter_pairings(objective.entries)))


class TestByeChoice:
    @pytest.mark.slow
    @pytest.mark.parametrize("entries", [9, 13, 25, 41])
    def test_bye_goes_to_the_lowest_score_with_fewest_byes(self, entries: int) -> None:
        for seed in range(10):
            for before, drawn in simulate_event("swiss", entries, 5, seed=seed):
                had = {each.a[0] for each in before.history if not each.b}
                lowest = min(entrant.score for entrant in before.entrants if entrant.id not in had)
                scores = {entrant.id: entrant.score for entrant in before.entrants}
                assert [scores[EntryId(bye)] for bye in list_byes(drawn)] == [lowest]

    def test_bye_does_not_go_to_a_winner_to_avoid_a_float(self) -> None:
        # If one of the three winners sat out, no table would have unequal scores.
        before = _build_scored_field(2, 2, 2, 0, 0)
        assert list_byes(draw("swiss", before)) in ([3], [4])

    def test_bye_goes_to_a_higher_score_to_avoid_rematches(self) -> None:
        # If one of the last two sits out, the other can only have a rematch.
        history = [build_pairing(number, low, high) for low in (3, 4) for number, high in enumerate((0, 1, 2), start=1)]
        before = _build_scored_field(4, 4, 2, 0, 0, history=history)
        drawn = draw("swiss", before)
        assert list_byes(drawn) == [2]

    def test_bye_goes_to_a_higher_score_if_the_lowest_had_one(self) -> None:
        before = _build_scored_field(4, 2, 0, history=[build_bye(1, 2)])
        assert list_byes(draw("swiss", before)) == [1]


def _build_scored_field(*scores: int, history: list[PlayedPairing] | None = None) -> DrawInput:
    before = field_of(*range(len(scores)), history=history or [])
    return replace(
        before,
        entrants=tuple(replace(entrant, score=score) for entrant, score in zip(before.entrants, scores, strict=True)),
    )


def test_first_version_draw_is_reproduced() -> None:
    # In this version, a winner's bye cost no more than a table with a winner and a loser.
    before = replace(_build_scored_field(2, 2, 2, 0, 0, 0, 0), version=1, settings={})
    assert "bye_score" not in draw("swiss", before).price
    older = tuple(key for key in CRITERIA["swiss"] if key != "bye_score")
    for each, _ in simulate_event("swiss", 11, 4, seed=3):
        then = draw("swiss", replace(each, version=1))
        expected_draw = draw("swiss", replace(each, settings={"criteria": older}))
        assert (then.tables, then.byes, then.price) == (expected_draw.tables, expected_draw.byes, expected_draw.price)
        assert then.certificate == expected_draw.certificate
