"""Compiled queries return what Django returns for the given values, and generate their SQL once."""

import pytest
from django.db.models import Q
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Person
from tests.builders import build_club
from web.compiled_query import CompiledQuery, Slot

pytestmark = pytest.mark.postgresql("SQL with parameters of each database")

NAMES = ("Aimé", "l'Écuyer", 'Roy "Ti-Jean"; --', "%s", "100 %", "\\", "")


def build_name_filter(name: object) -> Q:
    return Q(name=name) | Q(club__name=name, is_guest=True)


PEOPLE = CompiledQuery(
    Person.objects.filter(build_name_filter(Slot("name", Person._meta.get_field("name"))))
    .select_related("club")
    .prefetch_related("seats")
    .order_by("-pk")
)
LOCKED_QUERY = CompiledQuery(Club.objects.select_for_update().filter(pk=Slot("pk", Club._meta.pk)))


@pytest.fixture
def club(db: None) -> Club:
    club = build_club("Aimé")
    for name in NAMES:
        Person.objects.create(club=club, name=name, labels=[name], is_guest=name in NAMES[:2])
    return club


@pytest.mark.parametrize("name", [*NAMES, "nobody"])
def test_compiled_query_equals_the_django_query(name: str, club: Club) -> None:
    django_query = Person.objects.filter(build_name_filter(name)).order_by("-pk")
    assert [(each, each.labels) for each in PEOPLE.fetch_all(name=name)] == [
        (each, each.labels) for each in django_query
    ]


def test_fetch_first_returns_the_first_row_or_none(club: Club) -> None:
    assert PEOPLE.fetch_first(name="Aimé") == Person.objects.filter(is_guest=True).latest("pk")
    assert PEOPLE.fetch_first(name="nobody") is None


def test_compiled_query_loads_related_rows(club: Club, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(2):
        assert [(each.club.name, [*each.seats.all()]) for each in PEOPLE.fetch_all(name="%s")] == [("Aimé", [])]


def test_compiled_query_mixes_constants_and_slots(club: Club) -> None:
    name = Slot("name", Person._meta.get_field("name"))
    people = CompiledQuery(Person.objects.filter(club__name="Aimé", name=name))
    assert [each.name for each in people.fetch_all(name="%s")] == ["%s"]
    assert [each.name for each in people.fetch_all(name="Aimé")] == ["Aimé"]


def test_compiled_query_generates_its_sql_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    people = CompiledQuery(Person.objects.filter(name=Slot("name", Person._meta.get_field("name"))))
    people.fetch_all(name="nobody")
    monkeypatch.delattr(SQLCompiler, "as_sql")
    assert [each.name for each in people.fetch_all(name="Aimé")] == ["Aimé"]


@pytest.mark.django_db(transaction=True)
def test_locking_query_requires_a_transaction() -> None:
    with pytest.raises(TransactionManagementError):
        LOCKED_QUERY.fetch_all(pk=1)
