"""Form fields of any event (name, day, rules, match length), and the form of a new night."""

import datetime
from collections.abc import Callable, Mapping
from typing import Any

from clubs.models import HouseRules
from engine.draws.stages import NIGHT_FORMATS
from engine.phases import PhaseSettings
from errors import Refusal
from rules import RULESETS, MatchCriterion, MatchFormat, check_format
from scoring.log_values import DETAILS
from scoring.models import Terms
from tournaments.events.services.lifecycle import MAX_TABLES
from web.form_lists import FormValues, get_first_value
from web.forms import FormReader, get_last_values, parse_day

LENGTH_UNITS = ("games_to_win", "hands", "minutes")


def read_night_form(
    form_data: FormValues, house_rules: Mapping[str, HouseRules], *, build_name: Callable[[datetime.date], str]
) -> dict[str, Any]:
    """Read the form of a new night; return the arguments of ``create_event``.

    ``house_rules`` are the club's house rules by ``HouseRules.choice``. ``build_name`` names a night without a name
    after its day.
    Refuses: form_refused, with a refusal for each invalid field.
    """
    form = FormReader(get_last_values(form_data))
    night = read_event_form(form, form_data, house_rules, build_name=build_name)
    draw_format = form.read_choice("draw_format", NIGHT_FORMATS)
    form.raise_refusals()
    return {**night, "stages": [{"format": draw_format}]}


def read_event_form(
    form: FormReader,
    form_data: FormValues,
    house_rules: Mapping[str, HouseRules],
    *,
    build_name: Callable[[datetime.date], str] | None = None,
) -> dict[str, Any]:
    """Read the fields that every event has, as arguments of ``create_event``; errors are added to the form."""
    held_on = read_date(form, get_last_values(form_data).get("held_on", ""))
    if build_name is not None and not get_first_value(form_data, "name").strip():
        name = build_name(held_on)
    else:
        name = form.read_text("name", required="event_name_required")
    return {
        "name": name,
        "held_on": held_on,
        **read_rules(form, form_data, house_rules),
        "match_format": read_match_format(form),
        "table_count": read_table_count(form),
    }


def read_table_count(form: FormReader) -> int | None:
    table_count = form.read_number("table_count")
    if table_count is None and not form.has_refused("table_count"):
        form.refuse(Refusal("tables_out_of_range", field="table_count", most=MAX_TABLES))
    return table_count


def read_date(form: FormReader, value: str) -> datetime.date:
    try:
        if not value:
            raise Refusal("day_required", field="held_on")
        return parse_day(value, field="held_on")
    except Refusal as refusal:
        form.refuse(refusal)
        return datetime.date.min


def read_match_format(form: FormReader) -> MatchFormat:
    length = form.read_choice("length", LENGTH_UNITS)
    count = form.read_number(length) if length in LENGTH_UNITS else None
    match_format = MatchFormat(
        games_to_win=count if length == "games_to_win" else None,
        hands=count if length == "hands" else None,
        minutes=count if length == "minutes" else None,
        decided_by=MatchCriterion.GAMES if length == "games_to_win" else MatchCriterion.POINTS,
    )
    try:
        check_format(match_format)
    except Refusal as refusal:
        if not form.has_refused("length") and not form.has_refused(length):
            form.refuse(Refusal(refusal.code, field=length))
    return match_format


def get_length_data(match_format: MatchFormat) -> dict[str, object]:
    """Return the field values of a match length, with the first length that the form offers as the choice."""
    lengths = {name: getattr(match_format, name) for name in LENGTH_UNITS}
    return {"length": next(name for name, count in lengths.items() if count is not None), **lengths}


def read_rules(form: FormReader, form_data: FormValues, house_rules: Mapping[str, HouseRules]) -> dict[str, Any]:
    """Read the chosen rules, as arguments of ``change_rules``: a built-in ruleset, or one of the ``house_rules``, by
    ``HouseRules.choice``.
    Refuses in the form: no_such_choice, house_rules_removed."""
    details = tuple(detail for detail in form_data.get("details", []) if detail in DETAILS)
    chosen = get_last_values(form_data).get("ruleset", "")
    ruleset, name = None, ""
    if chosen in house_rules:
        ruleset, name = house_rules[chosen].ruleset, house_rules[chosen].name
    elif chosen.startswith(HouseRules.CHOICE_PREFIX):
        form.refuse(Refusal("house_rules_removed", field="ruleset"))
    else:
        ruleset = RULESETS.get(form.read_choice("ruleset", RULESETS))
    return {"ruleset": ruleset, "rules_name": name, "details": details}


def get_rules_choice(terms: Terms | PhaseSettings, house_rules: Mapping[str, HouseRules]) -> str:
    """Return the choice for these rules; "" if the club's house rules of that name have changed since."""
    if not terms.rules_name:
        return terms.ruleset.key if terms.ruleset else ""
    matching_rules = (
        rules for rules in house_rules.values() if (rules.name, rules.ruleset) == (terms.rules_name, terms.ruleset)
    )
    return next((rules.choice for rules in matching_rules), "")
