"""Text columns, by what their models say about them."""

from dataclasses import dataclass

from django.apps import apps
from django.db.models import ForeignKey, Model

from clubs.models import Club
from scoring.models import Terms
from versioning import Text, get_facts


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalColumn:
    """A column of text or JSON. ``club`` is the path from its row to the club; "" if rows belong to no
    club."""

    model: type[Model]
    name: str
    club: str


def list_columns(text: Text) -> list[PersonalColumn]:
    """List the columns that hold this kind of text."""
    return [
        PersonalColumn(model=model, name=name, club=_find_club_path(model))
        for model in apps.get_models()
        for name, facts in get_facts(model).items()
        if facts.text is text
    ]


def _find_club_path(model: type[Model]) -> str:
    """Return the path from a row to its club, by required foreign keys in the order of the model."""
    if model in (Club, Terms):
        return "pk" if model is Club else "events__club"
    keys = [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey) and not field.null]
    for key in keys:
        if key.related_model is Club:
            return key.name
    return next((f"{key.name}__{path}" for key in keys if (path := _find_club_path(key.related_model))), "")
