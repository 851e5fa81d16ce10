"""Answers of an organizer: valid ones, and invalid ones refused at their field."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.planning import (
    LIMITS,
    MATTERS,
    PARTNERS,
    PlanQuestion,
    find_candidates,
    question_from_json,
    question_to_json,
)
from errors import Refusal
from rules import RULESETS
from tests.rules.sheets import get_refusal, property_settings

USUAL: dict[str, Any] = {"people": 24, "tables": 6, "minutes": 240}


@pytest.mark.parametrize(
    ("answers", "code", "field"),
    [
        ({"people": 3}, "number_too_small", "people"),
        ({"people": 4001, "tables": 2000}, "number_too_large", "people"),
        ({"people": "many"}, "not_a_number", "people"),
        ({"people": 23}, "people_not_in_pairs", "people"),
        ({"people": None}, "answer_missing", "people"),
        ({"tables": 0}, "number_too_small", "tables"),
        ({"tables": 5}, "too_few_tables", "tables"),
        ({"tables": 5, "people": 24, "partners": "drawn"}, "too_few_tables", "tables"),
        ({"minutes": 10}, "number_too_small", "minutes"),
        ({"minutes": 5000}, "number_too_large", "minutes"),
        ({"minutes_a_hand": 0}, "number_too_small", "minutes_a_hand"),
        ({"minutes_a_hand": 31}, "number_too_large", "minutes_a_hand"),
        ({"begins": 1440}, "number_too_large", "begins"),
        ({"partners": "sometimes"}, "no_such_choice", "partners"),
        ({"matters": "prizes"}, "no_such_choice", "matters"),
        ({"ruleset": "whist"}, "no_such_ruleset", "ruleset"),
        ({"colour": "blue"}, "no_such_setting", "colour"),
    ],
)
def test_invalid_answer_is_refused_at_its_field(answers: dict[str, Any], code: str, field: str) -> None:
    assert get_refusal(question_from_json, {**USUAL, **answers}) == (code, field)


@pytest.mark.parametrize("name", USUAL)
def test_missing_required_answer_is_refused(name: str) -> None:
    answers = {answer_name: answer for answer_name, answer in USUAL.items() if answer_name != name}
    assert get_refusal(question_from_json, answers) == ("answer_missing", name)


def test_unanswered_questions_take_their_defaults() -> None:
    assert question_from_json(USUAL) == PlanQuestion(people=24, tables=6, minutes=240)


@pytest.mark.parametrize(
    ("partners", "ruleset", "people", "entries"),
    [
        ("fixed", "canadian", 24, 12),
        ("drawn", "canadian", 23, 23),
        ("fixed", "two-player", 7, 7),
        ("drawn", "two-player", 7, 7),
    ],
)
def test_entries_are_pairs_or_people_by_ruleset_and_partners(
    partners: str, ruleset: str, people: int, entries: int
) -> None:
    question = PlanQuestion(people=people, tables=9, minutes=240, partners=partners, ruleset=ruleset)
    assert question.entries == entries


@pytest.mark.slow
def test_too_little_time_refusal_states_the_minimum() -> None:
    with pytest.raises(Refusal) as caught:
        find_candidates(PlanQuestion(people=40, tables=10, minutes=40))
    refusal = caught.value
    assert (refusal.code, refusal.field) == ("too_little_time", "minutes")
    least = refusal.details["least"]
    assert find_candidates(PlanQuestion(people=40, tables=10, minutes=least))
    with pytest.raises(Refusal):
        find_candidates(PlanQuestion(people=40, tables=10, minutes=least - 1))


QUESTIONS = st.builds(
    PlanQuestion,
    people=st.integers(*LIMITS["people"]),
    tables=st.just(2000),
    minutes=st.integers(*LIMITS["minutes"]),
    partners=st.sampled_from(PARTNERS),
    begins=st.integers(*LIMITS["begins"]),
    minutes_a_hand=st.integers(*LIMITS["minutes_a_hand"]),
    ruleset=st.sampled_from(sorted(key for key, ruleset in RULESETS.items() if ruleset.seats == 4)),
    matters=st.sampled_from(MATTERS),
)


@property_settings
@given(QUESTIONS)
def test_question_survives_json_or_is_refused(question: PlanQuestion) -> None:
    question_json = json.loads(json.dumps(question_to_json(question)))
    if question.partners == "fixed" and question.people % 2:
        assert get_refusal(question_from_json, question_json) == ("people_not_in_pairs", "people")
    else:
        assert question_from_json(question_json) == question
