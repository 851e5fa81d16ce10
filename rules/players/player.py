"""What is asked of a player, and what that player may see when asked.

=========  ============================  ===========================================================
document   section                       here
=========  ============================  ===========================================================
J          Variante à deux joueurs       ``keeps_first``
P, V, J    bidding, Enchères             ``call``
RULES D12  ways of playing               ``mode``, ``defends_alone``
P, J       Charlemagne: a card           ``gives``; P's lone declarer may name the card wished for:
                                         nobody is asked to here, the partner gives what serves best
P          the kitty, the discards       ``discards``, then ``trump``
P          Gros Mulot laid open          ``as_seen``: the one hand that others see
=========  ============================  ===========================================================
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
    """What one seat knows of a hand before the first lead, and remembers after it.

    ``hand`` is what it holds at that moment, ``aside`` what it knows to be out of play or gave away;
    ``mode`` is empty until the declarer has chosen it.
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
        """What is played, once the auction has found it."""
        outcome = self.auction.outcome
        assert outcome is not None
        return outcome


class Player(Protocol):
    """Takes every decision that a person takes at a table, each from what that seat may see.

    A player keeps nothing between two decisions. Chance comes in as ``seed``, another one at each decision:
    the same view and the same seed give the same answer. Every answer must be legal.
    """

    def keeps_first(self, ruleset: Ruleset, kept: Hand, seen: Hand, *, seed: str) -> bool:
        """Whether the first card is kept: of one that is seen, or of the last two (J)."""
        ...

    def call(self, view: SeatView, *, seed: str) -> Call:
        """A bid or a pass, for the seat in turn."""
        ...

    def mode(self, view: SeatView, modes: tuple[str, ...], *, seed: str) -> str:
        """The declarer's way of playing, out of these (D12). The kitty has not been seen."""
        ...

    def gives(self, view: SeatView, *, seed: str) -> Card:
        """The card for a partner who plays alone: a lone declarer, or a lone defender."""
        ...

    def discards(self, view: SeatView, count: int, *, seed: str) -> Hand:
        """So many cards to lay down, of a hand that has taken up as many."""
        ...

    def trump(self, view: SeatView, *, seed: str) -> Suit:
        """The declarer's trump, where the bid did not name it; the hand is as the discard left it."""
        ...

    def defends_alone(self, view: SeatView, *, seed: str) -> bool:
        """Whether this opponent of a lone declarer plays and the other one sits out."""
        ...

    def card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        """The card to play, for the seat in turn; of the other hands, ``play`` holds what lies open.

        In ``view``, the hand is that of before the first lead.
        """
        ...


def as_seen(play: Play, seat: Seat) -> Play:
    """The play without the hands that this seat cannot see."""
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
