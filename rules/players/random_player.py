"""The random player: any legal action, all equally likely."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from rules.auction import PASS, Call
from rules.cards import Card
from rules.dealing import Hand
from rules.play import Play
from rules.rulesets import Ruleset
from rules.seats import Suit

from .player import SeatView

Option = TypeVar("Option")


def choice_of_seed(options: Sequence[Option], *, seed: str) -> Option:
    """Return the option that belongs to the seed, by the first eight bytes of its SHA-256.

    >>> choice_of_seed("SHDC", seed="an evening")
    'H'
    """
    if len(options) == 1:
        return options[0]
    return options[int.from_bytes(sha256(seed.encode()).digest()[:8], "big") % len(options)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomPlayer:
    """A player that chooses at random among all legal actions.

    Most legal calls are far too high for most hands. With ``passes``, the player passes that many times in a
    hundred, if it may, before it chooses among the bids: then every contract comes up.
    """

    passes: int = 0

    def keeps_first(self, ruleset: Ruleset, kept: Hand, seen: Hand, *, seed: str) -> bool:
        return choice_of_seed((True, False), seed=seed)

    def call(self, view: SeatView, *, seed: str) -> Call:
        legal = view.auction.legal_calls()
        if PASS in legal and choice_of_seed(range(100), seed=f"{seed}/passes") < self.passes:
            return PASS
        return choice_of_seed(legal, seed=seed)

    def mode(self, view: SeatView, modes: tuple[str, ...], *, seed: str) -> str:
        return choice_of_seed(modes, seed=seed)

    def gives(self, view: SeatView, *, seed: str) -> Card:
        return choice_of_seed(view.hand, seed=seed)

    def discards(self, view: SeatView, count: int, *, seed: str) -> Hand:
        chosen: Hand = ()
        for place in range(count):
            left = [card for card in view.hand if card not in chosen]
            chosen = (*chosen, choice_of_seed(left, seed=f"{seed}/{place}"))
        return chosen

    def trump(self, view: SeatView, *, seed: str) -> Suit:
        return choice_of_seed(tuple(Suit), seed=seed)

    def defends_alone(self, view: SeatView, *, seed: str) -> bool:
        return choice_of_seed((True, False), seed=seed)

    def card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        return choice_of_seed(play.obligation.cards, seed=seed)
