"""The form for an amount paid and an amount charged (``partials/amounts.html``)."""

from collections.abc import Mapping

from web.forms import FormReader, digits_in
from web.money import AmountsNoted

from .money_words import amount_as_typed

USUAL, OTHER, NOTHING = "usual", "other", "nothing"
"""The choices for the amount charged."""
_DIGITS = 9


def amounts_as_typed(*, paid: int, other: int | None) -> dict[str, str]:
    """Return the form's fields for these amounts in cents. ``other`` is the amount charged, None for the
    usual one. ``amounts_seen`` reads the field ``seen``."""
    return {
        "paid": amount_as_typed(paid),
        "asked": USUAL if other is None else OTHER if other else NOTHING,
        "other": amount_as_typed(other or None),
        "seen": f"{paid} {USUAL if other is None else other}",
    }


def amounts_seen(typed: Mapping[str, str]) -> AmountsNoted | None:
    """Return the amounts that were stored when the form was opened; None if the form does not say."""
    paid, _, other = typed.get("seen", "").partition(" ")
    cents = digits_in(paid, most=_DIGITS)
    return None if cents is None else AmountsNoted(cents, digits_in(other, most=_DIGITS))


def read_asked_amount(form: FormReader) -> int | None:
    """Read the amount charged, in cents: None for the usual amount, 0 for nothing. Refuses in the form:
    no_such_choice, amount_required, not_an_amount, amount_too_large."""
    asked = form.choice("asked", (USUAL, OTHER, NOTHING))
    if asked == OTHER:
        return form.amount("other", required="amount_required")
    return 0 if asked == NOTHING else None
