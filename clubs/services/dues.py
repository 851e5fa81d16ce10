"""Dues that members pay a club for a year: recorded, never collected."""

import datetime
from dataclasses import dataclass

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.dues import get_person_dues
from clubs.models import ClubAction, Dues, DuesPeriod, Person
from errors import Refusal
from web.money import RecordedAmounts, check_amounts_unchanged, validate_amount

from .changes import ClubChange, get_row, validate_name
from .people import get_person


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodDetails:
    """The dates of a dues period, and its amount in cents."""

    name: str
    amount: int
    starts: datetime.date
    ends: datetime.date


@transaction.atomic
def ask_dues(*, club_id: int, details: PeriodDetails, by: Actor = NOBODY) -> DuesPeriod | None:
    """Charge dues for a period. Safe to repeat with the same idempotency key: a repeat gives the same period,
    or no id if it was deleted.

    Refuses: what ``_check_details`` refuses.
    """
    change = ClubChange(club_id, "ask_dues", by)
    if change.is_repeat:
        details_before = ClubAction.objects.get(key=by.key).details
        return change.club.dues_periods.filter(pk=details_before.get("period")).first()
    period = DuesPeriod(club=change.club, **_check_details(details))
    change.add(period)
    change.record(period=period.pk, name=period.name, amount=period.amount)
    return period


@transaction.atomic
def change_dues(*, club_id: int, period_id: int, details: PeriodDetails, by: Actor = NOBODY) -> DuesPeriod:
    """Update the name, amount or dates of a dues period. Payments stay. Safe to repeat.

    Refuses: no_such_dues, and what ``_check_details`` refuses.
    """
    change = ClubChange(club_id, "change_dues", by)
    period = _get_period(change, period_id)
    if change.is_repeat:
        return period
    change.update(period, **_check_details(details))
    if change.rows:
        change.record(period=period.pk, name=period.name, amount=period.amount)
    return period


@transaction.atomic
def pay_dues(*, club_id: int, period_id: int, person_id: int, by: Actor = NOBODY) -> Dues | None:
    """Mark a person's dues for the period as paid in full. Safe to repeat.

    Refuses: no_such_dues, no_such_person.
    """
    change = ClubChange(club_id, "pay_dues", by)
    if change.is_repeat:
        return _find_dues(period_id, person_id)
    period, person = _get_period(change, period_id), get_person(change.club, person_id)
    stored = _find_dues(period.pk, person.pk)
    due = get_person_dues(person, period).due
    if not due.owed:
        return stored
    stored = _save_dues(change, period, person, stored, paid=due.amount)
    change.record(person=person.pk, name=person.name, period=period.name, amount=due.amount)
    return stored


@transaction.atomic
def record_dues(
    *,
    club_id: int,
    period_id: int,
    person_id: int,
    paid: int,
    other: int | None,
    seen: RecordedAmounts | None = None,
    by: Actor = NOBODY,
) -> Dues | None:
    """Record what a person has paid for the period, and the amount charged. ``other`` is 0 if
    the person is excused, None for the usual amount. If ``seen`` is given, the stored amounts
    must still be those. Safe to repeat.

    Refuses: no_such_dues, no_such_person, changed_since, not_an_amount, amount_too_large.
    """
    change = ClubChange(club_id, "record_dues", by)
    if change.is_repeat:
        return _find_dues(period_id, person_id)
    period, person = _get_period(change, period_id), get_person(change.club, person_id)
    stored = _find_dues(period.pk, person.pk)
    check_amounts_unchanged(seen, RecordedAmounts(stored.paid, stored.other) if stored else RecordedAmounts(0, None))
    validate_amount(paid, field="paid")
    if other is not None:
        validate_amount(other, field="other")
    if stored is None and not paid and other is None:
        return None
    stored = _save_dues(change, period, person, stored, paid=paid, other=other)
    if change.rows:
        change.record(person=person.pk, name=person.name, period=period.name, paid=paid, other=other)
    return stored


def _find_dues(period_id: int, person_id: int) -> Dues | None:
    return Dues.objects.filter(period=period_id, person=person_id).first()


def _save_dues(
    change: ClubChange, period: DuesPeriod, person: Person, stored: Dues | None, **values: int | None
) -> Dues:
    if stored is None:
        stored = Dues(period=period, person=person, **values)
        change.add(stored)
    else:
        change.update(stored, **values)
    return stored


def _get_period(change: ClubChange, period_id: int) -> DuesPeriod:
    return get_row(change.club.dues_periods.all(), period_id, refusal_code="no_such_dues")


def _check_details(details: PeriodDetails) -> dict[str, object]:
    """Return the values for the row. Refuses: name_required, name_too_long, amount_required, not_an_amount,
    amount_too_large, last_before_first."""
    name = validate_name(details.name, field="name")
    if not validate_amount(details.amount, field="amount"):
        raise Refusal("amount_required", field="amount")
    if details.ends < details.starts:
        raise Refusal("last_before_first", field="ends")
    return {"name": name, "amount": details.amount, "starts": details.starts, "ends": details.ends}
