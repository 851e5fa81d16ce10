"""Erasure of a person: no table keeps the name, results stay, and nothing restores the name."""

import datetime
from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.models import Model

from clubs.models import Club, ClubAction, Person
from clubs.name_erasure import NameEraser
from clubs.services.people import PersonDetails, add_person, change_person, correct_name, find_or_add_people
from clubs.services.undo import undo_club_action
from errors import Refusal
from jobs.models import Job
from scoring.models import Mark
from tests.builders import (
    build_account,
    build_club,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
)
from tests.support.rich_club import ALL_NAMES, CONTACT, FAMILY, MARRIED_NAME, NAME, build_rich_club
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Entry, PersonRecord, Season, Standings
from tournaments.privacy.erasure.texts import find_titles, list_columns
from tournaments.privacy.services.erasure import anonymize_people
from versioning import Text

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("subqueries"),
]


def forget(*people: Person) -> list[Person]:
    return anonymize_people(club_id=people[0].club_id, person_ids=[person.pk for person in people])


def iter_texts() -> Iterator[tuple[str, str]]:
    """Yield every text value of the database with its table and column, JSON escapes decoded."""
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


def find_columns(*names: str) -> set[str]:
    """Return the columns that contain any of the names, in any spelling."""
    eraser = NameEraser(dict.fromkeys(names, "***"))
    return {where for where, text in iter_texts() if eraser.erase_in_text(text) != text}


@pytest.mark.parametrize("name", ["Lætitia Cœur", "Laetitia Coeur"])
@pytest.mark.parametrize("text", ["À LÆTITIA COEUR", "À laetitia cœur", "À Cœur, Laëtitia"])
def test_name_eraser_matches_ligatures_and_accents(name: str, text: str) -> None:
    assert NameEraser({name: "Anonyme 3"}).erase_in_text(text) == "À Anonyme 3"


@pytest.mark.slow
class TestErasedPerson:
    @pytest.mark.long
    def test_erased_name_is_in_no_column(self) -> None:
        rich = build_rich_club()
        before = find_columns(*ALL_NAMES)
        assert len(before) > 20
        forget(rich.person)
        assert find_columns(*ALL_NAMES) == set()
        assert {where for where, text in iter_texts() if CONTACT in text or FAMILY in text} == set()

    @pytest.mark.long
    def test_erasure_keeps_results_standings_and_records(self) -> None:
        rich = build_rich_club()

        def read_results() -> list[object]:
            kinds = (Standings.objects.values("rows", "charts"), Season.objects.values("rows", "scores"))
            records = PersonRecord.objects.values("person", "rating", "record")
            entries = Entry.objects.values("pk", "number", "player_1", "player_2")
            return [list(each.order_by("pk")) for each in (*kinds, records, entries)]

        before = read_results()
        forget(rich.person)
        assert read_results() == before
        assert compute_standings(rich.night) == Standings.objects.get(event=rich.night).rows

    @pytest.mark.long
    def test_erased_person_keeps_only_a_number(self) -> None:
        rich = build_rich_club()
        (person,) = forget(rich.person)
        person.refresh_from_db()
        assert person.name == "Anonymous 1"
        assert (person.contact, person.labels, person.family, person.kept_until) == ("", [], None, None)
        assert {person.shows_full_name, person.is_active, person.is_rated, person.is_hidden} == {False}
        assert person.get_public_name(rich.club) == "Anonymous 1"

    @pytest.mark.long
    def test_erasure_is_logged_without_the_name_or_undo(self) -> None:
        rich = build_rich_club()
        forget(rich.person)
        action = rich.club.actions.latest("pk")
        assert (action.kind, action.details["name"], action.rows) == ("anonymize_person", "Anonymous 1", [])
        assert get_refusal_code(undo_club_action, club_id=rich.club.pk, action_id=action.pk) == "cannot_be_undone"

    @pytest.mark.long
    def test_undo_never_restores_an_erased_name(self) -> None:
        rich = build_rich_club()
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
        assert find_columns(*ALL_NAMES) == set()

    @pytest.mark.long
    def test_import_history_keeps_the_other_people(self) -> None:
        rich = build_rich_club()
        forget(rich.person)
        imported = rich.club.actions.get(kind="import_people")
        assert [row[3]["name"] for row in imported.rows] == ["Marcel Cyr", "Lise Roy"]

    def test_namesake_of_an_erased_person_keeps_the_name(self) -> None:
        rich = build_rich_club()
        other = Person.objects.create(club=rich.club, name=NAME, folded_name="helene berube-cote")
        details = PersonDetails(name=NAME, contact="555")
        change_person(club_id=rich.club.pk, person_id=other.pk, details=details)
        forget(rich.person)
        other.refresh_from_db()
        assert other.name == NAME
        line = rich.club.actions.get(kind="change_person", details__person=other.pk)
        assert line.details["name"] == NAME
        undo_club_action(club_id=rich.club.pk, action_id=line.pk)

    def test_longer_name_containing_the_erased_one_is_kept(self) -> None:
        club = build_club()
        short = add_person(club_id=club.pk, details=PersonDetails(name="Anne Roy"))
        longer = add_person(club_id=club.pk, details=PersonDetails(name="Marie-Anne Roy Dubé"))
        forget(short)
        (line,) = club.actions.filter(kind="add_person", details__person=longer.pk)
        assert line.details["name"] == "Marie-Anne Roy Dubé"

    @pytest.mark.long
    def test_two_erased_namesakes_get_distinct_numbers_in_history(self) -> None:
        club = build_club()
        pairs = []
        for other in ("Marcel Cyr", "Lise Roy"):
            target, merged = (
                add_person(club_id=club.pk, details=PersonDetails(name=name), is_namesake=True)
                for name in (NAME, other)
            )
            merge_people(club_id=club.pk, target_id=target.pk, source_id=merged.pk)
            pairs.append(target)
        correct_name(club_id=club.pk, person_id=pairs[1].pk, name=MARRIED_NAME)
        for person in forget(*pairs):
            history_details = club.actions.filter(details__person=person.pk).values_list("details", flat=True)
            texts = {text for details in history_details for text in details.values() if isinstance(text, str)}
            assert texts == {person.name}

    @pytest.mark.long
    def test_account_of_the_same_name_stays_in_the_team_history(self) -> None:
        rich = build_rich_club()
        build_account(NAME)
        forget(rich.person)
        assert find_columns(*ALL_NAMES) == {
            "clubs_account.name",
            "clubs_account.folded_name",
            "clubs_clubaction.details",
            "scoring_dispute.device",
        }

    @pytest.mark.long
    def test_single_word_name_is_erased_only_as_a_whole_value(self) -> None:
        club = build_club()
        (person,) = find_or_add_people(club=club, full_names=["Rose"])
        invited = club.invitations.model
        assert invited is not None
        event = build_running_night(club=club)
        Action.objects.create(event=event, kind="sign_off", details={"names": "Rose"}, reason="Table rose")
        forget(person)
        action = Action.objects.latest("pk")
        assert (action.details, action.reason) == ({"names": "Anonymous 1"}, "Table rose")


