"""Stored JSON has a version number, and later versions of the program read earlier ones."""

import json
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import ClubAction, Person
from clubs.services.people import PersonDetails, add_person, change_person
from clubs.services.undo import undo_club_action
from errors import Refusal
from rules import CANADIAN, RULESETS, ruleset_to_json
from scoring.models import Match, Terms
from tests.builders import build_club, build_running_night, mark, matches_of
from versioning import Form, VersionedJSONField, build_value_filter
from wording.sentences import get_sentence

pytestmark = pytest.mark.postgresql("JSON lookups")

NAMES = st.sampled_from(["version", "value", "rank"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner),
    max_leaves=5,
)


def rename_field(value: dict[str, Any]) -> dict[str, Any]:
    return {"points": value["score"]}


def double_points(value: dict[str, Any]) -> dict[str, Any]:
    return {"points": value["points"] * 2}


SCORE = Form((rename_field, double_points))


def place_of(row: models.Model, name: str) -> tuple[str, str | None]:
    return row._meta.db_table, next(field.column for field in row._meta.concrete_fields if field.name == name)


def read_raw_value(row: models.Model, name: str) -> Any:
    """Return the JSON value as stored in the database, before any upgrade."""
    table, column = place_of(row, name)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT CAST({column} AS text) FROM {table} WHERE id = %s", [row.pk])
        return json.loads(cursor.fetchone()[0])


def write_raw(row: models.Model, name: str, value: Any) -> None:
    table, column = place_of(row, name)
    kind = "jsonb" if connection.vendor == "postgresql" else "text"
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET {column} = CAST(%s AS {kind}) WHERE id = %s",
            [json.dumps(value), row.pk],
        )


class TestVersionedFormat:
    def test_older_versions_are_upgraded_step_by_step_on_read(self) -> None:
        assert SCORE.from_stored({"score": 16}) == {"points": 32}
        assert SCORE.from_stored({"version": 1, "points": 16}) == {"points": 32}
        assert SCORE.from_stored({"version": 2, "points": 32}) == {"points": 32}

    def test_unknown_newer_version_is_refused(self) -> None:
        with pytest.raises(Refusal) as refused:
            SCORE.from_stored({"version": 3, "points": 32})
        assert refused.value.code == "stored_by_newer_program"
        assert "a newer Charlemagne" in get_sentence(refused.value)

    @pytest.mark.parametrize("nothing", [None, [], {}])
    def test_empty_value_is_stored_unversioned(self, nothing: Any) -> None:
        assert SCORE.to_stored(nothing) == nothing == SCORE.from_stored(nothing)

    def test_stored_versions_include_the_unversioned_original(self) -> None:
        stored = SCORE.list_stored_versions([7])
        assert stored == [[7], {"version": 1, "value": [7]}, {"version": 2, "value": [7]}]

    @given(json_values)
    def test_stored_value_survives_a_round_trip(self, value: Any) -> None:
        assert Form().from_stored(json.loads(json.dumps(Form().to_stored(value)))) == value


def test_every_json_column_is_versioned() -> None:
    columns = [
        field
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.JSONField)
    ]
    assert len(columns) > 40
    assert [str(field) for field in columns if not isinstance(field, VersionedJSONField)] == []


