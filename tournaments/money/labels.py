"""Fees, prizes and dues in words, and the sentences of their changes."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.name_formats import join_names
from tournaments.models import PrizeCategory, PrizeScope
from web.money_words import format_amount

FEE_ACTIONS: dict[str, str | Promise] = {
    "change_rates": _("Fee: %(member)s for members, %(guest)s for guests"),
    "change_cash_rules": _(
        "Prizes: %(prize_share)s%% of fees, rounded to %(rounding_step)s. Starting cash: %(starting_cash)s"
    ),
    "pay_fee": _("%(name)s: %(amount)s paid"),
    "pay_family": _("%(family)s, %(count)s people: %(amount)s paid"),
    "record_fee": _("%(name)s: %(paid)s paid, charged: %(asked)s"),
    "give_prize": _("Prize given to %(winners)s: %(prize)s"),
    "change_prize": _("Prize of %(winners)s changed: %(prize)s"),
    "take_back_prize": _("Prize of %(winners)s withdrawn: %(prize)s"),
    "add_prize_category": _("Prize category “%(name)s” added"),
    "change_prize_category": _("Prize category “%(name)s” changed"),
    "remove_prize_category": _("Prize category “%(name)s” removed"),
    "set_prizes_add_up": _("Several prizes per entry: changed"),
    "label_entries": _("Category “%(label)s”: %(entries)s"),
}
"""Sentences by ``Action.kind``; their values come from ``details``."""

DOOR_PRIZE_ACTIONS: dict[str, str | Promise] = {
    "draw_door_prize": _("Door prize: %(name)s, draw %(seed)s among %(among)s"),
    "clear_door_prize": _("Door prize removed from wall screen: %(name)s"),
}

DUES_ACTIONS: dict[str, str | Promise] = {
    "ask_dues": _("Dues charged for %(name)s: %(amount)s"),
    "change_dues": _("Dues changed for %(name)s: %(amount)s"),
    "pay_dues": _("%(name)s: dues of %(period)s paid, %(amount)s"),
    "record_dues": _("%(name)s: dues of %(period)s, %(paid)s paid, charged: %(asked)s"),
}
"""Sentences by ``ClubAction.kind``; their values come from ``details``."""

AMOUNTS = ("amount", "guest", "member", "paid", "rounding_step", "starting_cash")
"""Details that are amounts, in cents."""


def format_money_details(details: Mapping[str, Any]) -> dict[str, str]:
    """Return in words the details that are amounts, winners or a prize."""
    texts = {name: format_amount(details[name]) for name in AMOUNTS if name in details}
    if "other" in details:
        other = details["other"]
        texts["asked"] = gettext("the usual amount") if other is None else format_amount(other)
    if "winners" in details:
        texts["winners"] = join_names(details["winners"])
        texts["prize"] = format_prize(details["prize"], details["amount"])
    return texts


def format_prize(name: str, amount: int) -> str:
    """Name a prize: ``Ham``; ``1st prize, $20``."""
    return f"{name}, {format_amount(amount)}" if amount else name


AMONG_LABELS: Mapping[PrizeScope, str | Promise] = {
    PrizeScope.EVERYBODY: pgettext_lazy("who competes for a prize", "Everyone (main prize)"),
    PrizeScope.LABEL: pgettext_lazy("who competes for a prize", "A label (for example, Women)"),
    PrizeScope.RATING: pgettext_lazy("who competes for a prize", "A rating range"),
    PrizeScope.CLUB: pgettext_lazy("who competes for a prize", "One club, or each"),
    PrizeScope.SECTION: pgettext_lazy("who competes for a prize", "One section, or each"),
    PrizeScope.POOL: pgettext_lazy("who competes for a prize", "One pool, or each"),
    PrizeScope.CLUBS: pgettext_lazy("who competes for a prize", "Clubs"),
}


def get_category_title(category: PrizeCategory, group: str) -> str:
    """Name a category of prizes: ``Best women``; ``First of its pool: pool A``."""
    if not group:
        return category.name
    if category.among == PrizeScope.POOL:
        group = gettext("pool %(name)s") % {"name": group}
    return gettext("%(category)s: %(group)s") % {"category": category.name, "group": group}


def competitors_name(category: PrizeCategory) -> str:
    """Name the entries that compete for a prize: ``everybody``; ``Women``; ``rating 1200 to 1499``; ``each
    pool``."""
    match category.among:
        case PrizeScope.LABEL:
            return category.group
        case PrizeScope.RATING:
            return _format_rating_band(category.lowest, category.highest)
        case PrizeScope.POOL if category.group:
            return gettext("pool %(name)s") % {"name": category.group}
        case PrizeScope.CLUB | PrizeScope.SECTION if category.group:
            return category.group
    return str(_EACH_LABELS[PrizeScope(category.among)])


_EACH_LABELS: Mapping[PrizeScope, str | Promise] = {
    PrizeScope.EVERYBODY: pgettext_lazy("who competes for a prize", "everyone"),
    PrizeScope.CLUB: pgettext_lazy("who competes for a prize", "each club"),
    PrizeScope.SECTION: pgettext_lazy("who competes for a prize", "each section"),
    PrizeScope.POOL: pgettext_lazy("who competes for a prize", "each pool"),
    PrizeScope.CLUBS: pgettext_lazy("who competes for a prize", "the clubs"),
}


def _format_rating_band(lowest: int | None, highest: int | None) -> str:
    if lowest is None:
        return gettext("rating up to %(highest)s") % {"highest": highest}
    if highest is None:
        return gettext("rating from %(lowest)s") % {"lowest": lowest}
    return gettext("rating %(lowest)s to %(highest)s") % {"lowest": lowest, "highest": highest}


def format_places(first: int, last: int) -> str:
    """Name a range of places: ``Place 1``; ``Places 1 and 2``; ``Places 1 to 3``."""
    if first >= last:
        return pgettext("a prize", "Place %(number)s") % {"number": first}
    if last == first + 1:
        return gettext("Places %(first)s and %(last)s") % {"first": first, "last": last}
    return gettext("Places %(first)s to %(last)s") % {"first": first, "last": last}


def get_rank_prize_name(rank: int) -> str:
    """Name the prize of a rank: ``1st prize``."""
    names = {1: gettext("1st prize"), 2: gettext("2nd prize"), 3: gettext("3rd prize")}
    return names.get(rank, gettext("Prize"))
