"""The whole rulebook of a ruleset: facts for a page to word."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules import (
    LOWEST_PLAYED,
    RULESETS,
    AllPass,
    Card,
    CardOrder,
    Contract,
    FirstDealer,
    Leader,
    MatchFormat,
    Ruleset,
    Suit,
    TrumpRule,
    card_order,
)
from scoring.card_faces import Face

from .ladder import ContractRow, bid_ladder_of, has_reserve

_EXAMPLE = Suit.HEARTS
_NAMES = {"9": _("the nine"), "J": _("big jack"), "j": _("little jack")}


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """The rules of one ruleset, and how long its matches are."""

    ruleset: Ruleset
    match_format: MatchFormat

    @property
    def is_built_in(self) -> bool:
        return self.ruleset == RULESETS.get(self.ruleset.key)

    @property
    def is_of_four(self) -> bool:
        return self.ruleset.seats == 4

    # The cards

    @cached_property
    def order(self) -> CardOrder | None:
        """Order of the cards with the example suit as trump; None if no contract has a trump suit."""
        named = self._of_trump(TrumpRule.NAMED)
        return card_order(self.ruleset, named[0], _EXAMPLE) if named else None

    @property
    def high_trumps(self) -> list[tuple[Face, str]]:
        """The trumps down to the little jack, high to low, each with its name."""
        return [(Face(card), self._name_card(card)) for card in self._trumps[: self._jacks]]

    @property
    def low_trumps(self) -> list[Face]:
        return [Face(card) for card in self._trumps[self._jacks :]]

    @property
    def plain_suit(self) -> list[Face]:
        """The cards of a suit that lacks none, high to low."""
        return [Face(card) for card in self._high_to_low(Suit.SPADES)]

    @cached_property
    def _trumps(self) -> tuple[Card, ...]:
        return self._high_to_low(_EXAMPLE)

    @property
    def _jacks(self) -> int:
        return 1 + max(place for place, card in enumerate(self._trumps) if Face(card).rank == "J")

    def _high_to_low(self, suit: Suit) -> tuple[Card, ...]:
        return () if self.order is None else self.order.high_to_low(suit)

    def _name_card(self, card: Card) -> str:
        face = Face(card)
        if face.is_joker:
            return face.name
        return str(_NAMES[face.rank if face.suit is _EXAMPLE else "j"])

    # The deal

    @property
    def is_drawn(self) -> bool:
        return not self.ruleset.batch

    @property
    def is_cut_for_deal(self) -> bool:
        return self.ruleset.first_dealer is FirstDealer.FIRST_SPADE

    @property
    def has_reserve(self) -> bool:
        return has_reserve(self.ruleset)

    # The auction

    @cached_property
    def rows(self) -> list[ContractRow]:
        """Rows of the order of bids, low to high."""
        return bid_ladder_of(self.ruleset)

    @property
    def has_low_bids(self) -> bool:
        """Whether some number bids are never played."""
        return any(not row.is_played for row in self.rows)

    @property
    def said_with_suit(self) -> list[str]:
        """Bids that name their trump suit: one phrase for the number bids, and the keys of the others."""
        if not self.ruleset.names_trump_in_bid:
            return []
        has_suit = [contract for contract in self.ruleset.biddable if contract.trump is TrumpRule.NAMED]
        numbers = [gettext("Number bids")] if any(contract.number for contract in has_suit) else []
        return numbers + [contract.key for contract in has_suit if contract.number is None]

    @property
    def trump_is_named_after(self) -> bool:
        return self.order is not None and not self.ruleset.names_trump_in_bid

    @property
    def dealer_must_bid(self) -> bool:
        return self.ruleset.all_pass is AllPass.DEALER_MUST_BID

    @property
    def same_dealer_again(self) -> bool:
        return self.ruleset.all_pass is AllPass.SAME_DEALER

    @property
    def lowest_played(self) -> int:
        return LOWEST_PLAYED

    @property
    def game_enders(self) -> list[str]:
        """Contracts that win or lose the game itself."""
        return [contract.key for contract in self.ruleset.playable if contract.ends_game]

    @property
    def may_counter(self) -> bool:
        return self.ruleset.counter_charlemagne and bool(self.game_enders)

    @property
    def worth_a_game(self) -> list[str]:
        """Contracts that pay enough, when made, to win from any score."""
        return [contract.key for contract in self.ruleset.playable if contract.made >= self.ruleset.target]

    # The play

    @property
    def leads_left(self) -> bool:
        has_numbers = any(contract.number is not None for contract in self.ruleset.playable)
        return has_numbers and self.ruleset.number_bid_leader is Leader.LEFT_OF_DECLARER

    @property
    def without_suit(self) -> list[str]:
        return [contract.key for contract in self.ruleset.playable if contract.trump is not TrumpRule.NAMED]

    @property
    def forcing_jokers(self) -> list[str]:
        return [contract.key for contract in self._of_trump(TrumpRule.FORCED_JOKERS)]

    def _of_trump(self, trump: TrumpRule) -> list[Contract]:
        return [contract for contract in self.ruleset.playable if contract.trump is trump]


def rulebook_of(ruleset: Ruleset, match_format: MatchFormat | None = None) -> Rulebook:
    """Return the rulebook. Without a match format, matches are as long as the ruleset says."""
    usual = MatchFormat(games_to_win=ruleset.games_to_win)
    return Rulebook(ruleset=ruleset, match_format=match_format or usual)
