"""The rulebook of a ruleset: every sentence and figure comes from the value, never from its key."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .bid_order import ContractRow
from .book import Rulebook, build_rulebook

REGIONS: dict[str, str | Promise] = {
    "canadian": _("Eastern Canada: two Jokers on top and a kitty."),
    "bas-saint-laurent": _("Bas-Saint-Laurent and Madawaska: no Joker, the nine on top, best of three games."),
    "bas-saint-laurent-jokers": _("Bas-Saint-Laurent with two Jokers on top and a réserve."),
    "maine": _("Saint John valley, Maine: no Joker, the nine on top; the dealer may have to bid."),
    "maine-32": _("Maine rules, with longer games."),
    "two-player": _("Bas-Saint-Laurent for two: players draw their hands from the deck."),
    "two-player-jokers": _("For two, with two Jokers on top and a réserve."),
}
"""Regions in which the built-in systems are played."""
