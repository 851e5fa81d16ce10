"""A person is forgotten: no table keeps the name, whatever was played stays, and nothing brings it back."""

import datetime
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import CharField, JSONField, TextField

from clubs.models import ClubAction, Person
from clubs.name_erasure import ErasedNames
from clubs.services import (
    PersonDetails,
    add_person,
    change_person,
    correct_name,
    find_or_add_people,
    undo_club_action,
)
from errors import Refusal
from tests.builders import a_club, a_running_night, an_account, code_of, refusal_of, standings_after
from tests.support.rich_club import CALLED, CONTACT, FAMILY, MARRIED, NAME, a_rich_club
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry, PersonRecord, Season, Standings
from tournaments.privacy.erasure import CLOSED, SEARCHED, TITLES, titles_with
from tournaments.privacy.services.erasure import anonymize_people

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("when somebody played last is asked within a question"),
]


def forget(*people: Person) -> list[Person]:
    return anonymize_people(club_id=people[0].club_id, person_ids=[person.pk for person in people])


def text_columns() -> Iterator[tuple[str, str]]:
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, CharField | TextField | JSONField):
                yield model._meta.label, field.name


def every_text() -> Iterator[tuple[str, str]]:
    """Yield whatever text any table of the database holds, as the database has it, and where."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(columns, row, strict=True):
                    if isinstance(value, str):
                        yield (
                            f"{table}.{name}",
                            value.encode().decode("unicode_escape") if "\\u" in value else value,
                        )


def where_it_stands(*names: str) -> set[str]:
    """The columns in which any of the names can be found, however it is written."""
    known = ErasedNames(dict.fromkeys(names, "***"))
    return {where for where, text in every_text() if known.in_text(text) != text}


@pytest.mark.parametrize("name", ["Lætitia Cœur", "Laetitia Coeur"])
@pytest.mark.parametrize("text", ["À LÆTITIA COEUR", "À laetitia cœur", "À Cœur, Laëtitia"])
def test_a_name_is_taken_out_with_its_ligatures_and_without_them(name: str, text: str) -> None:
    assert ErasedNames({name: "Anonyme 3"}).in_text(text) == "À Anonyme 3"


@pytest.mark.slow
class TestAfterwards:
    def test_the_name_was_everywhere_and_is_nowhere(self) -> None:
        rich = a_rich_club()
        before = where_it_stands(*CALLED)
        assert len(before) > 20
        forget(rich.person)
        assert where_it_stands(*CALLED) == set()
        assert {where for where, text in every_text() if CONTACT in text or FAMILY in text} == set()

    def test_results_standings_seasons_and_records_are_as_they_were(self) -> None:
        rich = a_rich_club()

        def played() -> list[object]:
            kinds = (Standings.objects.values("rows", "charts"), Season.objects.values("rows", "scores"))
            records = PersonRecord.objects.values("person", "rating", "record")
            entries = Entry.objects.values("pk", "number", "player_1", "player_2")
            return [list(each.order_by("pk")) for each in (*kinds, records, entries)]

        before = played()
        forget(rich.person)
        assert played() == before
        assert standings_after(rich.night) == Standings.objects.get(event=rich.night).rows

    def test_the_person_has_a_number_and_nothing_else(self) -> None:
        rich = a_rich_club()
        (person,) = forget(rich.person)
        person.refresh_from_db()
        assert person.name == "Anonymous 1"
        assert (person.contact, person.labels, person.family, person.kept_until) == ("", [], None, None)
        assert {person.shows_full_name, person.is_active, person.is_rated, person.is_hidden} == {False}
        assert person.name_in_public(rich.club) == "Anonymous 1"

    def test_the_history_has_a_line_without_the_name_and_nothing_to_undo(self) -> None:
        rich = a_rich_club()
        forget(rich.person)
        action = rich.club.actions.latest("pk")
        assert (action.kind, action.details["name"], action.rows) == ("anonymize_person", "Anonymous 1", [])
        assert code_of(undo_club_action, club_id=rich.club.pk, action_id=action.pk) == "cannot_be_undone"

    def test_no_undo_of_any_line_brings_the_name_back(self) -> None:
        rich = a_rich_club()
        forget(rich.person)
        for action in ClubAction.objects.order_by("-pk"):
            try:
                undo_club_action(club_id=rich.club.pk, action_id=action.pk)
            except Refusal:
                continue
        for change in Action.objects.order_by("-pk"):
            try:
                undo_action(event_id=change.event_id, action_id=change.pk)
            except Refusal:
                continue
        assert where_it_stands(*CALLED) == set()

    def test_others_of_the_same_import_can_still_be_taken_back(self) -> None:
        rich = a_rich_club()
        forget(rich.person)
        imported = rich.club.actions.get(kind="import_people")
        assert [row[3]["name"] for row in imported.rows] == ["Marcel Cyr", "Lise Roy"]

    def test_somebody_else_of_the_same_name_keeps_theirs(self) -> None:
        rich = a_rich_club()
        other = Person.objects.create(club=rich.club, name=NAME, folded_name="helene berube-cote")
        details = PersonDetails(name=NAME, contact="555")
        change_person(club_id=rich.club.pk, person_id=other.pk, details=details)
        forget(rich.person)
        other.refresh_from_db()
        assert other.name == NAME
        line = rich.club.actions.get(kind="change_person", details__person=other.pk)
        assert line.details["name"] == NAME
        undo_club_action(club_id=rich.club.pk, action_id=line.pk)

    def test_somebody_of_a_longer_name_keeps_theirs_in_whatever_was_done_to_them(self) -> None:
        club = a_club()
        short = add_person(club_id=club.pk, details=PersonDetails(name="Anne Roy"))
        longer = add_person(club_id=club.pk, details=PersonDetails(name="Marie-Anne Roy Dubé"))
        forget(short)
        (line,) = club.actions.filter(kind="add_person", details__person=longer.pk)
        assert line.details["name"] == "Marie-Anne Roy Dubé"

    def test_each_of_two_of_one_name_has_their_own_number_in_whatever_was_done_to_them(self) -> None:
        club = a_club()
        pairs = []
        for other in ("Marcel Cyr", "Lise Roy"):
            kept, merged = (
                add_person(club_id=club.pk, details=PersonDetails(name=name), is_namesake=True)
                for name in (NAME, other)
            )
            merge_people(club_id=club.pk, kept_id=kept.pk, merged_id=merged.pk)
            pairs.append(kept)
        correct_name(club_id=club.pk, person_id=pairs[1].pk, name=MARRIED)
        for person in forget(*pairs):
            told = club.actions.filter(details__person=person.pk).values_list("details", flat=True)
            said = {text for details in told for text in details.values() if isinstance(text, str)}
            assert said == {person.name}

    def test_whoever_signs_in_by_that_name_stays_in_the_history_of_the_team(self) -> None:
        rich = a_rich_club()
        an_account(NAME)
        forget(rich.person)
        assert where_it_stands(*CALLED) == {
            "clubs_account.name",
            "clubs_account.folded_name",
            "clubs_clubaction.details",
            "scoring_dispute.device",
        }

    def test_a_name_of_one_word_is_taken_out_where_it_stands_alone_and_not_in_a_sentence(self) -> None:
        club = a_club()
        (person,) = find_or_add_people(club=club, full_names=["Rose"])
        invited = club.invitations.model
        assert invited is not None
        event = a_running_night(club=club)
        Action.objects.create(event=event, kind="sign_off", details={"names": "Rose"}, reason="Table rose")
        forget(person)
        said = Action.objects.latest("pk")
        assert (said.details, said.reason) == ({"names": "Anonymous 1"}, "Table rose")


class TestForgetting:
    @pytest.mark.slow
    def test_is_safe_to_repeat(self) -> None:
        rich = a_rich_club()
        forget(rich.person)
        forget(rich.person)
        assert rich.club.actions.filter(kind="anonymize_person").count() == 1

    def test_waits_until_an_evening_of_today_is_over(self) -> None:
        event = a_running_night()
        event.held_on = datetime.date(2999, 1, 1)
        event.save()
        person = event.entries.all()[0].player_1
        refusal = refusal_of(forget, person)
        assert (refusal.code, refusal.details["event"]) == ("still_taking_part", event.name)

    def test_takes_somebody_and_not_too_many_at_once(self) -> None:
        club = a_club()
        people = find_or_add_people(
            club=club, full_names=[f"Anne {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(41)]
        )
        assert code_of(anonymize_people, club_id=club.pk, person_ids=[]) == "nobody_chosen"
        assert code_of(forget, *people) == "too_many_at_once"
        assert code_of(anonymize_people, club_id=club.pk, person_ids=[0]) == "no_such_person"

    def test_leaves_what_the_club_called_in_their_honour_and_says_so(self) -> None:
        rich = a_rich_club()
        rich.night.name = f"Tournoi {NAME}"
        rich.night.save()
        assert titles_with(rich.club, NAME) == [f"Tournoi {NAME}"]

    def test_does_not_speak_of_what_the_club_called_after_somebody_else_with_a_longer_name(self) -> None:
        rich = a_rich_club()
        find_or_add_people(club=rich.club, full_names=[f"Marie-{NAME}"])
        rich.night.name = f"Coupe Marie-{NAME}"
        rich.night.save()
        assert titles_with(rich.club, NAME) == []

    @pytest.mark.slow
    def test_leaves_nothing_to_correct_or_to_merge(self) -> None:
        rich = a_rich_club()
        forget(rich.person)
        other = rich.club.people.get(name="Lise Roy")
        details = PersonDetails(name=NAME)
        code = "person_anonymized"
        assert code_of(change_person, club_id=rich.club.pk, person_id=rich.person.pk, details=details) == code
        merging = {"club_id": rich.club.pk, "kept_id": other.pk, "merged_id": rich.person.pk}
        assert code_of(merge_people, **merging) == code


def test_every_column_of_text_is_searched_or_said_to_hold_no_name() -> None:
    listed = [(column.table, column.name) for column in (*SEARCHED, *TITLES)]
    listed += [(table, name) for table, names in CLOSED.items() for name in names]
    assert sorted(listed) == sorted(text_columns())
