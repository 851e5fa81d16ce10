"""Every field of a person is imported, exported, merged and erased."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db.models import BooleanField, CharField, DateField, DateTimeField, Field, ForeignKey, JSONField

from clubs.exports import build_people_table
from clubs.models import Club, Family, Person
from clubs.people_import import COLUMNS, ListedPerson
from clubs.services.people import PersonDetails
from tests.builders import build_club, import_people
from tournaments.entries.services.merging import merge_people
from tournaments.privacy.services.erasure import anonymize_people

pytestmark = pytest.mark.django_db

INTERNAL_FIELDS = {"id", "club", "folded_name", "merged_ids", "added_at", "anonymized_at"}
"""Fields that the program sets."""
FIELDS_NOT_ENTERED = {"kept_until": "a decision of its own, with its line in the history: the page of privacy"}
FIELDS_NOT_LISTED = {
    "is_active": "a list is of those who play",
    "shows_full_name": "a consent, which a list does not give",
    "is_hidden": "a wish of one person",
    "is_rated": "a wish of one person",
    "kept_until": "a decision about one person",
}
FIELDS_NOT_MERGED = {
    "name": "whoever merges chooses the name that stays",
    "shows_full_name": "a consent is given under one's own name",
    "is_rated": "the word of the one who stays",
    "kept_until": "the decision about the one who stays",
    "is_guest": "a member stays one",
    "is_active": "whoever still comes under one of the names still comes",
}
FIELDS_NOT_ERASED = {"is_guest": "says nothing of who it was; the numbers of members stay right"}
"""Fields that remain when a person is erased."""

NAMES = {"family": "Roy", "name": "Colette Roy"}


def list_person_fields() -> list[Field[Any, Any]]:
    return [field for field in Person._meta.concrete_fields if field.name not in INTERNAL_FIELDS]


def build_value(field: Field[Any, Any], club: Club) -> Any:
    """Return a value other than the default, in the form that the field stores."""
    if isinstance(field, BooleanField):
        return not field.get_default()
    if isinstance(field, ForeignKey):
        return Family.objects.get_or_create(club=club, name=NAMES["family"])[0]
    if isinstance(field, JSONField):
        return ["Elite"]
    if isinstance(field, DateTimeField):
        return datetime(2031, 11, 17, 19, tzinfo=UTC)
    if isinstance(field, DateField):
        return date(2031, 11, 17)
    assert isinstance(field, CharField), f"tests/architecture: what may {field.name} hold?"
    return NAMES.get(field.name, "555-0101")


def create_person(club: Club) -> Person:
    """Create a person with a value in every field."""
    field_values = {field.name: build_value(field, club) for field in list_person_fields()}
    return Person.objects.create(club=club, folded_name="colette roy", **field_values)


def list_field_names(*left_out: dict[str, str]) -> set[str]:
    return {field.name for field in list_person_fields()} - {name for each in left_out for name in each}


def get_list_name(name: str) -> str:
    """Return the field's name in lists, for example ``guest`` for ``is_guest``."""
    return name.removeprefix("is_")


@pytest.mark.slow
def test_every_person_field_can_be_entered_or_is_excluded() -> None:
    assert {field.name for field in fields(PersonDetails)} == list_field_names(FIELDS_NOT_ENTERED), (
        "give it a place: PersonDetails and _check_details in clubs/services/people.py, PersonForm "
        "in clubs/views/people.py, a field in templates/clubs/people/person.html; or say here why not"
    )


def test_every_person_field_is_imported_or_is_excluded() -> None:
    read = {field.name for field in fields(ListedPerson)} - {"line", "is_second"}
    assert read == list_field_names(FIELDS_NOT_LISTED), (
        "read it: ListedPerson, COLUMNS and _parse_person in clubs/people_import.py; or say here why not"
    )
    assert {get_list_name(name) for name in read} <= COLUMNS.keys(), "say what people call its column: COLUMNS"


def test_imported_values_are_stored() -> None:
    club = build_club()
    listed = {
        field.name: build_value(field, club)
        for field in list_person_fields()
        if field.name in list_field_names(FIELDS_NOT_LISTED)
    }
    cells = {COLUMNS[get_list_name(name)][0]: _format_cell(value) for name, value in listed.items()}
    import_people(club_id=club.pk, text=f"{';'.join(cells)}\n{';'.join(cells.values())}")
    person = club.people.get()
    assert {name: getattr(person, name) for name in listed} == listed, (
        "keep it: _add_people in clubs/services/people_import.py"
    )


def _format_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)


def test_every_imported_field_is_exported_under_its_heading() -> None:
    columns = {column.key for column in build_people_table(Club(), ()).columns}
    assert columns == {get_list_name(name) for name in list_field_names(FIELDS_NOT_LISTED)}, (
        "give it a column: build_people_table in clubs/exports.py, its heading in wording/labels/exports.py"
    )


@pytest.mark.slow
def test_erasure_leaves_no_personal_value() -> None:
    club = build_club()
    person = create_person(club)
    before = {name: getattr(person, name) for name in list_field_names()}
    (person,) = anonymize_people(club_id=club.pk, person_ids=[person.pk])
    remaining_fields = {name for name, value in before.items() if value and getattr(person, name) == value}
    assert remaining_fields == FIELDS_NOT_ERASED.keys(), (
        "give it its value after erasure: FACTS of Person in clubs/models/people.py; or say here why it stays"
    )


def test_merge_keeps_values_that_only_one_person_had() -> None:
    club = build_club()
    merged = create_person(club)
    target = Person.objects.create(club=club, name="Colette Roy", folded_name="colette roy", is_active=False)
    found = merge_people(club_id=club.pk, target_id=target.pk, source_id=merged.pk)
    assert found is not None
    lost = {name for name in list_field_names() if getattr(found, name) != getattr(merged, name)}
    assert lost - FIELDS_NOT_MERGED.keys() == set(), (
        "merge it: FACTS of Person in clubs/models/people.py; or say here why not"
    )