@pytest.mark.django_db
class TestVersionedColumn:
    def test_version_is_stored_in_the_database_only(self) -> None:
        event = build_running_night(4)
        match = matches_of(event)[0]
        mark(match, "A 6 7")
        assert read_raw_value(event.terms, "ruleset_data") == {"version": 1, **ruleset_to_json(CANADIAN)}
        assert read_raw_value(event, "stages") == {"version": 1, "value": [{"format": "random"}]}
        assert read_raw_value(match, "summary")["version"] == 1
        assert "version" not in Match.objects.get(pk=match.pk).summary

    def test_bulk_writes_store_the_version(self) -> None:
        club = build_club()
        people = [Person(club=club, name=name, labels=["Women"]) for name in ("Agathe", "Cécile")]
        Person.objects.bulk_create(people)
        people[0].labels = ["Juniors"]
        Person.objects.bulk_update(people, ["labels"])
        assert [read_raw_value(person, "labels") for person in people] == [
            {"version": 1, "value": ["Juniors"]},
            {"version": 1, "value": ["Women"]},
        ]
        Person.objects.update(labels=["Guests"])
        assert read_raw_value(people[0], "labels") == {"version": 1, "value": ["Guests"]}

    @pytest.mark.parametrize("stored", [["Women", "Guests"], {"version": 1, "value": ["Women", "Guests"]}])
    def test_list_index_lookup_works_with_every_stored_version(self, stored: Any) -> None:
        (person,) = Person.objects.bulk_create([Person(club=build_club(), name="Agathe")])
        write_raw(person, "labels", stored)
        assert Person.objects.values_list("labels__0", "labels__1", "labels__2").get() == (
            "Women",
            "Guests",
            None,
        )
        assert Person.objects.filter(labels__1="Guests").get() == person
        assert not Person.objects.filter(labels__1="Women").exists()

    @pytest.mark.parametrize("stored", [[{"rank": [4, 5]}], {"version": 1, "value": [{"rank": [4, 5]}]}])
    def test_nested_lookup_works_with_every_stored_version(self, stored: Any) -> None:
        (person,) = Person.objects.bulk_create([Person(club=build_club(), name="Agathe")])
        write_raw(person, "labels", stored)
        lookups = ("labels__0", "labels__0__rank", "labels__0__rank__1")
        assert Person.objects.values_list(*lookups).get() == ({"rank": [4, 5]}, [4, 5], 5)

    def test_value_filter_matches_every_stored_version(self) -> None:
        (person,) = Person.objects.bulk_create([Person(club=build_club(), name="Agathe")])
        for stored in (["Women"], {"version": 1, "value": ["Women"]}):
            write_raw(person, "labels", stored)
            assert Person.objects.filter(build_value_filter(Person, "labels", ["Women"])).exists()
            assert not Person.objects.filter(build_value_filter(Person, "labels", ["Guests"])).exists()

    def test_row_from_a_newer_program_is_refused(self) -> None:
        event = build_running_night(4)
        write_raw(event.terms, "ruleset_data", {"version": 99, **ruleset_to_json(CANADIAN)})
        with pytest.raises(Refusal, match="stored_by_newer_program"):
            Terms.objects.get(pk=event.terms.pk)

    @pytest.mark.slow
    @pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
    def test_first_version_of_a_ruleset_still_reads(self, ruleset: Any) -> None:
        terms = build_running_night(4, ruleset=ruleset).terms
        write_raw(terms, "ruleset_data", convert_to_first_version(ruleset_to_json(ruleset)))
        assert Terms.objects.get(pk=terms.pk).ruleset == ruleset


def convert_to_first_version(stored_value: dict[str, Any]) -> dict[str, Any]:
    """Return the value in its first stored form, which had only the rules that count points."""
    later = ("trump_order", "first_dealer", "batch", "kitty_after", "names_trump_in_bid")
    first = {name: value for name, value in stored_value.items() if name not in later}
    first["contracts"] = [
        {name: value for name, value in contract.items() if name not in ("is_alone", "open_after")}
        | {"trump": contract["trump"].removeprefix("forced_")}
        for contract in stored_value["contracts"]
    ]
    return first | {"cards": 34 if "X1" in stored_value["trump_order"] else 32}


@pytest.mark.django_db
class TestVersionedHistory:
    @pytest.fixture
    def labelled(self) -> Person:
        club = build_club()
        person = add_person(club_id=club.pk, details=PersonDetails(name="Agathe Caron", labels=("Women",)))
        details = PersonDetails(name="Agathe Caron", labels=("Juniors",))
        return change_person(club_id=club.pk, person_id=person.pk, details=details)

    def test_history_rows_store_value_versions(self, labelled: Person) -> None:
        ((_, _, before, after),) = ClubAction.objects.latest("pk").rows
        assert before["labels"] == {"version": 1, "value": ["Women"]}
        assert after["labels"] == {"version": 1, "value": ["Juniors"]}

    def test_change_stored_by_an_older_program_can_be_undone(self, labelled: Person) -> None:
        action = ClubAction.objects.latest("pk")
        row_changes = [["person", labelled.pk, {"labels": ["Women"]}, {"labels": ["Juniors"]}]]
        write_raw(action, "rows", row_changes)
        undo_club_action(club_id=labelled.club_id, action_id=action.pk)
        labelled.refresh_from_db()
        assert labelled.labels == ["Women"]
