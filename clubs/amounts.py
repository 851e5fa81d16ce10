"""The form of what somebody has paid, and of what is asked of them (``partials/amounts.html``)."""

from collections.abc import Mapping

from rules import Refusal
from web.forms import FormReader

from .money_words import amount_as_typed

USUAL, OTHER, NOTHING = "usual", "other", "nothing"
"""What can be asked."""


def amounts_as_typed(*, paid: int, other: int | None) -> dict[str, str]:
    """What the form holds of what stands, in cents; ``other`` is what is asked, None for the usual amount.
    By what it has ``seen``, ``check_amounts_seen`` knows whether that still stands."""
    return {
        "paid": amount_as_typed(paid),
        "asked": USUAL if other is None else OTHER if other else NOTHING,
        "other": amount_as_typed(other or None),
        "seen": f"{paid} {USUAL if other is None else other}",
    }


def check_amounts_seen(typed: Mapping[str, str], stands: Mapping[str, str]) -> None:
    """That what stands is what the form was opened on: a payment that somebody noted meanwhile would be
    written over. Refuses: changed_since."""
    if typed.get("seen", stands["seen"]) != stands["seen"]:
        raise Refusal("changed_since")


def read_asked_amount(form: FormReader) -> int | None:
    """What is asked, in cents: None for the usual amount, 0 for nothing. Refuses in the form: no_such_choice,
    amount_required, not_an_amount, amount_too_large."""
    asked = form.choice("asked", (USUAL, OTHER, NOTHING))
    if asked == OTHER:
        return form.amount("other", required="amount_required")
    return 0 if asked == NOTHING else None
