"""Refolding of names stored by an older version, so that a search finds ligatures by their letters."""

import pytest
from django.contrib.auth import authenticate
from django.db.models import TextField, Value

from clubs.models import Account, HouseRules, Person, UsualNight
from clubs.people import search_people
from clubs.services.folded_names import refold_names
from clubs.services.people import PersonDetails, add_person, change_person
from clubs.services.undo import undo_club_action
from tests.builders import PASSWORD, build_account, build_club

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("raw columns, and unique constraints"),
]


def fold_as_before(row: Account | HouseRules | Person | UsualNight, folded: str) -> None:
    """Store the folded name as an older version did."""
    rows = type(row)._default_manager.filter(pk=row.pk)
    rows.update(folded_name=Value(folded, output_field=TextField()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "folded", "search"),
    [("Lætitia Cœur", "lætitia cœur", "laetitia coeur"), ("Lise d'Amours", "lise d’amours", "d'amours")],
)
def test_person_with_an_old_ligature_is_found(name: str, folded: str, search: str) -> None:
    club = build_club()
    person = add_person(club_id=club.pk, details=PersonDetails(name=name))
    fold_as_before(person, folded)
    assert not club.people.filter(folded_name__contains=search).exists()
    for _ in "twice":
        refold_names()
        assert club.people.get(folded_name__contains=search).name == name
        assert search_people(club.people.all(), search).get().name == name


def test_account_with_an_old_ligature_signs_in() -> None:
    account = build_account("Zoé Cœur")
    fold_as_before(account, "zoe cœur")
    refold_names()
    assert authenticate(username="zoé cœur", password=PASSWORD) == account


def test_colliding_account_names_get_a_number() -> None:
    first, second, third = (build_account(name) for name in ("Zoé Coeur", "Zoé Other", "Zoé Cœur 2"))
    Account.objects.filter(pk=second.pk).update(name="Zoé Cœur")
    fold_as_before(second, "zoe cœur")
    refold_names()
    names = dict(Account.objects.values_list("pk", "name"))
    assert [names[one.pk] for one in (first, second, third)] == ["Zoé Coeur", "Zoé Cœur 3", "Zoé Cœur 2"]
    assert authenticate(username="zoe coeur 3", password=PASSWORD) == second


def test_changes_recorded_before_refolding_can_be_undone() -> None:
    club = build_club()
    person = add_person(club_id=club.pk, details=PersonDetails(name="Zoé Cœur"))
    change_person(club_id=club.pk, person_id=person.pk, details=PersonDetails(name="Zoé Sœur"))
    action = club.actions.latest("pk")
    ((kind, pk, before, after),) = action.rows
    action.rows = [[kind, pk, before | {"folded_name": "zoe cœur"}, after | {"folded_name": "zoe sœur"}]]
    action.save()
    undo_club_action(club_id=club.pk, action_id=action.pk)
    assert search_people(club.people.all(), "coeur").get() == person
