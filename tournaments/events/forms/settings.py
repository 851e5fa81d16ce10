"""Event settings as form fields: stages, ranking and sections.

Fields are named as in refusals: ``stages.1.count``, ``sections.0.last_table``, ``order``.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext_lazy as _

from engine.draws.stages import StagePlan, parse_stage_plan
from engine.phases import RANKING_NAMES, PhaseSettings, settings_from_json
from engine.ranking import (
    ACROSS_POOLS,
    BYE_VALUES,
    CHOICES,
    DISQUALIFICATION_CHOICES,
    UNPLAYED_KINDS,
    Average,
    RankingRules,
    UnplayedOpponent,
    ranking_rules_from_json,
)
from errors import Refusal
from tournaments.models import Event
from web import form_lists
from web.form_lists import FormValues, get_first_value, list_positions
from web.forms import AreaField, DayField, Form, FormReader, HourField, TextField
from web.names import clean_text, clean_title

from .stage_fields import FORMAT_FIELDS, QUALIFICATION, StageField, list_player_fields

JsonObject = dict[str, Any]

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
POINT_CHOICES = (NUMBER, *(each.value for each in Average))
"""Ways to give points for an unplayed round: a number or an average."""

MAX_POINTS = 1_000
MAX_TABLE = 1_000
SECTION_TABLES = ("first_table", "last_table")
NEW_STAGE: JsonObject = {"format": "knockout", "takes": "top", "count": 4}


def get_stages_data(stages: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the field values for these stages, as ``read_stages`` reads them."""
    return {
        f"stages.{place}.{name}": values
        for place, stage in enumerate(stages)
        for name, values in {**_get_stage_data(stage), "was": [str(place)]}.items()
    }


def get_ranking_data(rules: RankingRules) -> dict[str, list[str]]:
    """Return the field values for these rules, as ``read_ranking`` reads them."""
    numbers = {name: [_to_text(getattr(rules, name))] for name in RANKING_NUMBERS}
    unplayed = {name: [getattr(rules, name).value] for name in UNPLAYED_KINDS}
    points = {name: getattr(rules, f"{name}_points") for name in UNPLAYED_KINDS}
    point_kinds = {
        f"{name}_points": [points_value.value if isinstance(points_value, Average) else NUMBER]
        for name, points_value in points.items()
    }
    fixed_points = {
        f"{name}_number": ["0" if isinstance(points_value, Average) else str(points_value)]
        for name, points_value in points.items()
    }
    opponent = {"unplayed_opponent": [rules.unplayed_opponent.value]}
    across = {"across_pools": [rules.across_pools.value], "disqualified": [rules.disqualified.value]}
    return {"order": list(rules.order), **numbers, **unplayed, **opponent, **point_kinds, **fixed_points, **across}


