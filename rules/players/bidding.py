"""Bidding: the highest bid that the hand can expect to make, by ``valuation``.

If the whole game is at stake, or all eight tricks are needed, only sure tricks count.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from rules.auction import PASS, Call
from rules.cards import get_trump_order
from rules.contracts import RESERVE, TRICKS, Contract, TrumpRule
from rules.preparation import PLAY_MODES, get_card_order
from rules.seats import Suit

from .player import SeatView
from .valuation import TRICK, compute_danger, count_tricks_on_lead, estimate_tricks

UNPLAYED_MARGIN = -1000
"""The margin of a bid that is not played: it would only inform."""

SMALL_CARDS = 22
"""Tenths of tricks that any hand takes besides those counted, with a partner or against one opponent."""

KITTY = 6
"""Tenths that two cards from the kitty, or from the réserve, add."""

DANGER = 3
"""The danger at which a bid to take no trick is still made, if it pays as much as it costs."""

EXTRA_DANGER = 3
"""The danger accepted beyond that, if it pays twice as much or more."""

OPEN_HAND_PENALTY = 2
"""The reduction if the hand is laid open."""

EXCHANGE_BONUS = 4
"""The addition if the two worst cards may be exchanged."""

_PREFERRED_MODES = (
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


def choose_expected_call(view: SeatView) -> Call:
    """Return the highest bid that the hand can expect to make; else a pass, or the lowest bid allowed."""
    tricks_by_suit = {
        suit: estimate_tricks(get_trump_order(view.ruleset.trump_order, suit), view.hand) for suit in Suit
    }
    legal = view.auction.list_legal_calls()
    bids = [call for call in legal if call.bid is not None]
    best: Call = PASS
    for _, rung in groupby(reversed(bids), key=lambda call: call.bid):
        margin, best = max(((_compute_margin(view, call, tricks_by_suit), call) for call in rung), key=itemgetter(0))
        if margin >= 0:
            return best
    return PASS if PASS in legal else best


def choose_best_mode(modes: Sequence[str]) -> str:
    """Choose the best mode: with the réserve if there is one; with a card of the partner's rather than
    anything else."""
    return min(
        modes, key=lambda mode: (not mode.startswith(RESERVE), _PREFERRED_MODES.index(mode.removeprefix(RESERVE)))
    )


def _compute_margin(view: SeatView, call: Call, tricks_by_suit: Mapping[Suit, int]) -> int:
    """Return how far the hand exceeds what this bid requires; below 0, it should not be bid."""
    contract = view.ruleset.get_bid(call.bid or "")
    suit = call.suit or max(Suit, key=lambda suit: tricks_by_suit[suit])
    if not view.ruleset.is_played(contract):
        return UNPLAYED_MARGIN
    if contract.most == 0:
        return _compute_allowed_danger(contract) - compute_danger(
            get_card_order(view.ruleset, contract, None), view.hand
        )
    if contract.least < TRICKS:
        kitty = KITTY if _has_kitty(contract) else 0
        return tricks_by_suit[suit] + SMALL_CARDS + kitty - TRICK * contract.least
    trump = suit if contract.trump is TrumpRule.NAMED else None
    sure = count_tricks_on_lead(get_card_order(view.ruleset, contract, trump), view.hand)
    return sure + _count_added_tricks(contract) - contract.least


def _compute_allowed_danger(contract: Contract) -> int:
    extra = EXTRA_DANGER if contract.made >= 2 * contract.failed else 0
    relief = EXCHANGE_BONUS if _has_kitty(contract) else 0
    return DANGER + extra + relief - (OPEN_HAND_PENALTY if contract.open_after is not None else 0)


def _count_added_tricks(contract: Contract) -> int:
    """Return the tricks expected from the partner's card and from the kitty; none from the kitty if the whole
    game is at stake."""
    counts_kitty = _has_kitty(contract) and not contract.ends_game
    return PLAY_MODES[choose_best_mode(contract.modes).removeprefix(RESERVE)].partner_card + int(counts_kitty)


def _has_kitty(contract: Contract) -> bool:
    """Return whether the contract will be played with the kitty, or the réserve."""
    mode = choose_best_mode(contract.modes)
    return mode.startswith(RESERVE) or PLAY_MODES[mode].takes_kitty
