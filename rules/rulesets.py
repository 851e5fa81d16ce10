"""The rulesets of the game as values. A difference between two games is a field, never a branch.

==========  ============================  ==========================================================
document    section                       here
==========  ============================  ==========================================================
P, V, T     the Canadian game             ``CANADIAN``
P           32-card game without a kitty  ``MAINE``
G           the whole page                ``MAINE_32``: ``MAINE`` played to 32
J           the whole page                ``BAS_SAINT_LAURENT``
J           Variante avec Jokers          ``BAS_SAINT_LAURENT_JOKERS`` (D2, D4)
J           Variante à deux joueurs       ``TWO_PLAYER``, ``TWO_PLAYER_JOKERS``
RULES §5    decisions D1–D13              the policies
==========  ============================  ==========================================================
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from errors import Refusal

from .cards import BLANCHE, JOKERS_HIGH, NINE_HIGH
from .contracts import (
    LOWEST_PLAYED_BID,
    RESERVE,
    TRICKS,
    Contract,
    TrumpRule,
    build_all_trick_bid,
    build_no_trick_bid,
    build_number_bid,
)


class AllPassRule(StrEnum):
    """The consequence if nobody makes a bid that is played (D1)."""

    NEXT_DEALER = "next_dealer"
    SAME_DEALER = "same_dealer"
    DEALER_MUST_BID = "dealer_must_bid"


class FirstDealerRule(StrEnum):
    """The dealer of the first hand: anybody (P: "any player"; G: at random), or the player who turns the
    first spade when the pack is cut in turn (J)."""

    ANYBODY = "anybody"
    FIRST_SPADE = "first_spade"


class Leader(StrEnum):
    """The leader to the first trick of a number bid; in every other contract it is the declarer."""

    LEFT_OF_DECLARER = "left_of_declarer"
    DECLARER = "declarer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One complete ruleset.

    ``trump_order`` are the ranks of the trumps, high to low; the pack and the kitty follow from it. Cards are
    dealt ``batch`` at a time, with the kitty laid aside after ``kitty_after`` rounds of that; if ``batch`` is
    0 two people draw their hands instead (J). ``names_trump_in_bid`` is False if trump is named after the
    discard.

    ``contracts`` are all contracts of the ruleset, low to high; ``ladder`` holds the keys of those that may
    be bid. ``forced_bid`` is the least number a dealer must bid under ``DEALER_MUST_BID``. ``games_to_win``
    is the usual length of a match, which an event may set otherwise (D3).
    """

    key: str
    seats: int
    trump_order: tuple[str, ...]
    first_dealer: FirstDealerRule
    batch: int
    kitty_after: int
    names_trump_in_bid: bool
    target: int
    games_to_win: int
    contracts: tuple[Contract, ...]
    ladder: tuple[str, ...]
    all_pass: AllPassRule
    forced_bid: int
    plays_low_bids: bool
    counter_charlemagne: bool
    number_bid_leader: Leader

    def get_bid(self, key: str) -> Contract:
        """Return the contract of that name, if it may be bid. Refuses: no_such_bid, below_minimum."""
        for contract in self.contracts:
            if contract.key == key and key in self.ladder:
                return contract
        raise self._build_bid_refusal(self.biddable, key)

    def get_contract(self, key: str) -> Contract:
        """Return the contract of that name, if a hand can end in it. Refuses: no_such_bid, below_minimum."""
        for contract in self.contracts:
            if contract.key == key and key in self.ladder and self.is_played(contract):
                return contract
        raise self._build_bid_refusal(self.playable, key)

    def _build_bid_refusal(self, contracts: tuple[Contract, ...], key: str) -> Refusal:
        numbers = [contract.number for contract in contracts if contract.number is not None]
        if re.fullmatch("[0-9]", key) and numbers and int(key) < numbers[0]:
            return Refusal("below_minimum", field="contract", contract=key, minimum=numbers[0])
        return Refusal("no_such_bid", field="contract", contract=key, ladder=tuple(c.key for c in contracts))

    def is_played(self, contract: Contract) -> bool:
        """Return whether a hand is played at this bid: low number bids only inform, or mean a new deal
        (D1)."""
        return self.plays_low_bids or contract.number is None or contract.number >= LOWEST_PLAYED_BID

    @property
    def has_jokers(self) -> bool:
        return BLANCHE in self.trump_order

    @property
    def cards(self) -> int:
        """The number of cards in the pack."""
        return 34 if self.has_jokers else 32

    @property
    def kitty(self) -> int:
        """The number of cards laid aside before the auction: the kitty, or the réserve."""
        return self.cards - 32

    @property
    def biddable(self) -> tuple[Contract, ...]:
        """The contracts that may be bid, low to high."""
        return tuple(contract for contract in self.contracts if contract.key in self.ladder)

    @property
    def playable(self) -> tuple[Contract, ...]:
        """The contracts in which a hand can end, low to high."""
        return tuple(contract for contract in self.biddable if self.is_played(contract))

    @property
    def played_keys(self) -> tuple[str, ...]:
        return tuple(contract.key for contract in self.playable)


