"""Dues of a club: the periods, and who has paid."""

import datetime
from dataclasses import dataclass, replace

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from web.money import Charge, Totals, compute_totals

from .models import Club, Dues, DuesPeriod, Person

CHARGED_AMOUNT = Coalesce("other", F("period__amount"))
"""The amount charged in a row of dues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDues:
    """A person's dues for a period; ``other`` is an amount charged instead of the usual one."""

    period: DuesPeriod
    due: Charge
    other: int | None

    @property
    def is_excused(self) -> bool:
        return self.other == 0


def list_dues_periods(club: Club) -> list[DuesPeriod]:
    """Return the club's dues periods, the latest first. One query."""
    return list(club.dues_periods.all())


def find_current_period(club: Club, day: datetime.date) -> DuesPeriod | None:
    """Return the latest period that contains the day, or else the latest that has begun. One query."""
    begun = [period for period in list_dues_periods(club) if period.starts <= day]
    return next((period for period in begun if day <= period.ends), next(iter(begun), None))


def build_settled_condition(period: DuesPeriod) -> Exists:
    """Return a condition on people: they have paid what they are charged for the period."""
    paid = Dues.objects.filter(period=period, person=OuterRef("pk"), paid__gte=CHARGED_AMOUNT)
    return Exists(paid)


def query_paying_members(club: Club) -> QuerySet[Person]:
    """Return the active members, without guests."""
    return club.people.filter(is_active=True, is_guest=False)


def get_person_dues(person: Person, period: DuesPeriod) -> PersonDues:
    """Return a person's dues for the period. One query."""
    stored = period.dues.filter(person=person).first()
    other = None if stored is None else stored.other
    charged = period.amount if other is None else other
    return PersonDues(period=period, due=Charge(amount=charged, paid=0 if stored is None else stored.paid), other=other)


def get_dues_totals(period: DuesPeriod) -> Totals:
    """Return the totals of active members; payments of others are included. Three queries."""
    members = query_paying_members(period.club)
    rows = period.dues.annotate(asked=CHARGED_AMOUNT)
    member_amounts = list(rows.filter(person__in=members).values_list("asked", "paid"))
    usual = members.count() - len(member_amounts)
    others = rows.exclude(person__in=members).aggregate(paid=Sum("paid"))["paid"] or 0
    found = compute_totals(Charge(amount=charged, paid=paid) for charged, paid in member_amounts)
    return replace(
        found,
        amount=found.amount + usual * period.amount,
        paid=found.paid + others,
        owed=found.owed + usual * period.amount,
        people=found.people + usual,
    )


def build_unpaid_condition(period: DuesPeriod) -> Q:
    """Return a condition on people: active members who owe something for the period."""
    return Q(is_active=True, is_guest=False) & ~Q(build_settled_condition(period))
