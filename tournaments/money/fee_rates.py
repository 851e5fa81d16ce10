"""What an evening asks of those who come, by a member's and a guest's fee: plain computations, in cents."""

from collections.abc import Iterable
from dataclasses import dataclass

from web.money import Due, Totals, totals


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What a member and a guest pay to take part; 0 is nothing."""

    member: int = 0
    guest: int = 0

    def of(self, *, is_guest: bool) -> int:
        return self.guest if is_guest else self.member

    @property
    def is_free(self) -> bool:
        return not (self.member or self.guest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendee:
    """Somebody whom a fee may be asked of. ``other`` is what is asked instead of the usual fee, 0 if they are
    excused; who is ``in_it`` takes part, or did; who ``came`` was checked in or has played."""

    is_guest: bool
    in_it: bool
    came: bool
    other: int | None = None
    paid: int = 0

    @property
    def is_there(self) -> bool:
        """Whether they count: they came, or have paid, which nobody does who stays at home."""
        return self.came or self.paid > 0


def due_of(attendee: Attendee, rates: Rates) -> Due:
    """What is asked: the usual fee, or what was said instead. Nothing of who is off the list and did not
    come: what they paid is theirs again."""
    if not (attendee.in_it or attendee.came):
        return Due(asked=0, paid=attendee.paid)
    usual = rates.of(is_guest=attendee.is_guest)
    return Due(asked=usual if attendee.other is None else attendee.other, paid=attendee.paid)


def fee_totals(attendees: Iterable[Attendee], rates: Rates) -> Totals:
    """Of those who are there: nobody owes anything for an evening to which they did not come."""
    return totals(due_of(each, rates) for each in attendees if each.is_there)
