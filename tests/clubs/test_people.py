"""The club's people: added, changed, looked for, and every change taken back."""

from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, Family, Person
from clubs.people import PAGE, labels_of, people_named, people_page
from clubs.services import PersonDetails, add_person, change_person, find_or_add_people, undo_club_action
from tests.builders import a_club, code_of, refusal_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("names are found whatever their accents and case"),
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


class TestSomebodyNew:
    def test_needs_only_a_name(self) -> None:
        person = add(a_club(), "  Jeannine  Roy ")
        assert (person.name, person.folded_name) == ("Jeannine Roy", "jeannine roy")
        assert (person.is_guest, person.is_active, person.shows_full_name) == (False, True, False)

    def test_whose_name_the_club_knows_may_be_the_same_person(self) -> None:
        club = a_club()
        known = add(club, "Édith Roy")
        refusal = refusal_of(add, club, "edith ROY")
        assert (refusal.code, refusal.details["person"]) == ("name_known", known.pk)
        other = add_person(club_id=club.pk, details=PersonDetails(name="Edith Roy"), is_namesake=True)
        assert other != known

    def test_whose_name_the_club_writes_otherwise_may_be_the_same_person_too(self) -> None:
        club = a_club()
        add(club, "Marie-Ève Saint-Onge")
        assert code_of(add, club, "Marie Eve St-Onge") == "name_known"
        assert add(club, "Marie Eve Ste-Onge")

    def test_who_is_typed_without_the_ligature_is_whom_the_club_knows_with_it(self) -> None:
        club = a_club()
        known = add(club, "Sœur Lætitia")
        assert code_of(add, club, "Soeur Laetitia") == "name_known"
        assert find_or_add_people(club=club, full_names=["SOEUR LAETITIA"]) == [known]

    def test_is_added_once_by_one_form(self) -> None:
        club, by = a_club(), Actor(key=uuid4())
        first, again = (
            add_person(club_id=club.pk, details=PersonDetails(name="Anne A"), by=by) for _ in range(2)
        )
        assert first == again
        assert club.people.count() == 1

    def test_goes_when_it_is_undone_unless_they_have_played(self) -> None:
        club = a_club()
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
    def test_is_refused_with_what_cannot_be_kept(self, wrong: dict[str, Any], code: str, field: str) -> None:
        refusal = refusal_of(add, a_club(), **wrong)
        assert (refusal.code, refusal.field) == (code, field)
        assert not Person.objects.exists()
        assert not Family.objects.exists()


class TestAChange:
    def test_is_kept_in_the_history_and_taken_back_whole(self) -> None:
        club = a_club()
        person = add(club)
        before = Person.objects.values().get()
        more: dict[str, Any] = {"name": "Jeannine Roi", "contact": "418 555-0199", "is_guest": True}
        change(
            person, is_active=False, shows_full_name=True, family="Roi", labels=("Women", " women"), **more
        )
        person.refresh_from_db()
        assert (person.folded_name, person.labels, str(person.family)) == ("jeannine roi", ["women"], "Roi")
        assert club.actions.latest("pk").details["name"] == "Jeannine Roi"
        undo_last(club)
        assert Person.objects.values().get() == before
        assert not Family.objects.exists()

    def test_that_changes_nothing_is_no_line(self) -> None:
        person = add(a_club())
        change(person)
        assert person.club.actions.count() == 1

    def test_to_the_name_of_somebody_else_asks_first_but_not_to_ones_own(self) -> None:
        club = a_club()
        add(club, "Anne Roy")
        person = add(club, "Anne Cyr")
        assert code_of(change, person, name="anne roy") == "name_known"
        assert change(person, name="anne cyr").name == "anne cyr"
        assert change(person, name="Anne Roy", is_namesake=True).name == "Anne Roy"
        assert change(person, name="Anne Roy", contact="x").contact == "x"

    def test_of_somebody_of_another_club_is_refused(self) -> None:
        person = add(a_club())
        details = PersonDetails(name="Mine")
        assert code_of(change_person, club_id=a_club().pk, person_id=person.pk, details=details) == (
            "no_such_person"
        )

    def test_is_not_undone_over_a_later_one(self) -> None:
        club = a_club()
        person = add(club)
        change(person, contact="one")
        first = club.actions.latest("pk")
        change(person, contact="two")
        assert code_of(undo_club_action, club_id=club.pk, action_id=first.pk) == "changed_since"


class TestAFamily:
    def test_is_one_however_its_name_is_written_and_goes_with_its_last_member(self) -> None:
        club = a_club()
        one, other = add(club, "Anne Roy", family="Famille Roy"), add(club, "Paul Roy", family="famille  ROY")
        assert one.family == other.family
        change(one, family="")
        assert club.families.count() == 1
        change(other, family="")
        assert club.families.count() == 0
        undo_last(club)
        assert [str(person.family) for person in club.people.order_by("pk")] == ["None", "Famille Roy"]

    def test_that_somebody_has_joined_since_is_not_undone(self) -> None:
        club = a_club()
        add(club, "Anne Roy", family="Roy")
        first = club.actions.latest("pk")
        add(club, "Paul Roy", family="Roy")
        assert code_of(undo_club_action, club_id=club.pk, action_id=first.pk) == "changed_since"
        assert club.people.filter(family__name="Roy").count() == 2


class TestTheSearch:
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
    def test_finds_the_beginning_of_any_word_whatever_the_accents(self, search: str, *, finds: bool) -> None:
        club = a_club()
        add(club, "Édith d’Arsenault Saint-Pierre")
        assert people_named(club.people.all(), search).exists() is finds

    @pytest.mark.parametrize("search", ["laetitia", "LÆT", "bœuf", "boeu"])
    @pytest.mark.parametrize("name", ["Lætitia Bœuf", "Laetitia Boeuf"])
    def test_finds_a_ligature_by_its_letters_and_the_reverse(self, name: str, search: str) -> None:
        club = a_club()
        add(club, name)
        assert people_named(club.people.all(), search).exists()

    def test_shows_a_page_of_a_group_and_counts_all_groups(self) -> None:
        club = a_club()
        find_or_add_people(club=club, full_names=[f"Roy {'x' * n}" for n in range(1, PAGE + 3)])
        add(club, "Guest Roy", is_guest=True)
        add(club, "Former Roy", is_active=False)
        first = people_page(club, search="roy")
        assert first.counts == {"active": 63, "members": 62, "guests": 1, "former": 1}
        assert (first.first, first.last, first.has_next) == (1, PAGE, True)
        last = people_page(club, search="roy", number=9)
        assert (last.number, last.first, last.last, last.has_next) == (2, 61, 63, False)
        assert [p.name for p in people_page(club, group="former").people] == ["Former Roy"]
        assert people_page(a_club()).people == ()

    def test_knows_the_labels_that_somebody_has(self) -> None:
        club = a_club()
        add(club, "Anne Roy", labels=("Women", "Élite"))
        add(club, "Paul Roy", labels=("Élite",))
        assert labels_of(club) == ["Élite", "Women"]
