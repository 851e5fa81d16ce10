"""Dues of a club: charged for a period, paid, reduced or waived, and the list of unpaid members."""

import datetime
from typing import Any

import pytest

from clubs.dues import find_current_period, get_dues_totals, get_person_dues
from clubs.models import Club, Dues, DuesPeriod, Person
from clubs.people import get_people_page
from clubs.services.dues import PeriodDetails, ask_dues, change_dues, pay_dues, record_dues
from clubs.services.people import PersonDetails, add_person
from clubs.services.undo import undo_club_action
from tests.builders import build_club, get_refusal, get_refusal_code
from tournaments.entries.services.merging import merge_people
from web.money import RecordedAmounts

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("sums, and rows that are missing")]

NEW_YEAR = datetime.date(2026, 1, 1)


def build_period(year: int = 2026, amount: int = 2000) -> PeriodDetails:
    return PeriodDetails(
        name=str(year),
        amount=amount,
        starts=NEW_YEAR.replace(year=year),
        ends=datetime.date(year, 12, 31),
    )


def charge_dues(club: Club, **details: int) -> DuesPeriod:
    period = ask_dues(club_id=club.pk, details=build_period(**details))
    assert period is not None
    return period


def add(club: Club, name: str, *, is_guest: bool = False) -> Person:
    return add_person(club_id=club.pk, details=PersonDetails(name=name, is_guest=is_guest))


def pay(period: DuesPeriod, person: Person) -> None:
    pay_dues(club_id=period.club_id, period_id=period.pk, person_id=person.pk)


def list_unpaid_names(period: DuesPeriod) -> list[str]:
    page = get_people_page(period.club, group="owing", period=period)
    assert page.counts["owing"] == len(page.people)
    return [person.name for person in page.people]


def test_unpaid_list_omits_paid_members_and_guests() -> None:
    club = build_club()
    anne, _, _ = add(club, "Anne Roy"), add(club, "Luc Cyr"), add(club, "Guy Visiteur", is_guest=True)
    period = charge_dues(club)
    assert list_unpaid_names(period) == ["Anne Roy", "Luc Cyr"]
    for _ in range(2):
        pay(period, anne)
    assert list_unpaid_names(period) == ["Luc Cyr"]
    assert club.actions.filter(kind="pay_dues").count() == 1
    found = get_dues_totals(period)
    assert (found.amount, found.paid, found.owed, found.people, found.settled) == (4000, 2000, 2000, 2, 1)


def test_dues_can_be_reduced_or_waived_per_person() -> None:
    club = build_club()
    anne, luc = add(club, "Anne Roy"), add(club, "Luc Cyr")
    period = charge_dues(club)
    for person, paid, other in ((anne, 500, 1000), (luc, 0, 0)):
        record_dues(club_id=club.pk, period_id=period.pk, person_id=person.pk, paid=paid, other=other)
    assert list_unpaid_names(period) == ["Anne Roy"]
    assert get_person_dues(anne, period).due.owed == 500
    assert get_person_dues(luc, period).is_excused
    pay(period, anne)
    assert list_unpaid_names(period) == []
    undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk)
    assert get_person_dues(anne, period).due.owed == 500


def test_stale_form_cannot_overwrite_a_payment() -> None:
    club = build_club()
    period, jeanne = charge_dues(club), add(club, "Jeanne Roy")
    of_person: dict[str, Any] = {"club_id": club.pk, "period_id": period.pk, "person_id": jeanne.pk}
    record_dues(**of_person, paid=500, other=None, seen=RecordedAmounts(0, None))
    refused = get_refusal_code(record_dues, **of_person, paid=700, other=None, seen=RecordedAmounts(0, None))
    assert refused == "changed_since"
    record_dues(**of_person, paid=700, other=0, seen=RecordedAmounts(500, None))
    assert get_person_dues(jeanne, period).other == 0


def test_current_period_falls_back_to_the_last_one() -> None:
    club = build_club()
    this, following = charge_dues(club), charge_dues(club, year=2027)
    days = [datetime.date(2026, 5, 5), datetime.date(2027, 5, 5), datetime.date(2029, 1, 1)]
    assert [find_current_period(club, day) for day in days] == [this, following, following]
    assert find_current_period(club, datetime.date(2025, 1, 1)) is None


def test_amount_change_keeps_recorded_payments() -> None:
    club = build_club()
    anne, period = add(club, "Anne Roy"), charge_dues(club)
    pay(period, anne)
    change_dues(club_id=club.pk, period_id=period.pk, details=build_period(amount=2500))
    assert list_unpaid_names(DuesPeriod.objects.get()) == ["Anne Roy"]
    assert Dues.objects.get().paid == 2000


def test_invalid_dues_period_is_refused() -> None:
    club = build_club()
    late = PeriodDetails(name="2026", amount=1, starts=NEW_YEAR, ends=datetime.date(2025, 12, 31))
    assert get_refusal(ask_dues, club_id=club.pk, details=build_period(amount=0)).code == "amount_required"
    assert get_refusal(ask_dues, club_id=club.pk, details=late).field == "ends"
    period = charge_dues(build_club())
    assert get_refusal_code(pay_dues, club_id=club.pk, period_id=period.pk, person_id=0) == "no_such_dues"


def test_charged_period_with_payments_cannot_be_undone() -> None:
    club = build_club()
    anne, period = add(club, "Anne Roy"), charge_dues(club)
    action = club.actions.latest("pk")
    pay(period, anne)
    assert get_refusal_code(undo_club_action, club_id=club.pk, action_id=action.pk) == "changed_since"


@pytest.mark.slow
def test_merge_adds_up_dues_and_undo_separates_them() -> None:
    club = build_club()
    target, merged = add(club, "Anne Roy"), add(club, "Roy Anne")
    period = charge_dues(club)
    record_dues(club_id=club.pk, period_id=period.pk, person_id=target.pk, paid=500, other=None)
    record_dues(club_id=club.pk, period_id=period.pk, person_id=merged.pk, paid=700, other=None)
    before = list(Dues.objects.order_by("pk").values())
    merge_people(club_id=club.pk, target_id=target.pk, source_id=merged.pk)
    assert get_person_dues(target, period).due.paid == 1200
    undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk)
    assert list(Dues.objects.order_by("pk").values()) == before
