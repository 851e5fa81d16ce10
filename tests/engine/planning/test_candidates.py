"""Proposals for any number of people: plans that the draws accept, that are playable and that fit the time."""

from collections.abc import Iterator

import pytest
from hypothesis import given

from engine.draws.stages.plans import parse_stage_plan
from engine.planning import Forecast, PlanQuestion, Proposal, find_candidates, simulate
from errors import Refusal
from rules import check_format
from tests.long_runs import IS_LONG, choose_count
from tests.rules.sheets import property_settings

from .test_questions import QUESTIONS

pytestmark = pytest.mark.slow

RUNS = choose_count(7, long=45)
"""Number of simulations, of which the median is checked."""


def simulate_forecast(proposal: Proposal, question: PlanQuestion, *, runs: int = 1, seed: int = 1) -> Forecast:
    return simulate(proposal, question, runs=runs, seed=seed, progress=lambda done, of: None)


@pytest.mark.long
@property_settings
@given(QUESTIONS)
def test_every_question_gets_playable_plans_or_a_refusal(
    question: PlanQuestion,
) -> None:
    try:
        proposals = find_candidates(question)
    except Refusal as refusal:
        if refusal.code not in {"too_little_time", "people_not_in_pairs"}:
            raise
        return
    assert 1 <= len(proposals) <= 8
    assert len({(each.key, each.match_format) for each in proposals}) == len(proposals)
    for proposal in proposals:
        assert parse_stage_plan(proposal.stages)
        assert check_format(proposal.match_format)
        assert proposal.rounds >= 1


def iter_small_fields(partners: str) -> Iterator[PlanQuestion]:
    for entries in range(4, 61) if IS_LONG else (*range(4, 10), 13, 16, 24, 31, 45, 60):
        people = 2 * entries if partners == "fixed" else entries
        yield PlanQuestion(people=people, tables=30, minutes=300, partners=partners, ruleset="maine")


@pytest.mark.long
@pytest.mark.parametrize("partners", ["fixed", "drawn"])
def test_every_plan_for_small_fields_plays_to_its_end(partners: str) -> None:
    for question in iter_small_fields(partners):
        for proposal in find_candidates(question):
            found = simulate_forecast(proposal, question)
            # A second final is played only if the unbeaten entry loses the first; in a consolation, an entry with a bye
            # drops into bracket B only if it loses its first match.
            may_be_shorter = proposal.key in ("double_elimination", "consolation")
            assert proposal.rounds - may_be_shorter <= found.rounds <= proposal.rounds, (question, proposal)
            assert found.fewest_matches >= 1
            assert found.mean_matches <= found.rounds
            assert found.fewest_byes == 0 or question.entries % 2 or question.has_drawn_partners


def test_two_player_ruleset_gets_playable_plans() -> None:
    question = PlanQuestion(people=9, tables=4, minutes=300, ruleset="two-player", partners="drawn")
    found = [simulate_forecast(proposal, question) for proposal in find_candidates(question)]
    assert all(each.most_byes >= 1 for each in found)


@pytest.mark.long
@pytest.mark.parametrize(
    "question",
    [
        PlanQuestion(people=24, tables=6, minutes=150),
        PlanQuestion(people=24, tables=6, minutes=300, minutes_a_hand=3, ruleset="bas-saint-laurent"),
        PlanQuestion(people=64, tables=16, minutes=240, ruleset="maine"),
        PlanQuestion(people=22, tables=5, minutes=180, partners="drawn"),
        PlanQuestion(people=45, tables=12, minutes=420, minutes_a_hand=5, partners="drawn", ruleset="maine-32"),
    ],
    ids=str,
)
def test_median_finish_is_within_the_available_time(question: PlanQuestion) -> None:
    for proposal in find_candidates(question):
        assert simulate_forecast(proposal, question, runs=RUNS).median <= question.minutes, proposal


def test_plans_vary_in_kind_and_fill_the_time() -> None:
    question = PlanQuestion(people=32, tables=8, minutes=300, ruleset="maine")
    proposals = find_candidates(question)
    assert {each.key for each in proposals} >= {"swiss", "swiss_finals", "pools_knockout", "progressive"}
    assert max(simulate_forecast(each, question, runs=RUNS).median for each in proposals) > 0.8 * question.minutes


@pytest.mark.parametrize(("pairs", "finalists"), [(10, 4), (31, 4), (32, 8), (60, 8)])
def test_swiss_final_is_a_full_bracket_and_the_others_play_on(pairs: int, finalists: int) -> None:
    question = PlanQuestion(people=2 * pairs, tables=30, minutes=480, ruleset="maine")
    proposal = next(each for each in find_candidates(question) if each.key == "swiss_finals")
    _, final, others = proposal.stages
    assert (final["last"], others["first"]) == (finalists, finalists + 1)


@pytest.mark.long
def test_plan_for_4000_people_plays_to_its_end() -> None:
    question = PlanQuestion(people=4000, tables=1000, minutes=480, partners="drawn")
    proposal = next(each for each in find_candidates(question) if each.key == "progressive_individual")
    assert simulate_forecast(proposal, question).fewest_matches == proposal.rounds
