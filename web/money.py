"""Money that a club records but never collects: whole cents, their input, and what is owed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from errors import Refusal

CENTS = 100
MAX_AMOUNT = 10_000 * CENTS
"""No fee, dues or prize of a card club is higher: a comma is missing."""

_SPACES = " \u00a0\u202f"
_DOLLARS = rf"[0-9]{{1,3}}(?:[{_SPACES}][0-9]{{3}})+|[0-9]+"
_FRENCH = re.compile(rf"(?P<whole>{_DOLLARS})?(?:[.,](?P<cents>[0-9]{{0,2}}))?")
_ENGLISH = re.compile(r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+)\.(?P<cents>[0-9]{2})")
"""A comma groups thousands only if a point precedes the cents; alone, it is the decimal separator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """An amount charged to somebody and the amount paid, in cents."""

    amount: int
    paid: int

    @property
    def owed(self) -> int:
        return max(0, self.amount - self.paid)

    @property
    def is_settled(self) -> bool:
        return self.paid >= self.amount


def combine_charges(dues: Iterable[Charge]) -> Charge:
    """Combine several people's amounts; one person's overpayment does not pay for another."""
    charges = list(dues)
    total_charged = sum(due.amount for due in charges)
    return Charge(amount=total_charged, paid=total_charged - sum(due.owed for due in charges))


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The totals of several dues, in cents. ``people`` were charged something or paid; ``settled`` of them
    owe nothing."""

    amount: int
    paid: int
    owed: int
    people: int
    settled: int

    @property
    def overpaid(self) -> int:
        """The amount paid beyond what is charged, by people no longer listed or who gave more."""
        return self.paid + self.owed - self.amount


def compute_totals(dues: Iterable[Charge]) -> Totals:
    """Add up dues; one person's overpayment does not pay for another."""
    charges = [due for due in dues if due.amount or due.paid]
    return Totals(
        amount=sum(due.amount for due in charges),
        paid=sum(due.paid for due in charges),
        owed=sum(due.owed for due in charges),
        people=len(charges),
        settled=sum(due.is_settled for due in charges),
    )


def parse_amount(text: str, *, field: str) -> int | None:
    """Parse an amount in dollars into cents: ``5``, ``5,50``, ``5.50 $``, ``$1,234.50``; None for an empty
    text. Refuses: not_an_amount, amount_too_large."""
    digits = text.replace("$", "", 1).strip()
    if not digits and not text.strip():
        return None
    found = _FRENCH.fullmatch(digits) or _ENGLISH.fullmatch(digits)
    if found is None or not (found["whole"] or found["cents"]):
        raise Refusal("not_an_amount", field=field, value=text)
    dollars = re.sub(rf"[,{_SPACES}]", "", found["whole"] or "0")
    if len(dollars) > len(str(MAX_AMOUNT)):
        raise Refusal("amount_too_large", field=field, most=MAX_AMOUNT // CENTS)
    amount = int(dollars) * CENTS + int((found["cents"] or "").ljust(2, "0"))
    return validate_amount(amount, field=field)


def validate_amount(amount: int, *, field: str) -> int:
    """Check an amount in cents, and return it.

    Refuses: amount_too_large, not_an_amount if it is below 0.
    """
    if amount < 0:
        raise Refusal("not_an_amount", field=field, value=amount)
    if amount > MAX_AMOUNT:
        raise Refusal("amount_too_large", field=field, most=MAX_AMOUNT // CENTS)
    return amount


class RecordedAmounts(NamedTuple):
    """An amount ``paid`` and the ``other`` amount charged, None for the usual one; in cents."""

    paid: int
    other: int | None


def check_amounts_unchanged(expected: RecordedAmounts | None, stored: RecordedAmounts) -> None:
    """Check that no other payment was recorded since, which would be overwritten. Refuses: changed_since."""
    if expected not in (None, stored):
        raise Refusal("changed_since")
