"""Form fields of any event (name, day, rules, match length), and the form of a new night."""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from clubs.models import HouseRules
from engine.phases import PhaseSettings
from errors import Refusal
from rules import RULESETS, DecidedBy, MatchFormat, Ruleset, check_format
from scoring.log_values import DETAILS
from scoring.models import Terms
from tournaments.events.services.lifecycle import MOST_TABLES
from web.form_lists import Typed, first_of
from web.forms import FormReader, last_values, read_day

LENGTHS = ("games_to_win", "hands", "minutes")
NIGHT_FORMATS = ("random", "swiss")
"""Formats for the rounds of a club night, the usual one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesForm:
    """The rules of play: the ruleset, None if refused; ``rules_name`` for house rules; and the ``details``
    asked for each hand."""

    ruleset: Ruleset | None
    rules_name: str
    details: tuple[str, ...]

    def as_values(self) -> dict[str, Any]:
        """Return the arguments of ``change_rules`` or ``create_event``, once nothing was refused."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class EventForm(RulesForm):
    """An event as typed, with None for each refused value."""

    name: str
    held_on: datetime.date
    match_format: MatchFormat
    table_count: int | None


def read_night_form(
    typed: Typed, own: Mapping[str, HouseRules], *, name_of: Callable[[datetime.date], str]
) -> tuple[EventForm, str]:
    """Read the form of a new night; return the night and the format of its rounds.

    ``own`` are the club's house rules by ``HouseRules.choice``. A night without a name is named after its day
    by ``name_of``.
    Refuses: form_refused, with a refusal for each field that is not right.
    """
    form = FormReader(last_values(typed))
    night = read_event_form(form, typed, own, name_of=name_of)
    draw_format = form.choice("draw_format", NIGHT_FORMATS)
    form.finish()
    return night, draw_format


def read_event_form(
    form: FormReader,
    typed: Typed,
    own: Mapping[str, HouseRules],
    *,
    name_of: Callable[[datetime.date], str] | None = None,
) -> EventForm:
    """Read the fields that every event has; errors are added to the form."""
    held_on = read_date(form, last_values(typed).get("held_on", ""))
    if name_of is not None and not first_of(typed, "name").strip():
        name = name_of(held_on)
    else:
        name = form.text("name", required="event_name_required")
    rules = read_rules(form, typed, own)
    match_format = read_match_format(form)
    table_count = read_table_count(form)
    return EventForm(
        name=name,
        held_on=held_on,
        match_format=match_format,
        table_count=table_count,
        **rules.as_values(),
    )


def read_table_count(form: FormReader) -> int | None:
    table_count = form.number("table_count")
    if table_count is None and not form.has_refused("table_count"):
        form.refuse(Refusal("tables_out_of_range", field="table_count", most=MOST_TABLES))
    return table_count


def read_date(form: FormReader, value: str, *, field: str = "held_on") -> datetime.date:
    try:
        if not value:
            raise Refusal("day_required", field=field)
        return read_day(value, field=field)
    except Refusal as refusal:
        form.refuse(refusal)
        return datetime.date.min


def read_match_format(form: FormReader) -> MatchFormat:
    length = form.choice("length", LENGTHS)
    count = form.number(length) if length in LENGTHS else None
    match_format = MatchFormat(
        games_to_win=count if length == "games_to_win" else None,
        hands=count if length == "hands" else None,
        minutes=count if length == "minutes" else None,
        decided_by=DecidedBy.GAMES if length == "games_to_win" else DecidedBy.POINTS,
    )
    try:
        check_format(match_format)
    except Refusal as refusal:
        if not form.has_refused("length") and not form.has_refused(length):
            form.refuse(Refusal(refusal.code, field=length))
    return match_format


def typed_length(match_format: MatchFormat) -> dict[str, object]:
    """Return the field values of a match length, with the first length that the form offers as the choice."""
    lengths = {name: getattr(match_format, name) for name in LENGTHS}
    return {"length": next(name for name, count in lengths.items() if count is not None), **lengths}


def read_rules(form: FormReader, typed: Typed, own: Mapping[str, HouseRules]) -> RulesForm:
    """Read the chosen rules: a built-in ruleset, or house rules from ``own``, by ``HouseRules.choice``.
    Refuses in the form: no_such_choice, house_rules_removed."""
    details = tuple(detail for detail in typed.get("details", []) if detail in DETAILS)
    chosen = last_values(typed).get("ruleset", "")
    if chosen in own:
        return RulesForm(ruleset=own[chosen].ruleset, rules_name=own[chosen].name, details=details)
    if chosen.startswith(HouseRules.CHOICE):
        form.refuse(Refusal("house_rules_removed", field="ruleset"))
        return RulesForm(ruleset=None, rules_name="", details=details)
    return RulesForm(ruleset=RULESETS.get(form.choice("ruleset", RULESETS)), rules_name="", details=details)


def choice_of_rules(terms: Terms | PhaseSettings, own: Mapping[str, HouseRules]) -> str:
    """Return the choice for these rules; "" if the club's house rules of that name have changed since."""
    if not terms.rules_name:
        return terms.ruleset.key if terms.ruleset else ""
    same = (one for one in own.values() if (one.name, one.ruleset) == (terms.rules_name, terms.ruleset))
    return next((one.choice for one in same), "")
