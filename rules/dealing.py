"""Dealing, from the shuffle to the hands: batches, the kitty, the first dealer, and the draw of two.

Chance comes in as a seed: the same seed gives the same pack in any language, since a card's place in the
shuffle is the SHA-256 of ``"<seed>/<card>"``.

=========  ============================  ================================================================
document   section                       here
=========  ============================  ================================================================
P, V       Deal (Canada)                 two at a time, kitty during the deal: ``batch``, ``kitty_after``
P          32-card game                  four at a time
J          Distribution des cartes       first spade cut: ``choose_first_dealer``; four at a time
J          Variante avec Jokers          the réserve is laid aside first: ``kitty_after=0``
J          Variante à deux joueurs       ``PackDraw``: sixteen decisions
RULES D1   redeal policies               ``folds``: who deals after a hand without score
=========  ============================  ================================================================
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count

from errors import Refusal

from .cards import Card, get_pack
from .contracts import TRICKS
from .rulesets import FirstDealerRule, Ruleset
from .seats import Seat, get_next_seat

Hand = tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCards:
    """The cards dealt: eight to each seat, and those laid aside: the kitty, or the réserve."""

    dealer: Seat
    hands: tuple[Hand, ...]
    kitty: Hand = ()


def shuffle_pack(ruleset: Ruleset, *, seed: str) -> tuple[Card, ...]:
    """Return the whole pack in the order that belongs to this seed, top card first."""
    return tuple(sorted(get_pack(ruleset.trump_order), key=lambda card: sha256(f"{seed}/{card}".encode()).digest()))


def choose_first_dealer(ruleset: Ruleset, *, seed: str) -> Seat:
    """Return the dealer of the first hand of a match.

    If the ruleset cuts the pack for it, the seats turn up a card each, from seat 0, until one is a spade (J).
    """
    pack = shuffle_pack(ruleset, seed=f"{seed}/cut")
    if ruleset.first_dealer is FirstDealerRule.FIRST_SPADE:
        return Seat(next(turn for turn, card in enumerate(pack) if card[-1] == "S") % ruleset.seats)
    return Seat(sha256(f"{seed}/dealer".encode()).digest()[0] % ruleset.seats)


def deal(ruleset: Ruleset, pack: Sequence[Card], *, dealer: Seat) -> DealtCards:
    """Deal the pack as the ruleset has it, beginning left of the dealer.

    Refuses: no_such_seat, wrong_pack, cards_are_drawn (two people draw their hands: ``PackDraw``).
    """
    check_seat(ruleset, dealer, field="dealer")
    check_pack(ruleset, pack)
    if not ruleset.batch:
        raise Refusal("cards_are_drawn", field="ruleset", ruleset=ruleset.key)
    hands: list[list[Card]] = [[] for _ in range(ruleset.seats)]
    kitty: Hand = ()
    top = 0
    for turn in count():
        if turn == ruleset.kitty_after:
            kitty = tuple(pack[top : top + ruleset.kitty])
            top += ruleset.kitty
        if top == len(pack):
            break
        for seat in list_seats_from(get_next_seat(dealer, seats=ruleset.seats), seats=ruleset.seats):
            hands[seat] += pack[top : top + ruleset.batch]
            top += ruleset.batch
    return DealtCards(dealer=dealer, hands=tuple(tuple(hand) for hand in hands), kitty=kitty)


def list_seats_from(first: Seat, *, seats: int) -> tuple[Seat, ...]:
    """Return all the seats, clockwise from this one."""
    return tuple(Seat((first + turn) % seats) for turn in range(seats))


def check_seat(ruleset: Ruleset, seat: Seat, *, field: str) -> None:
    """Check that the table has this seat. Refuses: no_such_seat."""
    if seat not in range(ruleset.seats):
        raise Refusal("no_such_seat", field=field, seats=ruleset.seats)


def check_pack(ruleset: Ruleset, cards: Iterable[Card]) -> None:
    """Check that these are the whole pack, each card once. Refuses: wrong_pack."""
    sorted_cards = sorted(cards)
    if sorted_cards != sorted(get_pack(ruleset.trump_order)):
        raise Refusal("wrong_pack", field="cards", cards=len(sorted_cards), expected=ruleset.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackDraw:
    """A draw in which two people take their hands from the pack, two cards to a decision (J).

    The player in turn looks at the first card: if it is kept, the second is discarded unseen; if it is
    discarded, the second must be kept. Of the last two cards both are seen. ``hands`` and ``discards`` are in
    the order of play.
    """

    ruleset: Ruleset
    dealer: Seat
    pack: tuple[Card, ...]
    hands: tuple[Hand, Hand] = ((), ())
    discards: tuple[Hand, Hand] = ((), ())

    @classmethod
    def begin(cls, ruleset: Ruleset, pack: Sequence[Card], *, dealer: Seat) -> "PackDraw":
        """Begin a draw. Refuses: no_such_seat, wrong_pack, cards_are_dealt (four players do not draw)."""
        check_seat(ruleset, dealer, field="dealer")
        check_pack(ruleset, pack)
        if ruleset.batch:
            raise Refusal("cards_are_dealt", field="ruleset", ruleset=ruleset.key)
        return cls(ruleset=ruleset, dealer=dealer, pack=tuple(pack))

    @property
    def decisions(self) -> int:
        """The decisions taken so far, of twice eight."""
        return sum(len(hand) for hand in self.hands)

    @property
    def is_over(self) -> bool:
        return self.decisions == 2 * TRICKS

    @property
    def turn(self) -> Seat:
        """The seat that decides next: the dealer's opponent begins."""
        return Seat((self.dealer + 1 + self.decisions) % 2)

    @property
    def visible_cards(self) -> Hand:
        """The cards that the player in turn sees before deciding."""
        return self._next_cards if self.decisions == 2 * TRICKS - 1 else self._next_cards[:1]

    def add_decision(self, *, keeps_first: bool) -> "PackDraw":
        """Return the draw after this decision. Refuses: draw_is_over."""
        if self.is_over:
            raise Refusal("draw_is_over", field="keep_first", decisions=2 * TRICKS)
        first, second = self._next_cards
        chosen, discarded = (first, second) if keeps_first else (second, first)
        return replace(
            self,
            hands=_give_card(self.hands, self.turn, chosen),
            discards=_give_card(self.discards, self.turn, discarded),
        )

    def deal(self) -> DealtCards:
        """Return the hands, once all is drawn. Refuses: draw_not_over."""
        if not self.is_over:
            raise Refusal("draw_not_over", field="keep_first", decisions=2 * TRICKS)
        return DealtCards(dealer=self.dealer, hands=self.hands, kitty=self.pack[: self.ruleset.kitty])

    @property
    def _next_cards(self) -> Hand:
        top = self.ruleset.kitty + 2 * self.decisions
        return self.pack[top : top + 2]


def _give_card(hands: tuple[Hand, Hand], seat: Seat, card: Card) -> tuple[Hand, Hand]:
    first, second = hands
    return ((*first, card), second) if seat == 0 else (first, (*second, card))
