"""Reasons shown to the director for a table or a bye of a draw by results."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Bond, Draw, DrawInput, EntryId, ReasonCode, draw

from .events import build_field, build_pairing, simulate_event


def set_scores(before: DrawInput, *scores: int) -> DrawInput:
    """Return the field with these scores, best first."""
    entrants = zip(before.entrants, scores, strict=True)
    return replace(before, entrants=tuple(replace(each, score=score) for each, score in entrants))


def get_reasons(drawn: Draw, *entries: int) -> dict[ReasonCode, Mapping[str, Any]]:
    """Return the reasons of the table where these entries sit, by code."""
    (found,) = (table.reasons for table in drawn.tables if {*table.a, *table.b} == set(entries))
    return {reason.code: reason.details for reason in found}


def list_rank_pairs_refused(drawn: Draw) -> list[tuple[int, int, Mapping[str, int]]]:
    """Return the meetings by rank that were not drawn, with the criteria against them."""
    reasons = (reason for table in drawn.tables for reason in table.reasons)
    return [
        (reason.details["entry"], reason.details["opponent"], reason.details["levels"])
        for reason in reasons
        if reason.code is ReasonCode.INSTEAD_OF
    ]


def pair_by_rank(before: DrawInput) -> dict[EntryId, EntryId]:
    """Return the opponent by rank within each score group: the upper half meets the lower half, in order."""
    found: dict[EntryId, EntryId] = {}
    for score in {entrant.score for entrant in before.entrants}:
        group = [entrant.id for entrant in before.entrants if entrant.score == score]
        half, rest = divmod(len(group), 2)
        if not rest:
            found |= dict(zip(group, group[half:] + group[:half], strict=True))
    return found


class TestTableReasons:
    def test_score_group_reason_gives_score_places_and_size(
        self,
    ) -> None:
        drawn = draw("swiss", set_scores(build_field(*range(6), played_round=2), 2, 2, 0, 0, 0, 0))
        assert get_reasons(drawn, 0, 1)[ReasonCode.SCORE_GROUP] == {"score": 2, "places": (1, 2), "size": 2}
        assert get_reasons(drawn, 3, 5)[ReasonCode.SCORE_GROUP] == {"score": 0, "places": (2, 4), "size": 4}

    def test_float_reason_counts_consecutive_downfloats(self) -> None:
        history = [replace(build_pairing(number, 0, 1), scores=(4, 2)) for number in (1, 2)]
        drawn = draw("swiss", set_scores(build_field(0, 2, history=history), 8, 4))
        assert get_reasons(drawn, 0, 2) == {ReasonCode.FLOATED: {"scores": (8, 4), "running": 3}}

    def test_float_reason_counts_consecutive_upfloats(self) -> None:
        drawn = draw(
            "swiss", set_scores(build_field(2, 1, history=[replace(build_pairing(1, 0, 1), scores=(4, 2))]), 8, 4)
        )
        assert get_reasons(drawn, 1, 2) == {ReasonCode.FLOATED: {"scores": (8, 4), "running": 2}}

    def test_float_reason_counts_no_run_for_a_first_or_opposite_float(self) -> None:
        history = [replace(build_pairing(1, 0, 1), scores=(4, 2))]
        drawn = draw("swiss", set_scores(build_field(1, 2, history=history), 8, 4))
        assert get_reasons(drawn, 1, 2) == {ReasonCode.FLOATED: {"scores": (8, 4)}}

    def test_reason_names_the_refused_opponent_by_rank(self) -> None:
        before = set_scores(build_field(*range(8), history=[build_pairing(1, 4, 6)]), 2, 2, 2, 2, 0, 0, 0, 0)
        drawn = draw("swiss", before)
        assert list_rank_pairs_refused(drawn) == [(4, 6, {"repeats": 1}), (6, 4, {"repeats": 1})]

    @pytest.mark.slow
    @given(entries=st.integers(2, 13), rounds=st.integers(2, 6), seed=st.integers(0, 99))
    def test_refused_opponents_by_rank_are_named_exactly_when_they_met(
        self, entries: int, rounds: int, seed: int
    ) -> None:
        for before, drawn in simulate_event("swiss", entries, rounds, seed=seed):
            ideal = pair_by_rank(before)
            refused_pairs = {(entry, opponent) for entry, opponent, _ in list_rank_pairs_refused(drawn)}
            assert refused_pairs <= set(ideal.items())
            scores = {entrant.id: entrant.score for entrant in before.entrants}
            have_met = {frozenset((*table.a, *table.b)) for table in before.history}
            for (one,), (other,) in ((table.a, table.b) for table in drawn.tables):
                if scores[one] == scores[other] and ideal.get(one, other) != other:
                    expected = {(one, ideal[one]), (other, ideal[other])}
                    assert {pair for pair in expected if frozenset(pair) in have_met} <= refused_pairs


class TestByeReasons:
    def test_bye_reason_names_the_entry_whose_turn_it_was(self) -> None:
        before = set_scores(build_field(0, 1, 2, must_not=["club"]), 2, 2, 0)
        bound = [
            replace(entrant, bonds=frozenset({Bond("club", "Laval")})) if place < 2 else entrant
            for place, entrant in enumerate(before.entrants)
        ]
        (bye,) = draw("swiss", replace(before, entrants=tuple(bound))).byes
        reason_details = {reason.code: reason.details for reason in bye.reasons}
        assert bye.entry in {0, 1}
        assert reason_details[ReasonCode.BYE_INSTEAD_OF] == {"entry": 2, "levels": {"forbidden": 1}}

    def test_bye_in_turn_names_no_other_entry(self) -> None:
        (bye,) = draw("swiss", set_scores(build_field(0, 1, 2), 2, 2, 0)).byes
        assert bye.entry == 2
        assert ReasonCode.BYE_INSTEAD_OF not in {reason.code for reason in bye.reasons}
