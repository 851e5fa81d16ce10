"""Event settings as form fields: stages, ranking and sections.

Fields are named as in refusals: ``stages.1.count``, ``sections.0.last_table``, ``order``.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from engine.draws.stages import StagePlan, stage_plan
from engine.ranking import (
    ACROSS_POOLS,
    AFTER_DISQUALIFICATION,
    CHOICES,
    UNPLAYED,
    WORTHS,
    Average,
    RankingRules,
    UnplayedOpponent,
    ranking_rules_from_json,
)
from errors import Refusal
from tournaments.models import Event
from web import form_lists
from web.form_lists import Typed, first_of, places_of
from web.forms import FormReader
from web.names import clean_text, clean_title

from .stage_fields import FORMAT_FIELDS, TAKES, StageField, player_fields

Plain = dict[str, Any]

RANKING_NUMBERS: Mapping[str, int] = {
    "win": 100,
    "draw": 100,
    "loss": 100,
    "cap": 1_000,
    "dropped": 50,
    "most_byes_asked": 99,
    "last_without_bye": 99,
}
"""Numbers in the ranking rules, each with its maximum."""

NUMBER = "number"
POINTS = (NUMBER, *(each.value for each in Average))
"""Ways to give points for an unplayed round: a number or an average."""

MOST_POINTS = 1_000
MOST_TABLE = 1_000
SECTION_TABLES = ("first_table", "last_table")
NEW_STAGE: Plain = {"format": "knockout", "takes": "top", "count": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class StagesRead:
    """Stages as typed; ``plan`` is None if they are invalid."""

    plain: tuple[Plain, ...]
    plan: StagePlan | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRead:
    """A section as typed; ``was`` is its previous name, or "" if it is new."""

    plain: Plain
    was: str


def typed_stages(stages: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the field values for these stages, as ``read_stages`` reads them."""
    return {
        f"stages.{place}.{name}": values
        for place, stage in enumerate(stages)
        for name, values in {**_typed_stage(stage), "was": [str(place)]}.items()
    }


def typed_ranking(rules: RankingRules) -> dict[str, list[str]]:
    """Return the field values for these rules, as ``read_ranking`` reads them."""
    numbers = {name: [_text_of(getattr(rules, name))] for name in RANKING_NUMBERS}
    unplayed = {name: [getattr(rules, name).value] for name in UNPLAYED}
    points = {name: getattr(rules, f"{name}_points") for name in UNPLAYED}
    by = {
        f"{name}_points": [each.value if isinstance(each, Average) else NUMBER]
        for name, each in points.items()
    }
    fixed = {
        f"{name}_number": ["0" if isinstance(each, Average) else str(each)] for name, each in points.items()
    }
    opponent = {"unplayed_opponent": [rules.unplayed_opponent.value]}
    across = {"across_pools": [rules.across_pools.value], "disqualified": [rules.disqualified.value]}
    return {"order": list(rules.order), **numbers, **unplayed, **opponent, **by, **fixed, **across}


