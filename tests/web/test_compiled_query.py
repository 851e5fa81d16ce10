"""A compiled query gives what Django gives for the same values, and makes its text once."""

import pytest
from django.db.models import Q
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Person
from tests.builders import a_club
from web.compiled_query import CompiledQuery, Slot

pytestmark = pytest.mark.postgresql("each database takes text and values in its own way")

NAMES = ("Aimé", "l'Écuyer", 'Roy "Ti-Jean"; --', "%s", "100 %", "\\", "")


def named(name: object) -> Q:
    return Q(name=name) | Q(club__name=name, is_guest=True)


PEOPLE = CompiledQuery(
    Person.objects.filter(named(Slot("name", Person._meta.get_field("name"))))
    .select_related("club")
    .prefetch_related("seats")
    .order_by("-pk")
)
LOCKED = CompiledQuery(Club.objects.select_for_update().filter(pk=Slot("pk", Club._meta.pk)))


@pytest.fixture
def club(db: None) -> Club:
    club = a_club("Aimé")
    for name in NAMES:
        Person.objects.create(club=club, name=name, labels=[name], is_guest=name in NAMES[:2])
    return club


@pytest.mark.parametrize("name", [*NAMES, "nobody"])
def test_its_rows_are_those_of_the_plain_query(name: str, club: Club) -> None:
    plain = Person.objects.filter(named(name)).order_by("-pk")
    assert [(each, each.labels) for each in PEOPLE.all(name=name)] == [(each, each.labels) for each in plain]


def test_one_is_the_first_of_them_if_there_is_any(club: Club) -> None:
    assert PEOPLE.one(name="Aimé") == Person.objects.filter(is_guest=True).latest("pk")
    assert PEOPLE.one(name="nobody") is None


def test_its_rows_bring_what_was_asked_for_beside(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        assert [(each.club.name, [*each.seats.all()]) for each in PEOPLE.all(name="%s")] == [("Aimé", [])]


def test_values_that_are_the_same_in_each_call_may_stand_beside_its_slots(club: Club) -> None:
    name = Slot("name", Person._meta.get_field("name"))
    people = CompiledQuery(Person.objects.filter(club__name="Aimé", name=name))
    assert [each.name for each in people.all(name="%s")] == ["%s"]
    assert [each.name for each in people.all(name="Aimé")] == ["Aimé"]


def test_its_text_is_not_made_again(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    people = CompiledQuery(Person.objects.filter(name=Slot("name", Person._meta.get_field("name"))))
    people.all(name="nobody")
    monkeypatch.delattr(SQLCompiler, "as_sql")
    assert [each.name for each in people.all(name="Aimé")] == ["Aimé"]


@pytest.mark.django_db(transaction=True)
def test_it_locks_nothing_outside_a_transaction() -> None:
    with pytest.raises(TransactionManagementError):
        LOCKED.all(pk=1)
