"""The form of what somebody has paid, and of what is asked of them (``partials/amounts.html``)."""

from collections.abc import Mapping

from web.forms import FormReader, digits_in
from web.money import AmountsNoted

from .money_words import amount_as_typed

USUAL, OTHER, NOTHING = "usual", "other", "nothing"
"""What can be asked."""
_DIGITS = 9


def amounts_as_typed(*, paid: int, other: int | None) -> dict[str, str]:
    """What the form holds of what stands, in cents; ``other`` is what is asked, None for the usual amount.
    What it has ``seen``, ``amounts_seen`` reads."""
    return {
        "paid": amount_as_typed(paid),
        "asked": USUAL if other is None else OTHER if other else NOTHING,
        "other": amount_as_typed(other or None),
        "seen": f"{paid} {USUAL if other is None else other}",
    }


def amounts_seen(typed: Mapping[str, str]) -> AmountsNoted | None:
    """What stood when the form was opened; None where it does not say."""
    paid, _, other = typed.get("seen", "").partition(" ")
    cents = digits_in(paid, most=_DIGITS)
    return None if cents is None else AmountsNoted(cents, digits_in(other, most=_DIGITS))


def read_asked_amount(form: FormReader) -> int | None:
    """What is asked, in cents: None for the usual amount, 0 for nothing. Refuses in the form: no_such_choice,
    amount_required, not_an_amount, amount_too_large."""
    asked = form.choice("asked", (USUAL, OTHER, NOTHING))
    if asked == OTHER:
        return form.amount("other", required="amount_required")
    return 0 if asked == NOTHING else None
