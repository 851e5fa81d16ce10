"""The whole rulebook of a ruleset: facts for a page to word."""

from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules import (
    LOWEST_PLAYED_BID,
    RULESETS,
    AllPassRule,
    Card,
    CardOrder,
    Contract,
    FirstDealerRule,
    Leader,
    MatchFormat,
    Ruleset,
    Suit,
    TrumpRule,
    get_card_order,
)
from scoring.playing_cards import CardView

from .bid_order import ContractRow, build_bid_order, has_reserve

_EXAMPLE = Suit.HEARTS
_CARD_NAMES = {"9": _("the nine"), "J": _("big jack"), "j": _("little jack")}


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """The rules of one ruleset, and how long its matches are."""

    ruleset: Ruleset
    match_format: MatchFormat

    @property
    def is_built_in(self) -> bool:
        return self.ruleset == RULESETS.get(self.ruleset.key)

    @property
    def is_four_player(self) -> bool:
        return self.ruleset.seats == 4

    # The cards

    @cached_property
    def order(self) -> CardOrder | None:
        """Order of the cards with the example suit as trump; None if no contract has a trump suit."""
        contracts = self._list_contracts(TrumpRule.NAMED)
        return get_card_order(self.ruleset, contracts[0], _EXAMPLE) if contracts else None

    @property
    def high_trumps(self) -> list[tuple[CardView, str]]:
        """The trumps down to the little jack, high to low, each with its name."""
        return [(CardView(card), self._format_card_name(card)) for card in self._trumps[: self._jacks]]

    @property
    def low_trumps(self) -> list[CardView]:
        return [CardView(card) for card in self._trumps[self._jacks :]]

    @property
    def side_suit(self) -> list[CardView]:
        """The cards of a suit that lacks none, high to low."""
        return [CardView(card) for card in self._list_high_to_low(Suit.SPADES)]

    @cached_property
    def _trumps(self) -> tuple[Card, ...]:
        return self._list_high_to_low(_EXAMPLE)

    @property
    def _jacks(self) -> int:
        return 1 + max(place for place, card in enumerate(self._trumps) if CardView(card).rank == "J")

    def _list_high_to_low(self, suit: Suit) -> tuple[Card, ...]:
        return () if self.order is None else self.order.list_cards(suit)

    def _format_card_name(self, card: Card) -> str:
        card_view = CardView(card)
        if card_view.is_joker:
            return card_view.name
        return str(_CARD_NAMES[card_view.rank if card_view.suit is _EXAMPLE else "j"])

    # The deal

    @property
    def is_drawn(self) -> bool:
        return not self.ruleset.batch

    @property
    def is_cut_for_deal(self) -> bool:
        return self.ruleset.first_dealer is FirstDealerRule.FIRST_SPADE

    @property
    def has_reserve(self) -> bool:
        return has_reserve(self.ruleset)

    # The auction

    @cached_property
    def rows(self) -> list[ContractRow]:
        """Rows of the order of bids, low to high."""
        return build_bid_order(self.ruleset)

    @property
    def has_low_bids(self) -> bool:
        """Whether some number bids are never played."""
        return any(not row.is_played for row in self.rows)

    @property
    def suited_bids(self) -> list[str]:
        """Bids that name their trump suit: one phrase for the number bids, and the keys of the others."""
        if not self.ruleset.names_trump_in_bid:
            return []
        has_suit = [contract for contract in self.ruleset.biddable if contract.trump is TrumpRule.NAMED]
        numbers = [gettext("Number bids")] if any(contract.number for contract in has_suit) else []
        return numbers + [contract.key for contract in has_suit if contract.number is None]

    @property
    def is_trump_named_after(self) -> bool:
        return self.order is not None and not self.ruleset.names_trump_in_bid

    @property
    def must_dealer_bid(self) -> bool:
        return self.ruleset.all_pass is AllPassRule.DEALER_MUST_BID

    @property
    def is_same_dealer_again(self) -> bool:
        return self.ruleset.all_pass is AllPassRule.SAME_DEALER

    @property
    def lowest_played_bid(self) -> int:
        return LOWEST_PLAYED_BID

    @property
    def game_enders(self) -> list[str]:
        """Contracts that win or lose the game itself."""
        return [contract.key for contract in self.ruleset.playable if contract.ends_game]

    @property
    def may_counter(self) -> bool:
        return self.ruleset.counter_charlemagne and bool(self.game_enders)

    @property
    def game_winning_contracts(self) -> list[str]:
        """Contracts that pay enough, when made, to win from any score."""
        return [contract.key for contract in self.ruleset.playable if contract.made >= self.ruleset.target]

    # The play

    @property
    def is_left_leader(self) -> bool:
        has_numbers = any(contract.number is not None for contract in self.ruleset.playable)
        return has_numbers and self.ruleset.number_bid_leader is Leader.LEFT_OF_DECLARER

    @property
    def suitless_contracts(self) -> list[str]:
        return [contract.key for contract in self.ruleset.playable if contract.trump is not TrumpRule.NAMED]

    @property
    def forcing_jokers(self) -> list[str]:
        return [contract.key for contract in self._list_contracts(TrumpRule.FORCED_JOKERS)]

    def _list_contracts(self, trump: TrumpRule) -> list[Contract]:
        return [contract for contract in self.ruleset.playable if contract.trump is trump]


def build_rulebook(ruleset: Ruleset, match_format: MatchFormat | None = None) -> Rulebook:
    """Return the rulebook. Without a match format, matches are as long as the ruleset says."""
    usual = MatchFormat(games_to_win=ruleset.games_to_win)
    return Rulebook(ruleset=ruleset, match_format=match_format or usual)
