"""Import of a list of people: one undoable change, and no duplicates."""

from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.audit.log import Actor
from clubs.people import list_labels
from clubs.services.people import find_or_add_people
from clubs.services.people_import import parse_people_list
from clubs.services.undo import undo_club_action
from tests.builders import build_club, get_refusal, get_refusal_code, import_people

pytestmark = pytest.mark.django_db

SHEET = "name,phone,family,guest,groups\nLise Roy,555,Roy,,Dames\nPaul Roy,,roy,yes,\n"


def test_import_adds_everyone_in_one_undoable_change() -> None:
    club = build_club()
    assert import_people(club_id=club.pk, text=SHEET) == 2
    lise, paul = club.people.order_by("pk")
    assert (lise.contact, lise.labels, lise.is_guest, paul.is_guest) == ("555", ["Dames"], False, True)
    assert lise.family == paul.family
    action = club.actions.get()
    undo_club_action(club_id=club.pk, action_id=action.pk)
    assert not club.people.exists()
    assert not club.families.exists()


def test_import_reuses_existing_family_and_group_spellings() -> None:
    club = build_club()
    import_people(club_id=club.pk, text=SHEET)
    text = "name,family,groups\nAnne Roy,ROY,dames\nLuc Cyr,St-Cyr,A\nÈve Cyr,st cyr,a\n"
    listed = parse_people_list(club, text, file="")
    assert listed.merged == (("ROY", "Roy"), ("st cyr", "St-Cyr"), ("dames", "Dames"), ("a", "A"))
    import_people(club_id=club.pk, text=text)
    assert sorted(club.families.values_list("name", flat=True)) == ["Roy", "St-Cyr"]
    assert list_labels(club) == ["A", "Dames"]


def test_import_skips_known_people_unless_forced() -> None:
    club = build_club()
    find_or_add_people(club=club, full_names=["Jeannine St-Pierre", "Martin Roy"])
    text = "Saint-Pierre, Jeannine\nRoy Martin\nAnne Cyr\nanne cyr"
    assert import_people(club_id=club.pk, text=text, forced_keys={2}) == 2
    assert [person.name for person in club.people.order_by("pk")][2:] == ["Roy Martin", "Anne Cyr"]


def test_repeated_import_adds_no_one_twice() -> None:
    club, by = build_club(), Actor(key=uuid4())
    for _ in range(2):
        assert import_people(club_id=club.pk, text=SHEET, by=by) == 2
    assert get_refusal_code(import_people, club_id=club.pk, text=SHEET) == "nobody_new"
    assert club.people.count() == 2


def test_list_with_an_invalid_line_adds_no_one() -> None:
    club = build_club()
    refusal = get_refusal(import_people, club_id=club.pk, text="Anne A\nR2D2", file="list.txt")
    assert refusal.code == "list_refused"
    assert get_refusal_code(import_people, club_id=club.pk, text=" \n") == "nobody_listed"
    assert not club.people.exists()


@pytest.mark.slow
def test_large_import_needs_few_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    club = build_club()
    letters = "abcdefghij"
    names = (f"{a}{b} x{c}{d}" for a in "ab" for b in letters for c in letters for d in letters)
    with django_assert_max_num_queries(95):
        assert import_people(club_id=club.pk, text="\n".join(names)) == 2_000
    with django_assert_max_num_queries(500):  # the undo runs in twenty pieces
        undone = undo_club_action(club_id=club.pk, action_id=club.actions.get().pk)
    assert not club.people.exists()
    undo_club_action(club_id=club.pk, action_id=undone.pk)
    assert club.people.count() == 2_000
