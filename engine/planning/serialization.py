"""Questions, proposals and outlooks as JSON data, stored by a task."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from engine.draws.settings import check_setting_names, choice, whole_number
from errors import Refusal
from rules import match_format_from_json, match_format_to_json

from .forecasts import Forecast
from .proposal_order import Found
from .proposals import Proposal
from .questions import LIMITS, MATTERS, PARTNERS, PlanQuestion, check_question


def question_to_json(question: PlanQuestion) -> dict[str, Any]:
    """Return the question in the types of JSON, which ``question_from_json`` reads."""
    return asdict(question)


def question_from_json(plain: Mapping[str, Any]) -> PlanQuestion:
    """Return the question from the output of ``question_to_json``, or from numbers of a form.

    Refuses: no_such_setting, answer_missing, not_a_number, and whatever ``check_question`` refuses.
    """
    check_setting_names(plain, (item.name for item in fields(PlanQuestion)))
    usual = {**asdict(PlanQuestion(people=0, tables=0, minutes=0)), **dict.fromkeys(_REQUIRED), **plain}
    return check_question(
        PlanQuestion(
            **{name: _number(usual, name) for name in LIMITS},
            partners=choice(usual, "partners", PARTNERS),
            matters=choice(usual, "matters", MATTERS),
            ruleset=str(usual["ruleset"]),
        )
    )


_REQUIRED = ("people", "tables", "minutes")


def _number(plain: Mapping[str, Any], name: str) -> int:
    number = whole_number(plain, name, least=LIMITS[name][0])
    if number is None:
        raise Refusal("answer_missing", field=name)
    return number


def found_to_json(found: Found) -> list[dict[str, Any]]:
    """Return proposals with their outlooks, in order, as plain data."""
    return [
        {
            "key": proposal.key,
            "stages": [dict(stage) for stage in proposal.stages],
            "match_format": match_format_to_json(proposal.match_format),
            "rounds": proposal.rounds,
            "outlook": {**asdict(outlook), "finishing": list(outlook.finishing)},
        }
        for proposal, outlook in found
    ]


def found_from_json(plain: Sequence[Mapping[str, Any]]) -> Found:
    """Return the proposals from the output of ``found_to_json``. Refuses: what ``match_format_from_json``
    refuses."""
    return tuple((_proposal(each), _outlook(each["outlook"])) for each in plain)


def _proposal(plain: Mapping[str, Any]) -> Proposal:
    return Proposal(
        key=plain["key"],
        stages=tuple(plain["stages"]),
        match_format=match_format_from_json(plain["match_format"]),
        rounds=plain["rounds"],
    )


def _outlook(plain: Mapping[str, Any]) -> Forecast:
    return Forecast(**{**plain, "finishing": tuple(plain["finishing"])})
