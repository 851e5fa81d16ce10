"""The rules for other programs: a question as plain data, an answer as plain data.

=========  =========================  =================================================================
document   section                    here
=========  =========================  =================================================================
RULES §1   the systems                ``bidding``: the deal, the auction, the setup
RULES §3   play                       ``playing``
RULES §4   the game and the match     ``matches``, with what a hand pays (§2)
RULES D9   irregularities             ``rulings``: reneges and claims
=========  =========================  =================================================================

>>> answer_question({"ask": "score", "ruleset": "maine", "contract": "charlemagne", "tricks": 8})
{'made': True, 'declarers': 0, 'opponents': 0, 'game': 'declarers'}
"""

import reprlib
from typing import Any

from errors import Refusal
from rules.json_fields import Fields
from rules.rulesets import RULESETS
from rules.serialization import ruleset_to_json

from . import bidding, matches, playing, rulings
from .fields import Answer, FieldReader, Question, check_fields

QUESTIONS: dict[str, Question] = playing.QUESTIONS | bidding.QUESTIONS | matches.QUESTIONS | rulings.QUESTIONS
"""The questions by the name under ``ask``."""


def answer_question(question: Any) -> Answer:
    """Answer one question, such as a line of the filter. Never raises.

    A question that cannot be answered gives ``{"refused": code, "details": {...}}``, with the field that it
    concerns.
    """
    try:
        return _build_answer(Fields.from_json(question))
    except Refusal as refusal:
        return refusal_to_json(refusal)


def _build_answer(fields: Fields) -> Answer:
    if "ask" not in fields:
        raise Refusal("missing_field", field="ask")
    name = fields.get_text("ask")
    question = QUESTIONS.get(name)
    if question is None:
        raise Refusal("no_such_question", field="ask", question=name, known=tuple(QUESTIONS))
    check_fields(fields, required=("ask", *question.fields), optional=question.optional)
    return question.handler(FieldReader.from_fields(fields))


def refusal_to_json(refusal: Refusal) -> Answer:
    """Return the plain form of a refusal."""
    details = {"field": refusal.field} | refusal.details
    json_details = {name: _detail_to_json(detail) for name, detail in details.items() if detail is not None}
    return {"refused": refusal.code, "details": json_details}


def _detail_to_json(detail: Any) -> Any:
    """Return a detail of a refusal as JSON can hold it; values that were sent may be anything, of any
    depth."""
    match detail:
        case bool() | int() | str():
            return detail
        case list() | tuple() if all(isinstance(item, int | str) for item in detail):
            return list(detail)
    return reprlib.repr(detail)


def describe_questions() -> Answer:
    """Describe all questions with the shapes of their fields and answers, and all rulesets, as plain data."""
    return {
        "questions": {
            name: {
                "about": question.description,
                "fields": dict(question.fields),
                "optional": dict(question.optional),
                "answer": dict(question.answer),
            }
            for name, question in QUESTIONS.items()
        },
        "refused": {
            "refused": "the code of a refusal",
            "details": "an object: the field that it concerns, and the values that a sentence about it needs",
        },
        "rulesets": {
            key: ruleset_to_json(ruleset)
            | {"cards": ruleset.cards, "kitty": ruleset.kitty, "played": list(ruleset.played_keys)}
            for key, ruleset in RULESETS.items()
        },
    }
