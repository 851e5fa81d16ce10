"""Labels of model fields, and the format of their values, as the models declare them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import BooleanField, DateField, DateTimeField, Field, Model, TimeField
from django.utils.functional import Promise

from clubs.services.changes import ClubChange
from tournaments.history.services.changes import Change
from versioning import FieldFacts, get_facts

from . import audit_values as values
from .audit_values import ValueFormatter


@dataclass(frozen=True, slots=True)
class FieldLabel:
    label: str | Promise
    format: ValueFormatter = values.format_text_value


Fields = Mapping[str, FieldLabel]

FORMATTERS_BY_CLASS: Mapping[type["Field[Any, Any]"], ValueFormatter] = {
    BooleanField: values.format_boolean_value,
    DateTimeField: values.format_moment_value,
    DateField: values.format_day_value,
    TimeField: values.format_hour_value,
}


@cache
def get_field_labels(model: type[Model]) -> Fields:
    """Return the labels of the fields that the history shows, by column."""
    facts_by_name = get_facts(model)
    return {
        field.attname: FieldLabel(facts.label, _get_formatter(field, facts))
        for field in model._meta.concrete_fields
        if (facts := facts_by_name.get(field.name)) and facts.label and facts.in_history
    }


def get_row_labels(kind: str) -> Fields:
    """Return the labels of a kind of row in the history of a club or an event."""
    return get_field_labels({**ClubChange.KINDS, **Change.KINDS}[kind])


def _get_formatter(field: "Field[Any, Any]", facts: FieldFacts) -> ValueFormatter:
    if facts.shown_as:
        return values.FORMATTERS[facts.shown_as]
    if isinstance(field.related_model, type):
        return values.build_name_formatter(str(field.related_model._meta.model_name))
    if field.choices:
        return values.build_choice_formatter(dict(field.flatchoices))
    return FORMATTERS_BY_CLASS.get(type(field), values.format_text_value)
