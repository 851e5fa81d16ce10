"""Money that a club records but never collects: whole cents, their input, and what is owed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from errors import Refusal

CENTS = 100
MOST = 10_000 * CENTS
"""No fee, dues or prize of a card club is higher: a comma is missing."""

_SPACES = " \u00a0\u202f"
_WHOLE = rf"[0-9]{{1,3}}(?:[{_SPACES}][0-9]{{3}})+|[0-9]+"
_FRENCH = re.compile(rf"(?P<whole>{_WHOLE})?(?:[.,](?P<cents>[0-9]{{0,2}}))?")
_ENGLISH = re.compile(r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+)\.(?P<cents>[0-9]{2})")
"""A comma groups thousands only if a point precedes the cents; alone, it is the decimal separator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """An amount charged to somebody and the amount paid, in cents."""

    asked: int
    paid: int

    @property
    def owed(self) -> int:
        return max(0, self.asked - self.paid)

    @property
    def is_settled(self) -> bool:
        return self.paid >= self.asked


def together(dues: Iterable[Due]) -> Due:
    """Combine several people's amounts; one person's overpayment does not pay for another."""
    listed = list(dues)
    asked = sum(due.asked for due in listed)
    return Due(asked=asked, paid=asked - sum(due.owed for due in listed))


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The totals of several dues, in cents. ``people`` were charged something or paid; ``settled`` of them
    owe nothing."""

    asked: int
    paid: int
    owed: int
    people: int
    settled: int

    @property
    def too_much(self) -> int:
        """The amount paid beyond what is charged, by people no longer listed or who gave more."""
        return self.paid + self.owed - self.asked


def totals(dues: Iterable[Due]) -> Totals:
    """Add up dues; one person's overpayment does not pay for another."""
    listed = [due for due in dues if due.asked or due.paid]
    return Totals(
        asked=sum(due.asked for due in listed),
        paid=sum(due.paid for due in listed),
        owed=sum(due.owed for due in listed),
        people=len(listed),
        settled=sum(due.is_settled for due in listed),
    )


def read_amount(text: str, *, field: str) -> int | None:
    """Parse an amount in dollars into cents: ``5``, ``5,50``, ``5.50 $``, ``$1,234.50``; None for an empty
    text. Refuses: not_an_amount, amount_too_large."""
    typed = text.replace("$", "", 1).strip()
    if not typed and not text.strip():
        return None
    found = _FRENCH.fullmatch(typed) or _ENGLISH.fullmatch(typed)
    if found is None or not (found["whole"] or found["cents"]):
        raise Refusal("not_an_amount", field=field, value=text)
    whole = re.sub(rf"[,{_SPACES}]", "", found["whole"] or "0")
    if len(whole) > len(str(MOST)):
        raise Refusal("amount_too_large", field=field, most=MOST // CENTS)
    amount = int(whole) * CENTS + int((found["cents"] or "").ljust(2, "0"))
    return checked_amount(amount, field=field)


def checked_amount(amount: int, *, field: str) -> int:
    """Check an amount in cents, and return it.

    Refuses: amount_too_large, not_an_amount if it is below 0.
    """
    if amount < 0:
        raise Refusal("not_an_amount", field=field, value=amount)
    if amount > MOST:
        raise Refusal("amount_too_large", field=field, most=MOST // CENTS)
    return amount


class AmountsNoted(NamedTuple):
    """An amount ``paid`` and the ``other`` amount charged, None for the usual one; in cents."""

    paid: int
    other: int | None


def check_amounts_stand(seen: AmountsNoted | None, now: AmountsNoted) -> None:
    """Check that no other payment was recorded since, which would be overwritten. Refuses: changed_since."""
    if seen not in (None, now):
        raise Refusal("changed_since")
