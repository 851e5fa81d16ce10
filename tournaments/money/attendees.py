"""Fees that people owe for an evening: plain computations, in cents."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.fee_rates import Rates
from web.money import Charge, Totals, compute_totals


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendee:
    """A person who may owe a fee. ``other`` is charged instead of the usual fee, 0 if they are excused.
    ``is_taking_part`` is true if they take part, or did; ``came`` if they were checked in or have played;
    ``is_expected`` if they play in the current round, or in the first one to come."""

    is_guest: bool
    is_taking_part: bool
    came: bool
    is_expected: bool = True
    other: int | None = None
    paid: int = 0

    @property
    def is_there(self) -> bool:
        """Whether they count: they came, or have paid, which nobody does without coming."""
        return self.came or self.paid > 0


def compute_due(attendee: Attendee, rates: Rates) -> Charge:
    """Return what is due: the usual fee, or the other amount. Nothing is due from a person who did not come, if
    they are off the list, where their payment is to be given back; or absent, unless they have paid."""
    owes = attendee.came or (attendee.is_taking_part and (attendee.is_expected or attendee.is_there))
    if not owes:
        return Charge(amount=0, paid=attendee.paid)
    usual = rates.of(is_guest=attendee.is_guest)
    return Charge(amount=usual if attendee.other is None else attendee.other, paid=attendee.paid)


def compute_fee_totals(attendees: Iterable[Attendee], rates: Rates) -> Totals:
    """Add up the fees of those who are there; nobody owes anything for an evening that they missed."""
    return compute_totals(compute_due(attendee, rates) for attendee in attendees if attendee.is_there)
