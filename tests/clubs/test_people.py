"""People of a club: adding, changing, searching, and undoing each change."""

from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, Family, Person
from clubs.people import PAGE, get_people_page, list_labels, search_people
from clubs.services.people import PersonDetails, add_person, change_person, find_or_add_people
from clubs.services.undo import undo_club_action
from tests.builders import build_club, get_refusal, get_refusal_code

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("searches without accents and case"),
]


def add(club: Club, name: str = "Jeannine Roy", **more: Any) -> Person:
    return add_person(club_id=club.pk, details=PersonDetails(name=name, **more))


def change(person: Person, *, by: Actor | None = None, is_namesake: bool = False, **more: Any) -> Person:
    return change_person(
        club_id=person.club_id,
        person_id=person.pk,
        details=PersonDetails(**{"name": person.name} | more),
        is_namesake=is_namesake,
        by=by or Actor(),
    )


def undo_last(club: Club) -> None:
    undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk)


class TestNewPerson:
    def test_new_person_needs_only_a_name(self) -> None:
        person = add(build_club(), "  Jeannine  Roy ")
        assert (person.name, person.folded_name) == ("Jeannine Roy", "jeannine roy")
        assert (person.is_guest, person.is_active, person.shows_full_name) == (False, True, False)

    def test_known_name_asks_whether_it_is_the_same_person(self) -> None:
        club = build_club()
        person = add(club, "Édith Roy")
        refusal = get_refusal(add, club, "edith ROY")
        assert (refusal.code, refusal.details["person"]) == ("name_known", person.pk)
        other = add_person(club_id=club.pk, details=PersonDetails(name="Edith Roy"), is_namesake=True)
        assert other != person

    def test_known_name_is_recognized_in_another_spelling(self) -> None:
        club = build_club()
        add(club, "Marie-Ève Saint-Onge")
        assert get_refusal_code(add, club, "Marie Eve St-Onge") == "name_known"
        assert add(club, "Marie Eve Ste-Onge")

    def test_known_name_is_recognized_without_its_ligature(self) -> None:
        club = build_club()
        person = add(club, "Sœur Lætitia")
        assert get_refusal_code(add, club, "Soeur Laetitia") == "name_known"
        assert find_or_add_people(club=club, full_names=["SOEUR LAETITIA"]) == [person]

    def test_resubmitted_form_adds_one_person(self) -> None:
        club, by = build_club(), Actor(key=uuid4())
        first, again = (add_person(club_id=club.pk, details=PersonDetails(name="Anne A"), by=by) for _ in range(2))
        assert first == again
        assert club.people.count() == 1

    def test_undo_removes_the_person_and_family(self) -> None:
        club = build_club()
        add(club, family="Roy")
        undo_last(club)
        assert not club.people.exists()
        assert not club.families.exists()
        undo_last(club)
        assert str(club.people.get().family) == "Roy"

    @pytest.mark.parametrize(
        ("wrong", "code", "field"),
        [
            ({"name": " "}, "name_required", "name"),
            ({"name": "x" * 81}, "name_too_long", "name"),
            ({"name": "R2D2"}, "strange_character", "name"),
            ({"contact": "x" * 121}, "contact_too_long", "contact"),
            ({"family": "x" * 81}, "name_too_long", "family"),
            ({"labels": ("x" * 41,)}, "label_too_long", "label"),
            ({"labels": tuple("abcdefghi")}, "too_many_labels", "label"),
        ],
    )
    def test_invalid_person_details_are_refused(self, wrong: dict[str, Any], code: str, field: str) -> None:
        refusal = get_refusal(add, build_club(), **wrong)
        assert (refusal.code, refusal.field) == (code, field)
        assert not Person.objects.exists()
        assert not Family.objects.exists()


