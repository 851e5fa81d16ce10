"""People from a list: one line of history, one undo, and nobody twice."""

from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.audit.log import Actor
from clubs.people import labels_of
from clubs.services import find_or_add_people, import_people, read_people_list, undo_club_action
from tests.builders import a_club, code_of, refusal_of

pytestmark = pytest.mark.django_db

SHEET = "name,phone,family,guest,groups\nLise Roy,555,Roy,,Dames\nPaul Roy,,roy,yes,\n"


def test_adds_everybody_with_what_the_list_says_as_one_change() -> None:
    club = a_club()
    assert import_people(club_id=club.pk, text=SHEET) == 2
    lise, paul = club.people.order_by("pk")
    assert (lise.contact, lise.labels, lise.is_guest, paul.is_guest) == ("555", ["Dames"], False, True)
    assert lise.family == paul.family
    action = club.actions.get()
    undo_club_action(club_id=club.pk, action_id=action.pk)
    assert not club.people.exists()
    assert not club.families.exists()


def test_spells_families_and_groups_as_the_club_does() -> None:
    club = a_club()
    import_people(club_id=club.pk, text=SHEET)
    text = "name,family,groups\nAnne Roy,ROY,dames\nLuc Cyr,St-Cyr,A\nÈve Cyr,st cyr,a\n"
    listed = read_people_list(club, text, file="")
    assert listed.merged == (("ROY", "Roy"), ("st cyr", "St-Cyr"), ("dames", "Dames"), ("a", "A"))
    import_people(club_id=club.pk, text=text)
    assert sorted(club.families.values_list("name", flat=True)) == ["Roy", "St-Cyr"]
    assert labels_of(club) == ["A", "Dames"]


def test_leaves_out_whom_the_club_knows_but_those_who_are_said_to_be_new() -> None:
    club = a_club()
    find_or_add_people(club=club, full_names=["Jeannine St-Pierre", "Martin Roy"])
    text = "Saint-Pierre, Jeannine\nRoy Martin\nAnne Cyr\nanne cyr"
    assert import_people(club_id=club.pk, text=text, also={2}) == 2
    assert [person.name for person in club.people.order_by("pk")][2:] == ["Roy Martin", "Anne Cyr"]


def test_of_the_same_form_happens_once_and_of_the_same_list_adds_nobody() -> None:
    club, by = a_club(), Actor(key=uuid4())
    for _ in range(2):
        assert import_people(club_id=club.pk, text=SHEET, by=by) == 2
    assert code_of(import_people, club_id=club.pk, text=SHEET) == "nobody_new"
    assert club.people.count() == 2


def test_with_a_bad_line_adds_nobody() -> None:
    club = a_club()
    refusal = refusal_of(import_people, club_id=club.pk, text="Anne A\nR2D2", file="list.txt")
    assert refusal.code == "list_refused"
    assert code_of(import_people, club_id=club.pk, text=" \n") == "nobody_listed"
    assert not club.people.exists()


@pytest.mark.slow
def test_of_ten_thousand_is_added_and_taken_back_in_few_steps(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    club = a_club()
    letters = "abcdefghij"
    names = (f"{a}{b} x{c}{d}" for a in letters for b in letters for c in letters for d in letters)
    with django_assert_max_num_queries(300):
        assert import_people(club_id=club.pk, text="\n".join(names)) == 10_000
    with django_assert_max_num_queries(2_300):  # in a hundred pieces
        undone = undo_club_action(club_id=club.pk, action_id=club.actions.get().pk)
    assert not club.people.exists()
    undo_club_action(club_id=club.pk, action_id=undone.pk)
    assert club.people.count() == 10_000
