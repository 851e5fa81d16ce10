"""Dues of a club: the periods, and who has paid."""

import datetime
from dataclasses import dataclass, replace

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from web.money import Due, Totals, totals

from .models import Club, Dues, DuesPeriod, Person

ASKED = Coalesce("other", F("period__amount"))
"""The amount charged in a row of dues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonsDues:
    """A person's dues for a period; ``other`` is an amount charged instead of the usual one."""

    period: DuesPeriod
    due: Due
    other: int | None

    @property
    def is_excused(self) -> bool:
        return self.other == 0


def periods_of(club: Club) -> list[DuesPeriod]:
    """Return the club's dues periods, the latest first. One query."""
    return list(club.dues_periods.all())


def period_at(club: Club, day: datetime.date) -> DuesPeriod | None:
    """Return the latest period that contains the day, or else the latest that has begun. One query."""
    begun = [period for period in periods_of(club) if period.starts <= day]
    return next((period for period in begun if day <= period.ends), next(iter(begun), None))


def is_settled(period: DuesPeriod) -> Exists:
    """Return a condition on people: they have paid what they are charged for the period."""
    paid = Dues.objects.filter(period=period, person=OuterRef("pk"), paid__gte=ASKED)
    return Exists(paid)


def paying_members(club: Club) -> QuerySet[Person]:
    """Return the active members, without guests."""
    return club.people.filter(is_active=True, is_guest=False)


def dues_of(person: Person, period: DuesPeriod) -> PersonsDues:
    """Return a person's dues for the period. One query."""
    kept = period.dues.filter(person=person).first()
    other = None if kept is None else kept.other
    asked = period.amount if other is None else other
    return PersonsDues(
        period=period, due=Due(asked=asked, paid=0 if kept is None else kept.paid), other=other
    )


def dues_totals(period: DuesPeriod) -> Totals:
    """Return the totals of active members; payments of others are included. Three queries."""
    members = paying_members(period.club)
    rows = period.dues.annotate(asked=ASKED)
    own = list(rows.filter(person__in=members).values_list("asked", "paid"))
    usual = members.count() - len(own)
    others = rows.exclude(person__in=members).aggregate(paid=Sum("paid"))["paid"] or 0
    found = totals(Due(asked=asked, paid=paid) for asked, paid in own)
    return replace(
        found,
        asked=found.asked + usual * period.amount,
        paid=found.paid + others,
        owed=found.owed + usual * period.amount,
        people=found.people + usual,
    )


def owing(period: DuesPeriod) -> Q:
    """Return a condition on people: active members who owe something for the period."""
    return Q(is_active=True, is_guest=False) & ~Q(is_settled(period))