class TestErasure:
    @pytest.mark.slow
    def test_erasure_is_safe_to_repeat(self) -> None:
        rich = build_rich_club()
        forget(rich.person)
        forget(rich.person)
        assert rich.club.actions.filter(kind="anonymize_person").count() == 1

    def test_person_in_an_unfinished_event_cannot_be_erased(self) -> None:
        event = build_running_night()
        event.held_on = datetime.date(2999, 1, 1)
        event.save()
        person = event.entries.all()[0].player_1
        refusal = get_refusal(forget, person)
        assert (refusal.code, refusal.details["event"]) == ("still_taking_part", event.name)

    def test_erasure_requires_one_to_forty_known_people(self) -> None:
        club = build_club()
        people = find_or_add_people(
            club=club, full_names=[f"Anne {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(41)]
        )
        assert get_refusal_code(anonymize_people, club_id=club.pk, person_ids=[]) == "nobody_chosen"
        assert get_refusal_code(forget, *people) == "too_many_at_once"
        assert get_refusal_code(anonymize_people, club_id=club.pk, person_ids=[0]) == "no_such_person"

    @pytest.mark.long
    def test_erasure_reports_titles_that_keep_the_name(self) -> None:
        rich = build_rich_club()
        rich.night.name = f"Tournoi {NAME}"
        rich.night.save()
        assert find_titles(rich.club, NAME) == [f"Tournoi {NAME}"]

    def test_titles_with_a_longer_name_are_not_reported(self) -> None:
        rich = build_rich_club()
        find_or_add_people(club=rich.club, full_names=[f"Marie-{NAME}"])
        rich.night.name = f"Coupe Marie-{NAME}"
        rich.night.save()
        assert find_titles(rich.club, NAME) == []

    @pytest.mark.slow
    def test_erased_person_cannot_be_changed_or_merged(self) -> None:
        rich = build_rich_club()
        forget(rich.person)
        other = rich.club.people.get(name="Lise Roy")
        details = PersonDetails(name=NAME)
        code = "person_anonymized"
        assert get_refusal_code(change_person, club_id=rich.club.pk, person_id=rich.person.pk, details=details) == code
        merging = {"club_id": rich.club.pk, "target_id": other.pk, "source_id": rich.person.pk}
        assert get_refusal_code(merge_people, **merging) == code


@pytest.mark.parametrize(
    ("model", "path"),
    [(Club, "pk"), (Person, "club"), (Standings, "event__club"), (Mark, "match__card__club"), (Job, "")],
    ids=["club", "person", "standings", "mark", "task"],
)
def test_searched_columns_know_the_path_to_their_club(model: type[Model], path: str) -> None:
    assert {column.club for column in list_columns(Text.TYPED) if column.model is model} == {path}
