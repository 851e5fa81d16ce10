"""What a page says of a ruleset: every sentence and figure comes from the value, never from its key."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .book import Rulebook, rulebook_of
from .ladder import ContractRow

__all__ = ["WHO_PLAYS", "ContractRow", "Rulebook", "rulebook_of"]

WHO_PLAYS: dict[str, str | Promise] = {
    "canadian": _("The game of eastern Canada: two Jokers on top, and a kitty for whoever wins the auction."),
    "bas-saint-laurent": _(
        "Bas-Saint-Laurent and Madawaska: no Joker, the nine on top, and a match is two games won."
    ),
    "bas-saint-laurent-jokers": _(
        "The Bas-Saint-Laurent game with two Jokers on top, and two cards laid aside as the réserve."
    ),
    "maine": _(
        "The Saint John valley in northern Maine: no Joker, the nine on top; the dealer may have to bid."
    ),
    "maine-32": _("The same as in Maine, in a longer game."),
    "two-player": _("The Bas-Saint-Laurent game for two people, who draw their hands from the pack."),
    "two-player-jokers": _("The game for two people with two Jokers on top, and a réserve."),
}
"""Where the built-in systems are at home."""
