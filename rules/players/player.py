"""The decisions of a player, and the cards that a player may see for each.

=========  ============================  ================================================================
document   section                       here
=========  ============================  ================================================================
J          Variante à deux joueurs       ``decide_keep_first``
P, V, J    bidding, Enchères             ``choose_call``
RULES D12  ways of playing               ``choose_mode``, ``decide_defend_alone``
P, J       Charlemagne: a card           ``choose_gift``; P's lone declarer may name the card wished for:
                                         not so here, the partner chooses the card
P          the kitty, the discards       ``choose_discards``, then ``choose_trump``
P          Gros Mulot laid open          ``hide_unseen_hands``: the one hand that others see
=========  ============================  ================================================================
"""

from dataclasses import dataclass
from typing import Protocol

from rules.auction import Auction, AuctionOutcome, Call
from rules.cards import Card
from rules.dealing import Hand
from rules.play import Play
from rules.rulesets import Ruleset
from rules.seats import Seat, Suit


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """The knowledge of one seat about a hand before the first lead, kept after it.

    ``hand`` are the cards that it holds at that moment, ``aside`` those it knows to be out of play or gave
    away; ``mode`` is empty until the declarer has chosen it.
    """

    auction: Auction
    seat: Seat
    hand: Hand
    mode: str = ""
    aside: Hand = ()

    @property
    def ruleset(self) -> Ruleset:
        return self.auction.ruleset

    @property
    def outcome(self) -> AuctionOutcome:
        """The result of the auction, once it is over."""
        outcome = self.auction.outcome
        assert outcome is not None
        return outcome


class Player(Protocol):
    """A player that takes every decision at a table, each from what that seat may see.

    A player stores nothing between two decisions. Chance comes in as ``seed``, a different one for each
    decision: equal views and seeds give equal answers. Every answer must be legal.
    """

    def decide_keep_first(self, ruleset: Ruleset, hand: Hand, visible: Hand, *, seed: str) -> bool:
        """Decide whether to keep the first card: of one that is seen, or of the last two (J)."""
        ...

    def choose_call(self, view: SeatView, *, seed: str) -> Call:
        """Choose a bid or a pass, for the seat in turn."""
        ...

    def choose_mode(self, view: SeatView, modes: tuple[str, ...], *, seed: str) -> str:
        """Choose the declarer's mode of playing among these (D12). The kitty has not been seen."""
        ...

    def choose_gift(self, view: SeatView, *, seed: str) -> Card:
        """Choose the card for a partner who plays alone: a lone declarer, or a lone defender."""
        ...

    def choose_discards(self, view: SeatView, count: int, *, seed: str) -> Hand:
        """Choose so many cards to discard from a hand that has taken up as many."""
        ...

    def choose_trump(self, view: SeatView, *, seed: str) -> Suit:
        """Choose the declarer's trump, if the bid did not name it; the hand is that after the discard."""
        ...

    def decide_defend_alone(self, view: SeatView, *, seed: str) -> bool:
        """Decide whether this opponent of a lone declarer plays while the other one sits out."""
        ...

    def choose_card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        """Choose the card to play, for the seat in turn; of the other hands, ``play`` holds only those laid
        open.

        In ``view``, the hand is that before the first lead.
        """
        ...


def hide_unseen_hands(play: Play, seat: Seat) -> Play:
    """Return the play without the hands that this seat cannot see."""
    seen = (seat, play.declarer) if play.is_open else (seat,)
    return Play(
        contract=play.contract,
        declarer=play.declarer,
        order=play.order,
        active=play.active,
        first_leader=play.first_leader,
        hands=tuple(hand if place in seen else () for place, hand in enumerate(play.hands)),
        tricks=play.tricks,
        winners=play.winners,
        trick=play.trick,
    )
