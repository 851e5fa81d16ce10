"""Every field of a person is imported, exported, merged and erased."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db.models import BooleanField, CharField, DateField, DateTimeField, Field, ForeignKey, JSONField

from clubs.exports import people_table
from clubs.models import Club, Family, Person
from clubs.people_import import COLUMNS, ListedPerson
from clubs.services import PersonDetails, import_people
from tests.builders import a_club
from tournaments.entries.services.merging import merge_people
from tournaments.privacy.services.erasure import anonymize_people

pytestmark = pytest.mark.django_db

OF_THE_PROGRAM = {"id", "club", "folded_name", "merged_ids", "added_at", "anonymized_at"}
"""What nobody types: it follows from what was done."""
NOT_TYPED = {"kept_until": "a decision of its own, with its line in the history: the page of privacy"}
NOT_IN_LISTS = {
    "is_active": "a list is of those who play",
    "shows_full_name": "a consent, which a list does not give",
    "is_hidden": "a wish of one person",
    "is_rated": "a wish of one person",
    "kept_until": "a decision about one person",
}
NOT_MERGED = {
    "name": "whoever merges chooses the name that stays",
    "shows_full_name": "a consent is given under one's own name",
    "is_rated": "the word of the one who stays",
    "kept_until": "the decision about the one who stays",
    "is_guest": "a member stays one",
    "is_active": "whoever still comes under one of the names still comes",
}
NOT_FORGOTTEN = {"is_guest": "says nothing of who it was; the numbers of members stay right"}
"""Fields that stay as they are when a person is forgotten."""

NAMES = {"family": "Roy", "name": "Colette Roy"}


def fields_of_a_person() -> list[Field[Any, Any]]:
    return [field for field in Person._meta.concrete_fields if field.name not in OF_THE_PROGRAM]


def told(field: Field[Any, Any], club: Club) -> Any:
    """A value that says something, as it is kept."""
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


def somebody(club: Club) -> Person:
    """Of whom everything is said."""
    said = {field.name: told(field, club) for field in fields_of_a_person()}
    return Person.objects.create(club=club, folded_name="colette roy", **said)


def names(*left_out: dict[str, str]) -> set[str]:
    return {field.name for field in fields_of_a_person()} - {name for each in left_out for name in each}


def as_listed(name: str) -> str:
    """Return what lists call a field: ``guest``."""
    return name.removeprefix("is_")


def test_every_field_is_typed_at_the_page_of_a_person_or_said_not_to_be() -> None:
    assert {field.name for field in fields(PersonDetails)} == names(NOT_TYPED), (
        "give it a place: PersonDetails and _checked in clubs/services/people.py, _details, _kept and _typed "
        "in clubs/views/people/one.py, a field in templates/clubs/people/person.html; or say here why not"
    )


def test_every_field_is_read_from_lists_or_said_not_to_be() -> None:
    read = {field.name for field in fields(ListedPerson)} - {"line", "is_second"}
    assert read == names(NOT_IN_LISTS), (
        "read it: ListedPerson, COLUMNS and _person in clubs/people_import.py; or say here why not"
    )
    assert {as_listed(name) for name in read} <= COLUMNS.keys(), "say what people call its column: COLUMNS"


def test_what_a_list_says_is_kept() -> None:
    club = a_club()
    listed = {
        field.name: told(field, club) for field in fields_of_a_person() if field.name in names(NOT_IN_LISTS)
    }
    said = {COLUMNS[as_listed(name)][0]: _in_a_cell(value) for name, value in listed.items()}
    import_people(club_id=club.pk, text=f"{';'.join(said)}\n{';'.join(said.values())}")
    person = club.people.get()
    assert {name: getattr(person, name) for name in listed} == listed, (
        "keep it: _add_people in clubs/services/people_import.py"
    )


def _in_a_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)


def test_every_field_goes_out_under_the_heading_by_which_it_is_read() -> None:
    columns = {column.key for column in people_table(Club(), ()).columns}
    assert columns == {as_listed(name) for name in names(NOT_IN_LISTS)}, (
        "give it a column: people_table in clubs/exports.py, its heading in wording/labels/exports.py"
    )


@pytest.mark.slow
def test_nothing_that_was_said_is_left_of_a_person_who_was_forgotten() -> None:
    club = a_club()
    person = somebody(club)
    before = {name: getattr(person, name) for name in names()}
    (person,) = anonymize_people(club_id=club.pk, person_ids=[person.pk])
    kept = {name for name, value in before.items() if value and getattr(person, name) == value}
    assert kept == NOT_FORGOTTEN.keys(), (
        "take it out: _write_neutral in tournaments/privacy/services/erasure.py; or say here why it stays"
    )


def test_what_only_one_of_two_said_is_kept_when_they_are_merged() -> None:
    club = a_club()
    merged = somebody(club)
    kept = Person.objects.create(club=club, name="Colette Roy", folded_name="colette roy", is_active=False)
    found = merge_people(club_id=club.pk, kept_id=kept.pk, merged_id=merged.pk)
    assert found is not None
    lost = {name for name in names() if getattr(found, name) != getattr(merged, name)}
    assert lost - NOT_MERGED.keys() == set(), (
        "take it over: _of_both in tournaments/entries/services/merging.py; or say here why not"
    )