def check_ruleset(ruleset: Ruleset) -> Ruleset:
    """Check that the ruleset is a legal game, and return it.

    Refuses: no_such_bid, no_such_trump_order, no_such_deal, target_not_positive, games_not_positive,
    ladder_does_not_rise, empty_ladder, tricks_out_of_range, value_negative, value_of_game_end, no_way_to_win,
    forced_bid_not_in_ladder.
    """
    _check_ladder(ruleset)
    if ruleset.trump_order not in (JOKERS_HIGH, NINE_HIGH):
        raise Refusal("no_such_trump_order", field="trump_order")
    _check_deal(ruleset)
    if ruleset.target < 1:
        raise Refusal("target_not_positive", field="target")
    if ruleset.games_to_win < 1:
        raise Refusal("games_not_positive", field="games_to_win")
    for contract in ruleset.contracts:
        _check_values(contract)
    if not any(contract.made or contract.failed or contract.ends_game for contract in ruleset.playable):
        raise Refusal("no_way_to_win", field="contracts")
    if ruleset.all_pass is AllPassRule.DEALER_MUST_BID and str(ruleset.forced_bid) not in ruleset.played_keys:
        raise Refusal("forced_bid_not_in_ladder", field="forced_bid", bid=ruleset.forced_bid)
    return ruleset


def _check_ladder(ruleset: Ruleset) -> None:
    keys = [contract.key for contract in ruleset.contracts]
    for key in ruleset.ladder:
        if key not in keys:
            raise Refusal("no_such_bid", field="ladder", contract=key, ladder=tuple(keys))
    rungs = [keys.index(key) for key in ruleset.ladder]
    if any(low >= high for low, high in pairwise(rungs)):
        raise Refusal("ladder_does_not_rise", field="ladder")
    if not ruleset.playable:
        raise Refusal("empty_ladder", field="ladder")


def _check_deal(ruleset: Ruleset) -> None:
    """Check the deal: four get eight cards each in whole batches, with the kitty between two of them; two
    draw."""
    if ruleset.seats == 2:
        is_known = ruleset.batch == 0
    else:
        is_known = ruleset.seats == 4 and ruleset.batch in (1, 2, 4, 8)
        is_known = is_known and 0 <= ruleset.kitty_after <= TRICKS // ruleset.batch
    if not is_known:
        raise Refusal("no_such_deal", field="batch")


def _check_values(contract: Contract) -> None:
    for name, tricks in (("least", contract.least), ("most", contract.most)):
        if not 0 <= tricks <= TRICKS:
            raise Refusal("tricks_out_of_range", field=f"contracts.{contract.key}.{name}", most=TRICKS)
    for name, value in (("made", contract.made), ("failed", contract.failed)):
        field = f"contracts.{contract.key}.{name}"
        if value < 0:
            raise Refusal("value_negative", field=field, contract=contract.key)
        if value and contract.ends_game:
            raise Refusal("value_of_game_end", field=field, contract=contract.key)


def _build_number_bids(first: int, *, modes: tuple[str, ...]) -> tuple[Contract, ...]:
    return tuple(build_number_bid(tricks, modes=modes) for tricks in range(first, 9))


def _list_keys(contracts: Iterable[Contract], *, excluded: tuple[str, ...] = ()) -> tuple[str, ...]:
    return tuple(contract.key for contract in contracts if contract.key not in excluded)


_CANADIAN_CONTRACTS = (
    *_build_number_bids(5, modes=("kitty",)),
    build_no_trick_bid("mulot", trump=TrumpRule.FORCED_JOKERS, pays=(15, 7), modes=("alone",)),
    build_all_trick_bid("charlemagne", trump=TrumpRule.NAMED, pays=(16, 8), modes=("kitty_and_card",), is_alone=True),
    build_no_trick_bid("gros_mulot", trump=TrumpRule.FORCED_JOKERS, pays=(30, 15), modes=("alone",), open_after=1),
    build_all_trick_bid(
        "gros_charlemagne", trump=TrumpRule.NAMED, pays=(32, 16), modes=("kitty", "card"), is_alone=True
    ),
)

CANADIAN = Ruleset(
    key="canadian",
    seats=4,
    trump_order=JOKERS_HIGH,
    first_dealer=FirstDealerRule.ANYBODY,
    batch=2,
    kitty_after=1,
    names_trump_in_bid=False,
    target=32,
    games_to_win=1,
    contracts=_CANADIAN_CONTRACTS,
    ladder=_list_keys(_CANADIAN_CONTRACTS),
    all_pass=AllPassRule.NEXT_DEALER,
    forced_bid=LOWEST_PLAYED_BID,
    plays_low_bids=False,
    counter_charlemagne=False,
    number_bid_leader=Leader.LEFT_OF_DECLARER,
)


