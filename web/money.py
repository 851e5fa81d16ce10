"""Money that a club notes and never collects: whole cents, as people write them, and what is still owed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rules import Refusal

CENTS = 100
MOST = 10_000 * CENTS
"""No fee, due or prize of a card club is larger: who types more has missed a comma."""

_SPACES = " \u00a0\u202f"
_WHOLE = rf"[0-9]{{1,3}}(?:[{_SPACES}][0-9]{{3}})+|[0-9]+"
_FRENCH = re.compile(rf"(?P<whole>{_WHOLE})?(?:[.,](?P<cents>[0-9]{{0,2}}))?")
_ENGLISH = re.compile(r"(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+)\.(?P<cents>[0-9]{2})")
"""A comma parts thousands only where a point parts the cents: alone, it is the decimal one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What is asked of somebody and what they have paid, in cents."""

    asked: int
    paid: int

    @property
    def owed(self) -> int:
        return max(0, self.asked - self.paid)

    @property
    def is_settled(self) -> bool:
        return self.paid >= self.asked


def together(dues: Iterable[Due]) -> Due:
    """What several people pay as one; who paid too much does not pay for another."""
    listed = list(dues)
    asked = sum(due.asked for due in listed)
    return Due(asked=asked, paid=asked - sum(due.owed for due in listed))


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What several dues add up to, in cents. Of so many ``people`` something was asked, or they paid;
    ``settled`` of them owe nothing."""

    asked: int
    paid: int
    owed: int
    people: int
    settled: int

    @property
    def too_much(self) -> int:
        """What was paid beyond what is asked: by whoever is off the list, or gave more."""
        return self.paid + self.owed - self.asked


def totals(dues: Iterable[Due]) -> Totals:
    """Whoever paid too much does not pay for another: what is owed is owed by each."""
    listed = [due for due in dues if due.asked or due.paid]
    return Totals(
        asked=sum(due.asked for due in listed),
        paid=sum(due.paid for due in listed),
        owed=sum(due.owed for due in listed),
        people=len(listed),
        settled=sum(due.is_settled for due in listed),
    )


def read_amount(text: str, *, field: str) -> int | None:
    """Cents of an amount in dollars as people type it: ``5``, ``5,50``, ``5.50 $``, ``$1,234.50``; None of no
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
    """Refuses: amount_too_large, not_an_amount if it is below 0."""
    if amount < 0:
        raise Refusal("not_an_amount", field=field, value=amount)
    if amount > MOST:
        raise Refusal("amount_too_large", field=field, most=MOST // CENTS)
    return amount


class AmountsNoted(NamedTuple):
    """What somebody has ``paid``, and the ``other`` amount that is asked, None for the usual; in cents."""

    paid: int
    other: int | None


def check_amounts_stand(seen: AmountsNoted | None, now: AmountsNoted) -> None:
    """That nobody has noted another payment since: it would be written over. Refuses: changed_since."""
    if seen not in (None, now):
        raise Refusal("changed_since")
