"""The form for an amount paid and an amount charged (``partials/amount_fields.html``)."""

from collections.abc import Mapping

from web.forms import FormReader, parse_digits
from web.money import RecordedAmounts
from web.money_words import amount_as_typed

USUAL, OTHER, NOTHING = "usual", "other", "nothing"
"""The choices for the amount charged."""
_DIGITS = 9


def build_amount_fields(*, paid: int, other: int | None) -> dict[str, str]:
    """Return the form's fields for these amounts in cents. ``other`` is the amount charged, None for the
    usual one. ``parse_seen_amounts`` reads the field ``seen``."""
    return {
        "paid": amount_as_typed(paid),
        "asked": USUAL if other is None else OTHER if other else NOTHING,
        "other": amount_as_typed(other or None),
        "seen": f"{paid} {USUAL if other is None else other}",
    }


def parse_seen_amounts(form_data: Mapping[str, str]) -> RecordedAmounts | None:
    """Return the amounts that were stored when the form was opened; None if the form does not say."""
    paid, _, other = form_data.get("seen", "").partition(" ")
    cents = parse_digits(paid, max_digits=_DIGITS)
    return None if cents is None else RecordedAmounts(cents, parse_digits(other, max_digits=_DIGITS))


def read_charged_amount(form: FormReader) -> int | None:
    """Read the amount charged, in cents: None for the usual amount, 0 for nothing. Refuses in the form:
    no_such_choice, amount_required, not_an_amount, amount_too_large."""
    choice = form.read_choice("asked", (USUAL, OTHER, NOTHING))
    if choice == OTHER:
        return form.read_amount_field("other", required="amount_required")
    return 0 if choice == NOTHING else None
