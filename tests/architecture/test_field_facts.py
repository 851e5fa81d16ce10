"""Each model declares the facts about its fields that the history, exports and erasure need."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db.models import CharField, Field, JSONField, Model, TextField

from clubs.services.changes import ClubChange
from operations.data_dir import PROJECT
from tournaments.history.services.changes import Change
from versioning import get_facts

MODELS = [model for model in apps.get_models() if (PROJECT / model.__module__.partition(".")[0]).is_dir()]
RECORDED = {*ClubChange.KINDS.values(), *Change.KINDS.values()}


def list_text_fields(model: type[Model]) -> set[str]:
    """Return the fields with text or JSON, except those with fixed choices."""
    return {field.name for field in model._meta.concrete_fields if is_text(field)}


def is_text(field: Field[Any, Any]) -> bool:
    return isinstance(field, CharField | TextField | JSONField) and not field.choices


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
class TestFieldFacts:
    def test_every_text_field_says_what_it_says_about_players(self, model: type[Model]) -> None:
        declared = {name for name, facts in get_facts(model).items() if facts.text is not None}
        assert list_text_fields(model) - declared == set(), "add it to FACTS of the model: TYPED, TITLE or CODE"

    def test_every_recorded_field_has_a_label_or_is_internal(self, model: type[Model]) -> None:
        recorded = {field.name for field in model._meta.concrete_fields if not field.primary_key}
        missing = recorded - get_facts(model).keys() if model in RECORDED else set()
        assert missing == set(), "add it to FACTS of the model: FieldFacts with its label, or INTERNAL"

    def test_facts_are_about_fields_of_the_model(self, model: type[Model]) -> None:
        assert get_facts(model).keys() <= {field.name for field in model._meta.concrete_fields}
