"""What the organizer's forms say, read and checked."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from clubs.forms import FormReader
from clubs.models import HouseRules
from rules import RULESETS, DecidedBy, MatchFormat, Refusal, Ruleset, check_format
from scoring.models import DETAILS

from .services.events import MOST_TABLES

LENGTHS = ("games_to_win", "hands", "minutes")
NIGHT_FORMATS = ("random", "swiss")
"""How a club night's rounds can be drawn, the usual way first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightForm:
    """A new night as the organizer describes it."""

    name: str
    held_on: datetime.date
    ruleset: Ruleset
    rules_name: str
    match_format: MatchFormat
    table_count: int
    draw_format: str
    details: tuple[str, ...]


def read_night_form(data: QueryDict, own: Mapping[str, HouseRules]) -> NightForm:
    """The night, by a built-in system or by house rules of the club, its ``own`` by ``HouseRules.choice``.

    Refuses: form_refused, with a refusal for each field that is not right.
    """
    form = FormReader(data.dict())
    name = form.text("name", required="event_name_required")
    ruleset, rules_name = _rules(form, data.get("ruleset", ""), own)
    length = form.choice("length", LENGTHS)
    count = form.number(length) if length in LENGTHS else None
    table_count = form.number("table_count")
    if table_count is None:
        form.refuse(Refusal("tables_out_of_range", field="table_count", most=MOST_TABLES))
    held_on = _date(form, data.get("held_on", ""))
    draw_format = form.choice("draw_format", NIGHT_FORMATS)
    match_format = MatchFormat(
        games_to_win=count if length == "games_to_win" else None,
        hands=count if length == "hands" else None,
        minutes=count if length == "minutes" else None,
        decided_by=DecidedBy.GAMES if length == "games_to_win" else DecidedBy.POINTS,
    )
    try:
        check_format(match_format)
    except Refusal as refusal:
        form.refuse(Refusal("length_not_positive", field=length) if count is not None else refusal)
    form.finish()
    assert ruleset is not None
    assert table_count is not None
    return NightForm(
        name=name,
        held_on=held_on,
        ruleset=ruleset,
        rules_name=rules_name,
        match_format=match_format,
        table_count=table_count,
        draw_format=draw_format,
        details=tuple(detail for detail in data.getlist("details") if detail in DETAILS),
    )


def _rules(form: FormReader, chosen: str, own: Mapping[str, HouseRules]) -> tuple[Ruleset | None, str]:
    """The ruleset, and what the club calls it; None if it is refused."""
    if chosen in own:
        return own[chosen].ruleset, own[chosen].name
    if chosen.startswith(HouseRules.CHOICE):
        form.refuse(Refusal("house_rules_removed", field="ruleset"))
        return None, ""
    return RULESETS.get(form.choice("ruleset", RULESETS)), ""


def _date(form: FormReader, value: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(value)
    except ValueError:
        form.refuse(Refusal("not_a_date", field="held_on", value=value))
        return datetime.date.min