def typed_sections(sections: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the field values for these sections, as ``read_sections`` reads them."""
    typed: dict[str, list[str]] = {}
    for place, section in enumerate(sections):
        line = {name: _text_of(section[name]) for name in ("name", *SECTION_TABLES)} | {
            "was": section["name"]
        }
        typed |= {f"sections.{place}.{name}": [value] for name, value in line.items()}
    return typed


def typed_settings(event: Event) -> dict[str, list[str]]:
    """Return the field values for the current settings of the event."""
    return {
        **typed_stages(event.stages),
        **typed_ranking(ranking_rules_from_json(event.ranking)),
        **typed_sections(event.sections),
    }


def rearrange_settings(typed: Typed, change: str) -> dict[str, list[str]]:
    """Move, remove or add a stage, a section or a metric in the typed form: ``stages.1.up``."""
    return form_lists.rearrange_list(
        typed,
        change,
        {
            "stages": lambda typed: _typed_stage(NEW_STAGE),
            "sections": lambda typed: {name: [""] for name in ("name", *SECTION_TABLES, "was")},
            "order": _metric_to_add,
        },
    )


def _metric_to_add(typed: Typed) -> str | None:
    ranks = typed.get("order", [])
    return next((key for key in typed.get("added", []) if key in CHOICES and key not in ranks), None)


def read_stages(form: FormReader, typed: Typed, before: Sequence[Mapping[str, Any]] = ()) -> StagesRead:
    """Read the stages; errors are added to the form. Settings that the form does not offer are kept from
    ``before``, the previous stages.

    Codes: no_such_choice, not_a_number, number_too_large, and those of ``stage_plan``.
    """
    known = len(form.refusals)
    stages = tuple(_stage(form, typed, place, before) for place in places_of(typed, "stages"))
    plan = None
    if len(form.refusals) == known:
        try:
            plan = stage_plan(stages)
        except Refusal as refusal:
            form.refuse(_in_sight(refusal, stages))
    return StagesRead(plain=stages, plan=plan)


def read_ranking(form: FormReader, typed: Typed) -> RankingRules | None:
    """Read the ranking rules; None if something was refused in the form.

    Codes: not_a_number, number_too_large, and those of ``ranking_rules_from_json``.
    """
    known = len(form.refusals)
    numbers = {name: _number(form, name, most) for name, most in RANKING_NUMBERS.items()}
    unplayed = {name: form.choice(name, WORTHS) for name in UNPLAYED if name in typed or name == "bye"}
    if "unplayed_opponent" in typed:
        unplayed["unplayed_opponent"] = form.choice("unplayed_opponent", tuple(UnplayedOpponent))
    points = {f"{name}_points": _points(form, name) for name in UNPLAYED if f"{name}_points" in typed}
    across = {"across_pools": form.choice("across_pools", ACROSS_POOLS)} if "across_pools" in typed else {}
    if "disqualified" in typed:
        unplayed["disqualified"] = form.choice("disqualified", AFTER_DISQUALIFICATION)
    if len(form.refusals) > known:
        return None
    try:
        return ranking_rules_from_json(
            {"order": typed.get("order", []), **numbers, **unplayed, **points, **across}
        )
    except Refusal as refusal:
        form.refuse(refusal)
        return None


def _points(form: FormReader, name: str) -> int | str:
    """Read the points of an unplayed round: a number, or the name of an average."""
    by = form.choice(f"{name}_points", POINTS)
    number = _number(form, f"{name}_number", MOST_POINTS)
    if number is not None and number < 0:
        form.refuse(Refusal("number_too_small", field=f"{name}_number", value=number, least=0))
    return (number or 0) if by == NUMBER else by


def read_sections(form: FormReader, typed: Typed) -> tuple[SectionRead, ...]:
    """Read the sections; empty lines are ignored. Codes: not_a_number, number_too_large."""
    found = []
    for place in places_of(typed, "sections"):
        start = f"sections.{place}."
        name = clean_title(first_of(typed, f"{start}name"))
        tables = {field: _number(form, f"{start}{field}", MOST_TABLE) for field in SECTION_TABLES}
        was = clean_text(first_of(typed, f"{start}was"))
        if name or any(first_of(typed, f"{start}{field}").strip() for field in SECTION_TABLES):
            found.append(SectionRead(plain={"name": name, **tables}, was=was))
    return tuple(found)


# A stage


def _in_sight(refusal: Refusal, stages: Sequence[Plain]) -> Refusal:
    """Move a refusal to a field that the form shows: ``takes`` if the rank fields are hidden."""
    at, _, name = (refusal.field or "").rpartition(".")
    if name not in ("count", "first", "last"):
        return refusal
    takes = stages[int(at.removeprefix("stages."))].get("takes", TAKES.usual)
    if name in {field.name for field in player_fields(takes)}:
        return refusal
    return Refusal(refusal.code, field=f"{at}.takes", **refusal.details)


def _stage(form: FormReader, typed: Typed, place: int, before: Sequence[Mapping[str, Any]]) -> Plain:
    start = f"stages.{place}."
    key = form.choice(f"{start}format", tuple(FORMAT_FIELDS))
    was = first_of(typed, f"{start}was")
    kept = {str(number): stage for number, stage in enumerate(before)}.get(was, {})
    takes = first_of(typed, f"{start}takes") or TAKES.usual
    fields = (*player_fields(takes), *FORMAT_FIELDS.get(key, ()))
    stage: Plain = {"format": key, "settings": {}}
    if kept.get("format") == key:
        offered = {"settings", *(field.name for field in fields)}
        stage |= {name: deepcopy(value) for name, value in kept.items() if name in offered}
    for field in fields:
        value = _value(form, typed, start, field)
        for path in (field.name, *field.also):
            _set_value(stage, path, value, usual=field.usual)
    if not stage["settings"]:
        del stage["settings"]
    return stage


def _value(form: FormReader, typed: Typed, start: str, field: StageField) -> Any:
    """Return the typed value, or the usual one if the field is missing, as after a change of format."""
    name = f"{start}{field.name}"
    if field.is_several:
        chosen = typed.get(name, [])
        return [option.value for option in field.options if option.text in chosen]
    if field.is_text:
        return clean_text(first_of(typed, name))
    if not field.options:
        return _number(form, name, field.most)
    if name not in typed:
        return field.usual
    chosen_one = form.choice(name, tuple(option.text for option in field.options))
    return next((option.value for option in field.options if option.text == chosen_one), field.usual)


def _set_value(stage: Plain, path: str, value: Any, *, usual: Any) -> None:
    """Set a value in a stage; a usual value is removed instead of stored."""
    outer, _, name = path.rpartition(".")
    place = stage[outer] if outer else stage
    if place.get(name, usual) == value:
        return
    if value == usual:
        del place[name]
    else:
        place[name] = value


def _typed_stage(stage: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the field values of a stage."""
    key = stage["format"]
    typed = {"format": [key]}
    for field in (*player_fields(stage.get("takes", TAKES.usual)), *FORMAT_FIELDS.get(key, ())):
        outer, _, name = field.name.rpartition(".")
        value = (stage.get(outer) or {} if outer else stage).get(name, field.usual)
        values = value if field.is_several else [value]
        typed[field.name] = [_typed_value(field, each) for each in values]
    return typed


def _typed_value(field: StageField, value: Any) -> str:
    return next((option.text for option in field.options if option.value == value), _text_of(value))


def _text_of(value: Any) -> str:
    return "" if value is None else str(value)


def _number(form: FormReader, name: str, most: int) -> int | None:
    number = form.number(name)
    if number is not None and number > most:
        form.refuse(Refusal("number_too_large", field=name, value=number, most=most))
        return None
    return number