def _build_32_card_contracts(charlemagne_modes: tuple[str, ...]) -> tuple[Contract, ...]:
    return (
        *_build_number_bids(1, modes=("partner",)),
        build_no_trick_bid("petite", trump=TrumpRule.NONE, pays=(8, 8), modes=("alone",)),
        build_all_trick_bid("grosse", trump=TrumpRule.NONE, pays=(8, 8), modes=("partner",)),
        build_all_trick_bid("charlemagne", trump=TrumpRule.NAMED, pays=None, modes=charlemagne_modes),
    )


_MAINE_CONTRACTS = _build_32_card_contracts(("partner", "card_vs_2", "card_vs_1"))

MAINE = Ruleset(
    key="maine",
    seats=4,
    trump_order=NINE_HIGH,
    first_dealer=FirstDealerRule.ANYBODY,
    batch=4,
    kitty_after=0,
    names_trump_in_bid=True,
    target=21,
    games_to_win=1,
    contracts=_MAINE_CONTRACTS,
    ladder=_list_keys(_MAINE_CONTRACTS, excluded=("8",)),  # D6
    all_pass=AllPassRule.DEALER_MUST_BID,
    forced_bid=LOWEST_PLAYED_BID,
    plays_low_bids=False,
    counter_charlemagne=False,
    number_bid_leader=Leader.DECLARER,
)

MAINE_32 = replace(MAINE, key="maine-32", target=32)

_BAS_SAINT_LAURENT_CONTRACTS = _build_32_card_contracts(("partner", "card_vs_2", "card_vs_1", "no_card_vs_1"))

BAS_SAINT_LAURENT = replace(
    MAINE,
    key="bas-saint-laurent",
    first_dealer=FirstDealerRule.FIRST_SPADE,
    games_to_win=2,
    contracts=_BAS_SAINT_LAURENT_CONTRACTS,
    ladder=_list_keys(_BAS_SAINT_LAURENT_CONTRACTS),
    all_pass=AllPassRule.SAME_DEALER,
    counter_charlemagne=True,
)


_JOKER_TRUMP_RULES = {
    (TrumpRule.NAMED, False): TrumpRule.NAMED,
    (TrumpRule.NONE, False): TrumpRule.JOKERS,
    (TrumpRule.NONE, True): TrumpRule.FORCED_JOKERS,
}


def _add_jokers(ruleset: Ruleset, *, key: str) -> Ruleset:
    """Return the game with 34 cards: every mode also with the réserve. In a contract without a trump suit the
    Jokers are the only trumps, and in one that is lost alone they are forced (D4)."""
    contracts = tuple(
        replace(
            contract,
            trump=_JOKER_TRUMP_RULES[contract.trump, contract.most == 0],
            modes=contract.modes + tuple(RESERVE + mode for mode in contract.modes),
        )
        for contract in ruleset.contracts
    )
    return replace(ruleset, key=key, trump_order=JOKERS_HIGH, contracts=contracts)


def _convert_to_two_players(ruleset: Ruleset, *, key: str) -> Ruleset:
    """Return the game for two people: no partners, and no card to ask for (J)."""
    contracts = tuple(replace(contract, modes=("two_player",)) for contract in ruleset.contracts)
    return replace(ruleset, key=key, seats=2, batch=0, contracts=contracts)


BAS_SAINT_LAURENT_JOKERS = _add_jokers(BAS_SAINT_LAURENT, key="bas-saint-laurent-jokers")
TWO_PLAYER = _convert_to_two_players(BAS_SAINT_LAURENT, key="two-player")
TWO_PLAYER_JOKERS = _add_jokers(TWO_PLAYER, key="two-player-jokers")

RULESETS: dict[str, Ruleset] = {
    ruleset.key: check_ruleset(ruleset)
    for ruleset in (
        CANADIAN,
        BAS_SAINT_LAURENT,
        BAS_SAINT_LAURENT_JOKERS,
        MAINE,
        MAINE_32,
        TWO_PLAYER,
        TWO_PLAYER_JOKERS,
    )
}
"""The built-in rulesets by key, in the order in which they are offered."""


def has_two_player_rules(ruleset: Ruleset) -> bool:
    """Return whether the game has rules for two people (J), whatever a club has changed of it."""
    return any(two.seats == 2 and _get_game_values(two) == _get_game_values(ruleset) for two in RULESETS.values())


def _get_game_values(ruleset: Ruleset) -> tuple[object, ...]:
    """Return the values that no house rule changes, without the seats and the deal."""
    contracts = tuple(contract.key for contract in ruleset.contracts)
    return ruleset.first_dealer, ruleset.trump_order, ruleset.names_trump_in_bid, contracts
