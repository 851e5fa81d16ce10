"""The hands of one match, counted."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from rules import MatchState, PlayedHand, Seat, Side

from .values import Bids

CHARLEMAGNES = ("charlemagne", "gros_charlemagne")

BidsJson = list[Any]


def count_bids(state: MatchState) -> tuple[Bids, ...]:
    """Count what each side bid and made in a match. Tricks of an awarded hand do not count: the award may
    contradict them."""
    found: dict[tuple[Side, Seat | None, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for line in state.lines:
        hand = line.record
        if line.is_surplus or not isinstance(hand, PlayedHand):
            continue
        sums = found[hand.side, hand.declarer, hand.contract]
        sums[0] += 1
        sums[1] += hand.made
        number = state.ruleset.get_contract(hand.contract).number
        if number is not None and hand.tricks is not None and not hand.awarded:
            sums[2] += 1
            sums[3] += hand.tricks - number
    return tuple(Bids(*key, *sums) for key, sums in found.items())


def bids_to_json(bids: Iterable[Bids]) -> list[BidsJson]:
    """Return bids as JSON: ``["A", null, "6", 3, 2, 3, 1]``."""
    return [[each.side.name, *each[1:]] for each in bids]


def bids_from_json(data: Iterable[Sequence[Any]]) -> tuple[Bids, ...]:
    """Return the bids from the output of ``bids_to_json``."""
    return tuple(Bids(Side[side], *rest) for side, *rest in data)
