"""Questions, proposals and outlooks as plain values that survive JSON: what a job keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from engine.draws.settings import check_setting_names, choice, whole_number
from rules import Refusal, plain_format, stored_format

from .choosing import Found
from .outlooks import Outlook
from .proposals import Proposal
from .questions import LIMITS, MATTERS, PARTNERS, PlanQuestion, check_question


def plain_question(question: PlanQuestion) -> dict[str, Any]:
    return asdict(question)


def stored_question(plain: Mapping[str, Any]) -> PlanQuestion:
    """The inverse of ``plain_question``, also for what a form has read as numbers.

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


def plain_found(found: Found) -> list[dict[str, Any]]:
    """Proposals with their outlooks, in order."""
    return [
        {
            "key": proposal.key,
            "stages": [dict(stage) for stage in proposal.stages],
            "match_format": plain_format(proposal.match_format),
            "rounds": proposal.rounds,
            "outlook": {**asdict(outlook), "finishing": list(outlook.finishing)},
        }
        for proposal, outlook in found
    ]


def stored_found(plain: Sequence[Mapping[str, Any]]) -> Found:
    """The inverse of ``plain_found``. Refuses: what ``stored_format`` refuses."""
    return tuple((_proposal(each), _outlook(each["outlook"])) for each in plain)


def _proposal(plain: Mapping[str, Any]) -> Proposal:
    return Proposal(
        key=plain["key"],
        stages=tuple(plain["stages"]),
        match_format=stored_format(plain["match_format"]),
        rounds=plain["rounds"],
    )


def _outlook(plain: Mapping[str, Any]) -> Outlook:
    return Outlook(**{**plain, "finishing": tuple(plain["finishing"])})
