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


def choose_by_seed(options: Sequence[Option], *, seed: str) -> Option:
    """Return the option that belongs to the seed, by the first eight bytes of its SHA-256.

    >>> choose_by_seed("SHDC", seed="an evening")
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

    def decide_keep_first(self, ruleset: Ruleset, hand: Hand, visible: Hand, *, seed: str) -> bool:
        return choose_by_seed((True, False), seed=seed)

    def choose_call(self, view: SeatView, *, seed: str) -> Call:
        legal = view.auction.list_legal_calls()
        if PASS in legal and choose_by_seed(range(100), seed=f"{seed}/passes") < self.passes:
            return PASS
        return choose_by_seed(legal, seed=seed)

    def choose_mode(self, view: SeatView, modes: tuple[str, ...], *, seed: str) -> str:
        return choose_by_seed(modes, seed=seed)

    def choose_gift(self, view: SeatView, *, seed: str) -> Card:
        return choose_by_seed(view.hand, seed=seed)

    def choose_discards(self, view: SeatView, count: int, *, seed: str) -> Hand:
        chosen: Hand = ()
        for place in range(count):
            remaining = [card for card in view.hand if card not in chosen]
            chosen = (*chosen, choose_by_seed(remaining, seed=f"{seed}/{place}"))
        return chosen

    def choose_trump(self, view: SeatView, *, seed: str) -> Suit:
        return choose_by_seed(tuple(Suit), seed=seed)

    def decide_defend_alone(self, view: SeatView, *, seed: str) -> bool:
        return choose_by_seed((True, False), seed=seed)

    def choose_card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        return choose_by_seed(play.obligation.cards, seed=seed)
