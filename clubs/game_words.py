"""The game's names in the reader's language. The keys are those of ``rules``."""

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from rules import RESERVE, PlayedHand

FEMININE = frozenset({"petite", "grosse"})  # their French names

CONTRACTS: dict[str, str | Promise] = {
    "petite": _("Le Petit"),
    "grosse": _("High Card No Trump"),
    "mulot": _("Mulot"),
    "charlemagne": _("Charlemagne"),
    "gros_mulot": _("Gros Mulot"),
    "gros_charlemagne": _("Gros Charlemagne"),
}
"""Names of the contracts without a number, in the order of bids of every ruleset."""

UNPLAYED_HANDS: dict[str, str | Promise] = {
    "passed_out": _("All pass"),
    "misdeal": _("Misdeal"),
    "void": _("Void hand"),
    "totals": _("Paper sheet"),
    "time_called": _("Time called"),
    "undone": _("Hand undone"),
}
"""Words for records without a contract, by kind of record."""

RULESETS: dict[str, str | Promise] = {
    "canadian": _("Canadian"),
    "maine": _("Maine, to 21"),
    "maine-32": _("Maine, to 32"),
    "bas-saint-laurent": _("Bas-Saint-Laurent"),
    "bas-saint-laurent-jokers": _("Bas-Saint-Laurent with Jokers"),
    "two-player": _("Two players"),
    "two-player-jokers": _("Two players with Jokers"),
}

RULES_PHRASES: dict[str, str | Promise] = {
    "canadian": _("Canadian rules"),
    "maine": _("Maine rules"),
    "maine-32": _("Maine rules"),
    "bas-saint-laurent": _("Bas-Saint-Laurent rules"),
    "bas-saint-laurent-jokers": _("Bas-Saint-Laurent rules, with Jokers"),
    "two-player": _("rules for two players"),
    "two-player-jokers": _("rules for two players, with Jokers"),
}
"""Names of rules for use within a sentence."""

MODES: dict[str, str | Promise] = {
    "kitty": _("with the kitty"),
    "kitty_and_card": _("alone, with the kitty and a card"),
    "card": _("alone, with a card"),
    "alone": _("alone"),
    "partner": _("with the partner"),
    "card_vs_2": _("alone with a card, against two"),
    "card_vs_1": _("alone with a card, against one"),
    "no_card_vs_1": _("alone without a card, against one"),
    "two_player": _("one against one"),
}

SUITS: dict[str, str | Promise] = {
    "S": _("spades"),
    "H": _("hearts"),
    "D": _("diamonds"),
    "C": _("clubs"),
}


def contract_name(key: str) -> str:
    """Return the name of a contract; a number bid is its number."""
    return str(CONTRACTS.get(key, key))


def outcome(hand: PlayedHand) -> str:
    """Return ``made`` or ``failed``, which agrees with the contract's gender in French."""
    if hand.contract in FEMININE:
        return pgettext("Le Petit", "made") if hand.made else pgettext("Le Petit", "failed")
    return gettext("made") if hand.made else gettext("failed")


def record_name(key: str) -> str:
    """Return the name of a record: of a played hand by its contract, of any other by its kind."""
    return str(UNPLAYED_HANDS[key]) if key in UNPLAYED_HANDS else contract_name(key)


def ruleset_name(key: str) -> str:
    return str(RULESETS[key])


def get_rules_phrase(key: str) -> str:
    return str(RULES_PHRASES[key])


def mode_name(mode: str) -> str:
    if mode.startswith(RESERVE):
        return str(_("%(mode)s, réserve taken")) % {"mode": MODES[mode.removeprefix(RESERVE)]}
    return str(MODES[mode])
