"""The settings form as typed, and the forecast for a number of entries."""

from collections.abc import Collection, Sequence
from typing import Any

from engine.draws import FORMATS
from engine.draws.schedules.foursomes import TABLE_FOR_TWO
from engine.draws.stages import POOLS, StagePlan, count_plan_rounds
from engine.ranking import ACROSS_POOLS, BYE_VALUES, CHOICES, DISQUALIFICATION_CHOICES, UNPLAYED_KINDS, RankingRules
from engine.results import SCHEDULED_FORMATS
from rules import Ruleset, has_two_player_rules
from tournaments.events.forms.settings import POINT_CHOICES
from tournaments.events.forms.stage_fields import (
    FORMAT_FIELDS,
    ODD_ENTRIES,
    PLAY_OFF,
    QUALIFICATION,
    TIMING,
    YES,
    StageField,
    list_player_fields,
)
from web.form_lists import FormValues, get_first_value, list_positions

USUAL_WORTHS = {name: getattr(RankingRules(), name).value for name in UNPLAYED_KINDS}


def build_settings_view(
    form_data: FormValues, *, ruleset: Ruleset | None, begun_stages: Collection[int] = (), list_change: str = ""
) -> dict[str, Any]:
    """Build the form as typed: its lists, the metrics not in the order, each choice with whether it is chosen, and the
    button or field that gets the ``focus``.

    ``begun_stages`` are the places of stages that have begun, and ``list_change`` is the
    change just made to a list. A table for two is offered if the ``ruleset`` has rules for two, or if it is
    already chosen."""
    plays_two = ruleset is not None and has_two_player_rules(ruleset)
    places = list_positions(form_data, "stages")
    order = tuple(key for key in form_data.get("order", []) if key in CHOICES)
    formats = {get_first_value(form_data, f"stages.{place}.format") for place in places}
    has_schedule = not formats.isdisjoint(SCHEDULED_FORMATS)
    return {
        "stages": tuple(
            _build_stage_view(form_data, place, places, begun_stages, plays_two=plays_two) for place in places
        ),
        "sections": tuple(_build_section_view(form_data, place) for place in list_positions(form_data, "sections")),
        "order": tuple(
            {"key": key, "line": f"order.{index}", "is_first": not index, "is_last": index == len(order) - 1}
            for index, key in enumerate(order)
        ),
        "others": tuple(key for key in CHOICES if key not in order),
        "unplayed_rounds": tuple(
            _build_unplayed_view(form_data, name, is_offered=name != "scheduled_bye" or has_schedule)
            for name in UNPLAYED_KINDS
        ),
        "across_pools": tuple(
            (key, key == (get_first_value(form_data, "across_pools") or ACROSS_POOLS[0])) for key in ACROSS_POOLS
        ),
        "has_pools": POOLS in formats,
        "disqualified": tuple(
            (choice, choice == (get_first_value(form_data, "disqualified") or RankingRules().disqualified))
            for choice in DISQUALIFICATION_CHOICES
        ),
        "focus": _get_focus(form_data, list_change),
    }


def _build_unplayed_view(form_data: FormValues, name: str, *, is_offered: bool) -> dict[str, Any]:
    """Present a kind of unplayed round, with its possible results and points, each with whether it is chosen."""
    points, number = f"{name}_points", f"{name}_number"
    return {
        "name": name,
        "worths": [
            (result, result == (get_first_value(form_data, name) or USUAL_WORTHS[name])) for result in BYE_VALUES
        ],
        "points": [(key, key == (get_first_value(form_data, points) or POINT_CHOICES[0])) for key in POINT_CHOICES],
        "number": get_first_value(form_data, number),
        "number_field": number,
        "is_offered": is_offered,
    }


def compute_forecast(plan: StagePlan, entries: int) -> dict[str, int | None]:
    """Compute the tables at once and the rounds, None if unknown, if this many entries all stay."""
    return {
        "entries": entries,
        "tables": entries // (2 * FORMATS[plan[0].format].side),
        "rounds": count_plan_rounds(plan, entries),
    }


def _build_stage_view(
    form_data: FormValues, place: int, places: Sequence[int], begun_stages: Collection[int], *, plays_two: bool
) -> dict[str, Any]:
    """Present a stage: its format, who plays in it, how it is drawn."""
    start = f"stages.{place}."
    key, original_index = get_first_value(form_data, f"{start}format"), get_first_value(form_data, f"{start}was")
    takes = get_first_value(form_data, f"{start}takes") or QUALIFICATION.usual
    is_first = place == places[0]
    follows = not is_first or takes != QUALIFICATION.usual or get_first_value(form_data, f"{start}{TIMING.name}") == YES
    format_fields = [
        field
        for field in FORMAT_FIELDS.get(key, ())
        if field is not ODD_ENTRIES
        or plays_two
        or get_first_value(form_data, f"{start}{ODD_ENTRIES.name}") == TABLE_FOR_TWO
    ]
    offered_fields = (*(list_player_fields(takes) if follows else ()), *format_fields)
    fields = [_build_field_view(form_data, start, field) for field in offered_fields if not field.is_advanced]
    advanced_fields = [_build_field_view(form_data, start, field) for field in offered_fields if field.is_advanced]
    return {
        "line": f"stages.{place}",
        "number": place + 1,
        "was": original_index,
        "format": key,
        "formats": [
            (draws_partners, [each for each in FORMAT_FIELDS if FORMATS[each].draws_partners == draws_partners])
            for draws_partners in (False, True)
        ],
        "fields": fields,
        "advanced_fields": advanced_fields,
        "has_unusual": not all(field["is_usual"] for field in advanced_fields),
        "is_first": is_first,
        "is_last": place == places[-1],
        "is_begun": original_index.isdecimal() and int(original_index) in begun_stages,
    }


def _build_field_view(form_data: FormValues, start: str, field: StageField) -> dict[str, Any]:
    """Present a field of a stage: a number, a text, or options. One that ``shapes`` decides which others are shown."""
    name = f"{start}{field.name}"
    usual = [text for text, value in field.values_by_text.items() if value == field.usual]
    chosen = form_data.get(name, usual)
    return {
        "name": name,
        "label": field.label,
        "help": field.help,
        "typed": get_first_value(form_data, name),
        "options": [
            {"value": text, "label": field.options[value], "is_chosen": text in chosen}
            for text, value in field.values_by_text.items()
            if field is not QUALIFICATION or value != PLAY_OFF or text in chosen
        ],
        "is_several": field.is_several,
        "inputmode": "text" if field.is_text else "numeric",
        "shapes": field is QUALIFICATION,
        "is_usual": [value for value in chosen if value] == usual,
    }


def _get_focus(form_data: FormValues, list_change: str) -> str:
    """Return the button or field to focus after a line was moved, added or removed."""
    line, _, step = list_change.rpartition(".")
    name, _, place = line.partition(".")
    name = name or line
    last_index = len(form_data.get(name, list_positions(form_data, name))) - 1
    if step in ("up", "down") and place.isdecimal():
        new_index = max(0, int(place) - 1) if step == "up" else min(last_index, int(place) + 1)
        return f"{name}.{new_index}.{step}"
    if step == "add":
        return f"{name}.{last_index}.{_FIRST_FIELDS.get(name, '')}"
    return f"{name}.add" if step == "remove" else ""


_FIRST_FIELDS = {"stages": "format", "sections": "name", "order": "up"}


def _build_section_view(form_data: FormValues, place: int) -> dict[str, str]:
    line = f"sections.{place}"
    names = ("was", "name", "first_table", "last_table")
    return {"line": line} | {name: get_first_value(form_data, f"{line}.{name}") for name in names}
