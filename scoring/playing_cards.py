"""Cards as pages draw them and as people name them."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import SUITS
from rules import BLANCHE, JOKER, Card, CardOrder, Suit

_RANKS: dict[str, str | Promise] = {
    "A": _("ace"),
    "K": _("king"),
    "Q": _("queen"),
    "J": _("jack"),
    "10": _("ten"),
    "9": _("nine"),
    "8": _("eight"),
    "7": _("seven"),
}
_JOKERS: dict[str, str | Promise] = {BLANCHE: _("high Joker"), JOKER: _("low Joker")}


@dataclass(frozen=True, slots=True)
class CardView:
    """A playing card. ``counts_as`` is the suit that it belongs to, if that is not the printed one."""

    card: Card
    counts_as: Suit | None = None

    @property
    def is_joker(self) -> bool:
        return self.card in _JOKERS

    @property
    def is_blanche(self) -> bool:
        """The high Joker is the one without colour: it is drawn as an outline."""
        return self.card == BLANCHE

    @property
    def rank(self) -> str:
        """Rank printed on the card; a Joker has none."""
        return "" if self.is_joker else self.card[:-1]

    @property
    def suit(self) -> Suit | None:
        """Printed suit; a Joker has none."""
        return None if self.is_joker else Suit(self.card[-1])

    @property
    def is_red(self) -> bool:
        return self.card == JOKER or self.suit in (Suit.HEARTS, Suit.DIAMONDS)

    @property
    def can_change_suit(self) -> bool:
        """Whether some contract can move the card to a suit other than the printed one: Jokers and jacks."""
        return self.is_joker or self.rank == "J"

    @property
    def name(self) -> str:
        """Name of the card: ``nine of hearts``, ``low Joker``."""
        if self.is_joker:
            return str(_JOKERS[self.card])
        names = {"rank": _RANKS[self.rank], "suit": SUITS[str(self.suit)]}
        return gettext("%(rank)s of %(suit)s") % names


def build_card_view(order: CardOrder | None, card: Card) -> CardView:
    """Return the card as it counts under a contract, or as printed if the contract is not known yet."""
    printed_card = CardView(card)
    if order is None or order.suits[card] == printed_card.suit or order.suits[card] not in SUITS:
        return printed_card
    return CardView(card, Suit(order.suits[card]))