class TestPersonChange:
    def test_undo_restores_every_changed_field(self) -> None:
        club = build_club()
        person = add(club)
        before = Person.objects.values().get()
        more: dict[str, Any] = {"name": "Jeannine Roi", "contact": "418 555-0199", "is_guest": True}
        change(person, is_active=False, shows_full_name=True, family="Roi", labels=("Women", " women"), **more)
        person.refresh_from_db()
        assert (person.folded_name, person.labels, str(person.family)) == ("jeannine roi", ["women"], "Roi")
        assert club.actions.latest("pk").details["name"] == "Jeannine Roi"
        undo_last(club)
        assert Person.objects.values().get() == before
        assert not Family.objects.exists()

    def test_unchanged_details_leave_no_history(self) -> None:
        person = add(build_club())
        change(person)
        assert person.club.actions.count() == 1

    def test_renaming_to_a_known_name_asks_first(self) -> None:
        club = build_club()
        add(club, "Anne Roy")
        person = add(club, "Anne Cyr")
        assert get_refusal_code(change, person, name="anne roy") == "name_known"
        assert change(person, name="anne cyr").name == "anne cyr"
        assert change(person, name="Anne Roy", is_namesake=True).name == "Anne Roy"
        assert change(person, name="Anne Roy", contact="x").contact == "x"

    def test_person_of_another_club_cannot_be_changed(self) -> None:
        person = add(build_club())
        details = PersonDetails(name="Mine")
        assert get_refusal_code(change_person, club_id=build_club().pk, person_id=person.pk, details=details) == (
            "no_such_person"
        )

    def test_earlier_change_cannot_be_undone_over_a_later_one(self) -> None:
        club = build_club()
        person = add(club)
        change(person, contact="one")
        first = club.actions.latest("pk")
        change(person, contact="two")
        assert get_refusal_code(undo_club_action, club_id=club.pk, action_id=first.pk) == "changed_since"


class TestFamily:
    def test_family_is_deleted_with_its_last_member(self) -> None:
        club = build_club()
        one, other = add(club, "Anne Roy", family="Famille Roy"), add(club, "Paul Roy", family="famille  ROY")
        assert one.family == other.family
        change(one, family="")
        assert club.families.count() == 1
        change(other, family="")
        assert club.families.count() == 0
        undo_last(club)
        assert [str(person.family) for person in club.people.order_by("pk")] == ["None", "Famille Roy"]

    def test_undo_is_refused_once_the_family_has_grown(self) -> None:
        club = build_club()
        add(club, "Anne Roy", family="Roy")
        first = club.actions.latest("pk")
        add(club, "Paul Roy", family="Roy")
        assert get_refusal_code(undo_club_action, club_id=club.pk, action_id=first.pk) == "changed_since"
        assert club.people.filter(family__name="Roy").count() == 2


class TestPeopleSearch:
    @pytest.mark.parametrize(
        ("search", "finds"),
        [
            ("éd", True),
            ("EDITH", True),
            ("sa", True),
            ("pier", True),
            ("pierre edith", True),
            ("saint-p", True),
            ("  ", True),
            ("arsen", True),
            ("dith", False),
            ("roy", False),
            ("%", False),
        ],
    )
    def test_search_matches_word_beginnings_without_accents(self, search: str, *, finds: bool) -> None:
        club = build_club()
        add(club, "Édith d’Arsenault Saint-Pierre")
        assert search_people(club.people.all(), search).exists() is finds

    @pytest.mark.parametrize("search", ["laetitia", "LÆT", "bœuf", "boeu"])
    @pytest.mark.parametrize("name", ["Lætitia Bœuf", "Laetitia Boeuf"])
    def test_search_treats_ligatures_as_letters(self, name: str, search: str) -> None:
        club = build_club()
        add(club, name)
        assert search_people(club.people.all(), search).exists()

    def test_search_pages_one_group_and_counts_all(self) -> None:
        club = build_club()
        find_or_add_people(club=club, full_names=[f"Roy {'x' * n}" for n in range(1, PAGE + 3)])
        add(club, "Guest Roy", is_guest=True)
        add(club, "Former Roy", is_active=False)
        first = get_people_page(club, search="roy")
        assert first.counts == {"active": 63, "members": 62, "guests": 1, "former": 1}
        assert (first.first, first.last, first.has_next) == (1, PAGE, True)
        last = get_people_page(club, search="roy", number=9)
        assert (last.number, last.first, last.last, last.has_next) == (2, 61, 63, False)
        assert [p.name for p in get_people_page(club, group="former").people] == ["Former Roy"]
        assert get_people_page(build_club()).people == ()

    def test_label_list_contains_only_used_labels(self) -> None:
        club = build_club()
        add(club, "Anne Roy", labels=("Women", "Élite"))
        add(club, "Paul Roy", labels=("Élite",))
        assert list_labels(club) == ["Élite", "Women"]
