"""Bidding: the highest bid that the hand can expect to make, by ``valuing``.

If the whole game is at stake, or all eight tricks are needed, only sure tricks count.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from rules.auction import PASS, Call
from rules.cards import order_with
from rules.contracts import RESERVE, TRICKS, Contract, TrumpRule
from rules.preparation import WAYS, card_order
from rules.seats import Suit

from .player import SeatView
from .valuing import TRICK, danger, tricks, tricks_on_lead

NEVER = -1000
"""The margin of a bid that is not played: it would only inform."""

SMALL_CARDS = 22
"""Tenths of tricks that any hand takes besides those counted, with a partner or against one opponent."""

KITTY = 6
"""Tenths that two cards from the kitty, or from the réserve, add."""

DANGER = 3
"""The danger at which a bid to take no trick is still made, if it pays as much as it costs."""

DARED = 3
"""The danger accepted beyond that, if it pays twice as much or more."""

SEEN_THROUGH = 2
"""The reduction if the hand is laid open."""

RELIEF = 4
"""The addition if the two worst cards may be exchanged."""

_PREFERRED = (
    "kitty_and_card",
    "card",
    "card_vs_2",
    "card_vs_1",
    "kitty",
    "partner",
    "no_card_vs_1",
    "alone",
    "two_player",
)
"""Modes of playing, the best first."""


def expected_call(view: SeatView) -> Call:
    """Return the highest bid that the hand can expect to make; else a pass, or the lowest bid allowed."""
    worth = {suit: tricks(order_with(view.ruleset.trump_order, suit), view.hand) for suit in Suit}
    legal = view.auction.legal_calls()
    bids = [call for call in legal if call.bid is not None]
    best: Call = PASS
    for _, rung in groupby(reversed(bids), key=lambda call: call.bid):
        margin, best = max(((_margin(view, call, worth), call) for call in rung), key=itemgetter(0))
        if margin >= 0:
            return best
    return PASS if PASS in legal else best


def best_mode(modes: Sequence[str]) -> str:
    """Choose the best mode: with the réserve if there is one; with a card of the partner's rather than
    anything else."""
    return min(
        modes, key=lambda mode: (not mode.startswith(RESERVE), _PREFERRED.index(mode.removeprefix(RESERVE)))
    )


def _margin(view: SeatView, call: Call, worth: Mapping[Suit, int]) -> int:
    """Return how far the hand exceeds what this bid requires; below 0, it should not be bid."""
    contract = view.ruleset.bid(call.bid or "")
    suit = call.suit or max(Suit, key=lambda suit: worth[suit])
    if not view.ruleset.is_played(contract):
        return NEVER
    if contract.most == 0:
        return _bearable_danger(contract) - danger(card_order(view.ruleset, contract, None), view.hand)
    if contract.least < TRICKS:
        kitty = KITTY if _takes_kitty(contract) else 0
        return worth[suit] + SMALL_CARDS + kitty - TRICK * contract.least
    trump = suit if contract.trump is TrumpRule.NAMED else None
    sure = tricks_on_lead(card_order(view.ruleset, contract, trump), view.hand)
    return sure + _tricks_added(contract) - contract.least


def _bearable_danger(contract: Contract) -> int:
    dared = DARED if contract.made >= 2 * contract.failed else 0
    relief = RELIEF if _takes_kitty(contract) else 0
    return DANGER + dared + relief - (SEEN_THROUGH if contract.open_after is not None else 0)


def _tricks_added(contract: Contract) -> int:
    """Return the tricks expected from the partner's card and from the kitty; none from the kitty if the whole
    game is at stake."""
    hoped_for = _takes_kitty(contract) and not contract.ends_game
    return WAYS[best_mode(contract.modes).removeprefix(RESERVE)].partner_card + int(hoped_for)


def _takes_kitty(contract: Contract) -> bool:
    """Return whether the contract will be played with the kitty, or the réserve."""
    mode = best_mode(contract.modes)
    return mode.startswith(RESERVE) or WAYS[mode].takes_kitty
