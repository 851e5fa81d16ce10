"""Facts about the fields of a model, declared once, in its ``FACTS``."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from django.db.models import Field, Model
from django.utils.functional import Promise


class Text(Enum):
    """The people named in a column of text or JSON, and so what erasure does to it."""

    CODE = "numbers, codes, fixed words, accounts, or data made anew, such as handovers: it stays"
    TYPED = "what people typed, or what is about them: names are removed"
    TITLE = "a title that the club chose, perhaps in honour of a person: shown, and left to the club"
    OWN_NAME = "the person's own name: replaced in their row"


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """The facts about a field.

    ``label`` names it in the history and in exports; "" if neither shows it. ``shown_as`` is the format of its
    values, if its kind does not tell (``wording.labels.audit_values``). ``text`` is for columns of text or JSON
    without choices. A field that the history does not show may be recorded all the same, for undo. Fields that
    ``names_row`` make the title of a row in the history; without them, its ``name`` does.
    """

    label: str | Promise = ""
    shown_as: str = ""
    text: Text | None = None
    in_history: bool = True
    is_recorded: bool = True
    names_row: bool = False


INTERNAL = FieldFacts()
CODE, TYPED, TITLE = FieldFacts(text=Text.CODE), FieldFacts(text=Text.TYPED), FieldFacts(text=Text.TITLE)
UNRECORDED = FieldFacts(text=Text.CODE, is_recorded=False)

_Facts = TypeVar("_Facts", bound=FieldFacts)


def declare_facts(shared: Mapping[_Facts, str] = MappingProxyType({}), /, **facts: _Facts) -> dict[str, _Facts]:
    """Return the facts by field; ``shared`` has those of several fields, with the names of these."""
    return {**facts, **{name: each for each, names in shared.items() for name in names.split()}}


def get_facts(model: type[Model]) -> Mapping[str, FieldFacts]:
    """Return the facts by the name of the field; none for the models of other libraries."""
    return getattr(model, "FACTS", {})


@cache
def list_recorded_fields(model: type[Model]) -> tuple["Field[Any, Any]", ...]:
    """Return the fields that the history records, in the order of the model."""
    facts, fields = get_facts(model), model._meta.concrete_fields
    return tuple(field for field in fields if not field.primary_key and facts.get(field.name, INTERNAL).is_recorded)


@cache
def list_naming_columns(model: type[Model]) -> tuple[str, ...]:
    """Return the columns that name a row in the history."""
    columns = {field.name: field.attname for field in model._meta.concrete_fields}
    names = [name for name, facts in get_facts(model).items() if facts.names_row]
    return tuple(columns[name] for name in names or {"name"} & columns.keys())