def get_sections_data(sections: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the field values for these sections, as ``read_sections`` reads them."""
    form_data: dict[str, list[str]] = {}
    for place, section in enumerate(sections):
        line = {name: _to_text(section[name]) for name in ("name", *SECTION_TABLES)} | {"was": section["name"]}
        form_data |= {f"sections.{place}.{name}": [value] for name, value in line.items()}
    return form_data


def get_settings_data(event: Event) -> dict[str, list[str]]:
    """Return the field values for the current settings of the event."""
    return {
        **get_stages_data(event.stages),
        **get_ranking_data(ranking_rules_from_json(event.ranking)),
        **get_sections_data(event.sections),
    }


def rearrange_settings(form_data: FormValues, change: str) -> dict[str, list[str]]:
    """Move, remove or add a stage, a section or a metric in the typed form: ``stages.1.up``."""
    return form_lists.rearrange_list(
        form_data,
        change,
        {
            "stages": lambda typed: _get_stage_data(NEW_STAGE),
            "sections": lambda typed: {name: [""] for name in ("name", *SECTION_TABLES, "was")},
            "order": _get_added_metric,
        },
    )


def _get_added_metric(form_data: FormValues) -> str | None:
    ranks = form_data.get("order", [])
    return next((key for key in form_data.get("added", []) if key in CHOICES and key not in ranks), None)


def read_stages(
    form: FormReader, form_data: FormValues, previous_stages: Sequence[Mapping[str, Any]] = ()
) -> tuple[tuple[JsonObject, ...], StagePlan | None]:
    """Read the stages, and their plan, None if they are invalid; errors are added to the form. Settings that the form
    does not offer are copied from ``previous_stages``.

    Codes: no_such_choice, not_a_number, number_too_large, and those of ``parse_stage_plan``.
    """
    refusal_count = len(form.refusals)
    stages = tuple(
        _read_stage(form, form_data, place, previous_stages) for place in list_positions(form_data, "stages")
    )
    plan = None
    if len(form.refusals) == refusal_count:
        try:
            plan = parse_stage_plan(stages)
        except Refusal as refusal:
            form.refuse(_move_to_visible_field(refusal, stages))
    return stages, plan


def read_ranking(form: FormReader, form_data: FormValues) -> RankingRules | None:
    """Read the ranking rules; None if something was refused in the form.

    Codes: not_a_number, number_too_large, and those of ``ranking_rules_from_json``.
    """
    refusal_count = len(form.refusals)
    numbers = {name: _read_number(form, name, max_value) for name, max_value in RANKING_NUMBERS.items()}
    unplayed = {
        name: form.read_choice(name, BYE_VALUES) for name in UNPLAYED_KINDS if name in form_data or name == "bye"
    }
    if "unplayed_opponent" in form_data:
        unplayed["unplayed_opponent"] = form.read_choice("unplayed_opponent", tuple(UnplayedOpponent))
    points = {f"{name}_points": _read_points(form, name) for name in UNPLAYED_KINDS if f"{name}_points" in form_data}
    across = {"across_pools": form.read_choice("across_pools", ACROSS_POOLS)} if "across_pools" in form_data else {}
    if "disqualified" in form_data:
        unplayed["disqualified"] = form.read_choice("disqualified", DISQUALIFICATION_CHOICES)
    if len(form.refusals) > refusal_count:
        return None
    try:
        return ranking_rules_from_json({"order": form_data.get("order", []), **numbers, **unplayed, **points, **across})
    except Refusal as refusal:
        form.refuse(refusal)
        return None


def read_phase_ranking(form: FormReader, form_data: FormValues) -> PhaseSettings:
    """Read the ranking rules that a phase has of its own; an empty choice is inherited.

    Codes: as ``read_ranking``.
    """
    chosen = {name for name in RANKING_NAMES if get_first_value(form_data, name)}
    data: JsonObject = {"order": [key for key in form_data.get("order", []) if key]} if "order" in chosen else {}
    for name in UNPLAYED_KINDS:
        if name in chosen:
            data[name] = form.read_choice(name, BYE_VALUES)
        if f"{name}_points" in chosen:
            data[f"{name}_points"] = _read_points(form, name)
    form.raise_refusals()
    return settings_from_json(data)


def get_phase_ranking_data(settings: PhaseSettings) -> dict[str, list[str]]:
    """Return the field values for these settings, as ``read_phase_ranking`` reads them."""
    rules = get_ranking_data(settings.apply_to_ranking(RankingRules()))
    own = settings.overrides
    form_data = {name: rules[name] for name in RANKING_NAMES if name in own}
    return form_data | {f"{name}_number": rules[f"{name}_number"] for name in UNPLAYED_KINDS if f"{name}_points" in own}


def _read_points(form: FormReader, name: str) -> int | str:
    """Read the points of an unplayed round: a number, or the name of an average."""
    kind = form.read_choice(f"{name}_points", POINT_CHOICES)
    number = _read_number(form, f"{name}_number", MAX_POINTS)
    if number is not None and number < 0:
        form.refuse(Refusal("number_too_small", field=f"{name}_number", value=number, least=0))
    return (number or 0) if kind == NUMBER else kind


def read_sections(form: FormReader, form_data: FormValues) -> tuple[tuple[str, JsonObject], ...]:
    """Read the sections, each after its previous name, "" if it is new; empty lines are ignored. Codes: not_a_number,
    number_too_large."""
    sections = []
    for place in list_positions(form_data, "sections"):
        start = f"sections.{place}."
        name = clean_title(get_first_value(form_data, f"{start}name"))
        tables = {field: _read_number(form, f"{start}{field}", MAX_TABLE) for field in SECTION_TABLES}
        previous_name = clean_text(get_first_value(form_data, f"{start}was"))
        if name or any(get_first_value(form_data, f"{start}{field}").strip() for field in SECTION_TABLES):
            sections.append((previous_name, {"name": name, **tables}))
    return tuple(sections)


# A stage


def _move_to_visible_field(refusal: Refusal, stages: Sequence[JsonObject]) -> Refusal:
    """Move a refusal to a field that the form shows: ``takes`` if the rank fields are hidden."""
    prefix, _, name = (refusal.field or "").rpartition(".")
    if name not in ("count", "first", "last"):
        return refusal
    takes = stages[int(prefix.removeprefix("stages."))].get("takes", QUALIFICATION.usual)
    if name in {field.name for field in list_player_fields(takes)}:
        return refusal
    return Refusal(refusal.code, field=f"{prefix}.takes", **refusal.details)


def _read_stage(
    form: FormReader, form_data: FormValues, place: int, previous_stages: Sequence[Mapping[str, Any]]
) -> JsonObject:
    start = f"stages.{place}."
    key = form.read_choice(f"{start}format", tuple(FORMAT_FIELDS))
    original_index = get_first_value(form_data, f"{start}was")
    previous_stage = {str(number): stage for number, stage in enumerate(previous_stages)}.get(original_index, {})
    takes = get_first_value(form_data, f"{start}takes") or QUALIFICATION.usual
    fields = (*list_player_fields(takes), *FORMAT_FIELDS.get(key, ()))
    stage: JsonObject = {"format": key, "settings": {}}
    if previous_stage.get("format") == key:
        visible_names = {"settings", *(field.name for field in fields)}
        stage |= {name: deepcopy(value) for name, value in previous_stage.items() if name in visible_names}
    for field in fields:
        value = _read_value(form, form_data, start, field)
        for path in (field.name, *field.other_paths):
            _set_value(stage, path, value, usual=field.usual)
    if not stage["settings"]:
        del stage["settings"]
    return stage


def _read_value(form: FormReader, form_data: FormValues, start: str, field: StageField) -> Any:
    """Return the typed value, or the usual one if the field is missing, as after a change of format."""
    name = f"{start}{field.name}"
    if field.is_several:
        chosen = form_data.get(name, [])
        return [value for text, value in field.values_by_text.items() if text in chosen]
    if field.is_text:
        return clean_text(get_first_value(form_data, name))
    if not field.options:
        return _read_number(form, name, field.most)
    if name not in form_data:
        return field.usual
    choice = form.read_choice(name, tuple(field.values_by_text))
    return field.values_by_text.get(choice, field.usual)


def _set_value(stage: JsonObject, path: str, value: Any, *, usual: Any) -> None:
    """Set a value in a stage; a usual value is removed instead of stored."""
    outer, _, name = path.rpartition(".")
    target = stage[outer] if outer else stage
    if target.get(name, usual) == value:
        return
    if value == usual:
        del target[name]
    else:
        target[name] = value


def _get_stage_data(stage: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the field values of a stage."""
    key = stage["format"]
    form_data = {"format": [key]}
    for field in (*list_player_fields(stage.get("takes", QUALIFICATION.usual)), *FORMAT_FIELDS.get(key, ())):
        outer, _, name = field.name.rpartition(".")
        value = (stage.get(outer) or {} if outer else stage).get(name, field.usual)
        values = value if field.is_several else [value]
        form_data[field.name] = [_get_field_text(field, item) for item in values]
    return form_data


def _get_field_text(field: StageField, value: Any) -> str:
    return next((text for text, option in field.values_by_text.items() if option == value), _to_text(value))


def _to_text(value: Any) -> str:
    return "" if value is None else str(value)


def _read_number(form: FormReader, name: str, max_value: int) -> int | None:
    number = form.read_number(name)
    if number is not None and number > max_value:
        form.refuse(Refusal("number_too_large", field=name, value=number, most=max_value))
        return None
    return number


class AnnouncementForm(Form):
    """The event details that ``Announcement`` has, except a cancellation."""

    last_day = DayField(_("Last day"), help_text=_("Leave empty for a one-day event."))
    starts_at = HourField(_("Start time"))
    ends_at = HourField(_("End time"))
    place = TextField(_("Place"), help_text=_("For example, Church hall"))
    address = TextField(_("Address"), help_text=_("Street and town"))
    about = AreaField(_("Description"), rows=4)
    prizes = AreaField(_("Prizes"), rows=2)
    bring = AreaField(_("Please bring"), rows=2)
    contact = TextField(_("Contact person"), help_text=_("A name, phone or e-mail. Shown publicly."))
    sign_up_until = DayField(_("Sign-up deadline"), help_text=_("Public sign-up closes after this day."))
