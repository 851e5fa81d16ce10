"""Questions, proposals and forecasts as JSON data, stored by a task."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from engine.draws.settings import check_setting_names, parse_choice, parse_whole_number
from engine.json_values import read_value
from engine.phases import phases_from_json, phases_to_json
from errors import get_or_refuse
from rules import match_format_from_json, match_format_to_json

from .forecasts import Forecast
from .proposal_order import ProposalForecasts
from .proposals import Proposal
from .questions import LIMITS, MATTERS, PARTNERS, PlanQuestion, check_question


def question_to_json(question: PlanQuestion) -> dict[str, Any]:
    """Return the question in the types of JSON, which ``question_from_json`` reads."""
    return asdict(question)


def question_from_json(data: Mapping[str, Any]) -> PlanQuestion:
    """Return the question from the output of ``question_to_json``, or from numbers of a form.

    Refuses: no_such_setting, answer_missing, not_a_number, and whatever ``check_question`` refuses.
    """
    check_setting_names(data, (item.name for item in fields(PlanQuestion)))
    usual = {**asdict(PlanQuestion(people=0, tables=0, minutes=0)), **dict.fromkeys(_REQUIRED), **data}
    return check_question(
        PlanQuestion(
            **{name: _parse_number(usual, name) for name in LIMITS},
            partners=parse_choice(usual, "partners", PARTNERS),
            matters=parse_choice(usual, "matters", MATTERS),
            ruleset=str(usual["ruleset"]),
        )
    )


_REQUIRED = ("people", "tables", "minutes")


def _parse_number(data: Mapping[str, Any], name: str) -> int:
    return get_or_refuse(parse_whole_number(data, name, least=LIMITS[name][0]), "answer_missing", field=name)


def proposals_to_json(proposals: ProposalForecasts) -> list[dict[str, Any]]:
    """Return proposals with their forecasts, in order, as plain data."""
    return [
        {
            "key": proposal.key,
            "stages": [dict(stage) for stage in proposal.stages],
            "match_format": match_format_to_json(proposal.match_format),
            "rounds": proposal.rounds,
            **({"phases": phases_to_json(proposal.phases)} if proposal.phases else {}),
            "outlook": {**asdict(forecast), "finishing": list(forecast.finishing)},
        }
        for proposal, forecast in proposals
    ]


def proposals_from_json(data: Sequence[Mapping[str, Any]]) -> ProposalForecasts:
    """Return the proposals from the output of ``proposals_to_json``.

    Refuses: what ``match_format_from_json`` refuses.
    """
    return tuple((_parse_proposal(each), read_value(Forecast, each["outlook"])) for each in data)


def _parse_proposal(data: Mapping[str, Any]) -> Proposal:
    return Proposal(
        key=data["key"],
        stages=tuple(data["stages"]),
        match_format=match_format_from_json(data["match_format"]),
        rounds=data["rounds"],
        phases=phases_from_json(data.get("phases")),
    )
