"""The dues of a club: asked for a year, paid with a tap, and who has not."""

import datetime
from typing import Any

import pytest

from clubs.dues import dues_of, dues_totals, period_at
from clubs.models import Club, Dues, DuesPeriod, Person
from clubs.people import people_page
from clubs.services import (
    PeriodDetails,
    PersonDetails,
    add_person,
    ask_dues,
    change_dues,
    pay_dues,
    record_dues,
    undo_club_action,
)
from tests.builders import a_club, code_of, refusal_of
from tournaments.entries.services.merging import merge_people
from web.money import AmountsNoted

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("sums, and who is in no row")]

NEW_YEAR = datetime.date(2026, 1, 1)


def a_year(year: int = 2026, amount: int = 2000) -> PeriodDetails:
    return PeriodDetails(
        name=str(year),
        amount=amount,
        starts=NEW_YEAR.replace(year=year),
        ends=datetime.date(year, 12, 31),
    )


def ask(club: Club, **details: int) -> DuesPeriod:
    asked = ask_dues(club_id=club.pk, details=a_year(**details))
    assert asked is not None
    return asked


def add(club: Club, name: str, *, is_guest: bool = False) -> Person:
    return add_person(club_id=club.pk, details=PersonDetails(name=name, is_guest=is_guest))


def pay(period: DuesPeriod, person: Person) -> None:
    pay_dues(club_id=period.club_id, period_id=period.pk, person_id=person.pk)


def owing(period: DuesPeriod) -> list[str]:
    page = people_page(period.club, group="owing", period=period)
    assert page.counts["owing"] == len(page.people)
    return [person.name for person in page.people]


def test_are_paid_once_and_who_has_not_is_found_members_only() -> None:
    club = a_club()
    anne, _, _ = add(club, "Anne Roy"), add(club, "Luc Cyr"), add(club, "Guy Visiteur", is_guest=True)
    period = ask(club)
    assert owing(period) == ["Anne Roy", "Luc Cyr"]
    for _ in range(2):
        pay(period, anne)
    assert owing(period) == ["Luc Cyr"]
    assert club.actions.filter(kind="pay_dues").count() == 1
    found = dues_totals(period)
    assert (found.asked, found.paid, found.owed, found.people, found.settled) == (4000, 2000, 2000, 2, 1)


def test_may_be_another_amount_or_none_for_one_person_and_are_taken_back() -> None:
    club = a_club()
    anne, luc = add(club, "Anne Roy"), add(club, "Luc Cyr")
    period = ask(club)
    for person, paid, other in ((anne, 500, 1000), (luc, 0, 0)):
        record_dues(club_id=club.pk, period_id=period.pk, person_id=person.pk, paid=paid, other=other)
    assert owing(period) == ["Anne Roy"]
    assert dues_of(anne, period).due.owed == 500
    assert dues_of(luc, period).is_excused
    pay(period, anne)
    assert owing(period) == []
    undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk)
    assert dues_of(anne, period).due.owed == 500


def test_are_not_noted_over_a_payment_that_the_form_did_not_see() -> None:
    club = a_club()
    period, jeanne = ask(club), add(club, "Jeanne Roy")
    of_person: dict[str, Any] = {"club_id": club.pk, "period_id": period.pk, "person_id": jeanne.pk}
    record_dues(**of_person, paid=500, other=None, seen=AmountsNoted(0, None))
    refused = code_of(record_dues, **of_person, paid=700, other=None, seen=AmountsNoted(0, None))
    assert refused == "changed_since"
    record_dues(**of_person, paid=700, other=0, seen=AmountsNoted(500, None))
    assert dues_of(jeanne, period).other == 0


def test_are_those_of_the_year_that_the_day_is_in_or_of_the_last_one() -> None:
    club = a_club()
    this, following = ask(club), ask(club, year=2027)
    days = [datetime.date(2026, 5, 5), datetime.date(2027, 5, 5), datetime.date(2029, 1, 1)]
    assert [period_at(club, day) for day in days] == [this, following, following]
    assert period_at(club, datetime.date(2025, 1, 1)) is None


def test_change_and_what_was_paid_stays_paid() -> None:
    club = a_club()
    anne, period = add(club, "Anne Roy"), ask(club)
    pay(period, anne)
    change_dues(club_id=club.pk, period_id=period.pk, details=a_year(amount=2500))
    assert owing(DuesPeriod.objects.get()) == ["Anne Roy"]
    assert Dues.objects.get().paid == 2000


def test_of_no_amount_or_that_end_before_they_start_are_refused() -> None:
    club = a_club()
    late = PeriodDetails(name="2026", amount=1, starts=NEW_YEAR, ends=datetime.date(2025, 12, 31))
    assert refusal_of(ask_dues, club_id=club.pk, details=a_year(amount=0)).code == "amount_required"
    assert refusal_of(ask_dues, club_id=club.pk, details=late).field == "ends"
    period = ask(a_club())
    assert code_of(pay_dues, club_id=club.pk, period_id=period.pk, person_id=0) == "no_such_dues"


def test_that_somebody_paid_are_not_asked_back_with_the_year_that_was_asked_by_mistake() -> None:
    club = a_club()
    anne, period = add(club, "Anne Roy"), ask(club)
    asked = club.actions.latest("pk")
    pay(period, anne)
    assert code_of(undo_club_action, club_id=club.pk, action_id=asked.pk) == "changed_since"


def test_of_two_who_are_one_person_are_hers_and_come_apart_again() -> None:
    club = a_club()
    kept, merged = add(club, "Anne Roy"), add(club, "Roy Anne")
    period = ask(club)
    record_dues(club_id=club.pk, period_id=period.pk, person_id=kept.pk, paid=500, other=None)
    record_dues(club_id=club.pk, period_id=period.pk, person_id=merged.pk, paid=700, other=None)
    before = list(Dues.objects.order_by("pk").values())
    merge_people(club_id=club.pk, kept_id=kept.pk, merged_id=merged.pk)
    assert dues_of(kept, period).due.paid == 1200
    undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk)
    assert list(Dues.objects.order_by("pk").values()) == before
