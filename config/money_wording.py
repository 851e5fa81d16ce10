"""From code to sentence: refusals about fees, prizes and dues, and what was noted of them."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.money_words import amount_in_words
from clubs.wording import joined

MONEY_SENTENCES: dict[str, str | Promise] = {
    "not_an_amount": _("“%(value)s” is not an amount. Write it like 5 or 5.50."),
    "amount_too_large": _("Write %(most)s dollars at most."),
    "amount_required": _("Write the amount."),
    "not_at_the_event": _("This person is not in this event any more. Look at the list again."),
    "no_such_prize": _("This prize is not there any more. Look at the list again."),
    "prize_required": _("Write what is won."),
    "winner_required": _("Choose who won it."),
    "no_such_dues": _("These dues are not there any more. Look at the list again."),
}

FEE_DEEDS: dict[str, str | Promise] = {
    "change_rates": _("Fee: %(member)s for members, %(guest)s for guests"),
    "pay_fee": _("%(name)s: %(amount)s paid"),
    "pay_family": _("%(family)s, %(count)s people: %(amount)s paid"),
    "record_fee": _("%(name)s: %(paid)s paid, asked for: %(asked)s"),
    "give_prize": _("Prize given to %(winners)s: %(prize)s"),
    "change_prize": _("Prize of %(winners)s changed: %(prize)s"),
    "take_back_prize": _("Prize of %(winners)s taken back: %(prize)s"),
}
"""By ``Action.kind``; what is in a sentence are its ``details``."""

DUES_DEEDS: dict[str, str | Promise] = {
    "ask_dues": _("Dues asked for %(name)s: %(amount)s"),
    "change_dues": _("Dues changed for %(name)s: %(amount)s"),
    "pay_dues": _("%(name)s: dues of %(period)s paid, %(amount)s"),
    "record_dues": _("%(name)s: dues of %(period)s, %(paid)s paid, asked for: %(asked)s"),
}
"""By ``ClubAction.kind``, the same."""

AMOUNTS = ("amount", "guest", "member", "paid")
"""Details that are an amount, in cents."""


def money_told(details: Mapping[str, Any]) -> dict[str, str]:
    """Those of the details that are amounts, winners or a prize, as people say them."""
    told = {name: amount_in_words(details[name]) for name in AMOUNTS if name in details}
    if "other" in details:
        other = details["other"]
        told["asked"] = gettext("the usual amount") if other is None else amount_in_words(other)
    if "winners" in details:
        told["winners"] = joined(details["winners"])
        told["prize"] = prize_in_words(details["prize"], details["amount"])
    return told


def prize_in_words(name: str, amount: int) -> str:
    """``Ham``; ``1st prize, $20``."""
    return f"{name}, {amount_in_words(amount)}" if amount else name


def rank_prize(rank: int) -> str:
    """``1st prize``."""
    names = {1: gettext("1st prize"), 2: gettext("2nd prize"), 3: gettext("3rd prize")}
    return names.get(rank, gettext("Prize"))
