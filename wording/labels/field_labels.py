"""Labels of model fields, and the format of their values, as the models declare them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import BooleanField, DateField, DateTimeField, Field, Model, TimeField
from django.utils.functional import Promise
from django.utils.translation import gettext

from clubs.audit.diff import Names
from clubs.name_formats import format_yes_no
from clubs.services.changes import ClubChange
from tournaments.history.services.changes import Change
from versioning import FieldFacts, get_facts
from wording.labels import audit_values as values
from wording.labels.audit_values import ValueFormatter
from wording.lookups import build_lookup


@dataclass(frozen=True, slots=True)
class FieldLabel:
    """The label of a field, and how its values are shown: by a formatter, or by the name of the row of the kind
    ``target`` that they point to."""

    label: str | Promise
    formatter: ValueFormatter = str
    target: str = ""

    def format(self, value: Any, names: Names) -> str:
        """Describe a value, which is not None; ``names`` are those of the rows that values point to."""
        if self.target:
            return names.get(self.target, {}).get(value) or gettext("no longer listed")
        return self.formatter(value)


Fields = Mapping[str, FieldLabel]

FORMATTERS_BY_CLASS: Mapping[type["Field[Any, Any]"], ValueFormatter] = {
    BooleanField: format_yes_no,
    DateTimeField: values.format_moment_value,
    DateField: values.format_day_value,
    TimeField: values.format_hour_value,
}


@cache
def get_field_labels(model: type[Model]) -> Fields:
    """Return the labels of the fields that the history shows, by column."""
    facts_by_name = get_facts(model)
    return {
        field.attname: _build_label(field, facts)
        for field in model._meta.concrete_fields
        if (facts := facts_by_name.get(field.name)) and facts.label and facts.in_history
    }


def get_row_labels(kind: str) -> Fields:
    """Return the labels of a kind of row in the history of a club or an event."""
    return get_field_labels({**ClubChange.KINDS, **Change.KINDS}[kind])


def _build_label(field: "Field[Any, Any]", facts: FieldFacts) -> FieldLabel:
    if facts.shown_as:
        return FieldLabel(facts.label, values.FORMATTERS[facts.shown_as])
    if isinstance(field.related_model, type):
        return FieldLabel(facts.label, target=str(field.related_model._meta.model_name))
    if field.choices:
        return FieldLabel(facts.label, build_lookup(dict(field.flatchoices)))
    return FieldLabel(facts.label, FORMATTERS_BY_CLASS.get(type(field), str))
