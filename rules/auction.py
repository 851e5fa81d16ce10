"""The auction: one round of calls, which begins left of the dealer and ends with the dealer.

=========  ==============================  =========================================================
document   section                         here
=========  ==============================  =========================================================
P, V       bidding (Canada)                a bid is higher than the last: ``not_higher``
P, G       bids 1–4 inform; dealer's five  ``dealer_must_bid_5`` (``AllPassRule.DEALER_MUST_BID``)
J          Enchères                        no order among suits; four or less is not played
J          Charlemagne over Charlemagne    ``counter_charlemagne`` (D7)
RULES D1   all pass                        ``is_passed_out``
RULES D13  trump in the bid                ``suit_required``; a forced dealer may bid more
=========  ==============================  =========================================================
"""

from collections.abc import Iterable
from dataclasses import dataclass

from errors import Refusal

from .contracts import Contract, TrumpRule
from .dealing import check_seat
from .rulesets import AllPassRule, Ruleset
from .seats import Seat, Suit, get_side


@dataclass(frozen=True, slots=True)
class Call:
    """A call by a player: a pass, or a bid, with its suit if the ruleset requires one.

    ``bid`` is None for a pass.
    """

    bid: str | None = None
    suit: Suit | None = None

    def __str__(self) -> str:
        return "pass" if self == PASS else " ".join(filter(None, (self.bid, self.suit)))


PASS = Call()


def read_call(text: str) -> Call:
    """Read a call: ``pass``, ``6``, ``6 H``, ``petite``, ``charlemagne D``.

    Anything else becomes a bid that no ruleset has, which the auction then refuses in its place.
    """
    match text.split():
        case ["pass"]:
            return PASS
        case [bid, suit] if suit in tuple(Suit):
            return Call(bid, Suit(suit))
    return Call(text.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionOutcome:
    """The declarer, the contract and the trump: None if there is none, or if it is named after the
    discard."""

    declarer: Seat
    contract: Contract
    trump: Suit | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Auction:
    """The calls so far, each legal when it was made."""

    ruleset: Ruleset
    dealer: Seat
    calls: tuple[Call, ...] = ()

    @property
    def is_over(self) -> bool:
        return len(self.calls) == self.ruleset.seats

    @property
    def turn(self) -> Seat:
        """The seat that calls next; the seat that began, once the auction is over."""
        return self._get_seat(len(self.calls))

    @property
    def last_bid(self) -> tuple[Seat, Call] | None:
        """The highest bid, which is the last one, with its seat; None if there is none."""
        for place in reversed(range(len(self.calls))):
            if self.calls[place].bid is not None:
                return self._get_seat(place), self.calls[place]
        return None

    @property
    def outcome(self) -> AuctionOutcome | None:
        """The result of the auction; None while it goes on, and if it is passed out."""
        if not self.is_over or self.last_bid is None:
            return None
        declarer, call = self.last_bid
        contract = self.ruleset.get_bid(call.bid or "")
        if not self.ruleset.is_played(contract):
            return None
        return AuctionOutcome(declarer=declarer, contract=contract, trump=call.suit)

    @property
    def is_passed_out(self) -> bool:
        """Whether nobody made a bid that is played: the cards are dealt again (D1)."""
        return self.is_over and self.outcome is None

    def list_legal_calls(self) -> tuple[Call, ...]:
        """Return all legal calls of the seat in turn, low to high; empty once the auction is over."""
        if self.is_over:
            return ()
        bids = (
            Call(contract.key, suit)
            for contract in self.ruleset.biddable
            if self._find_low_bid_refusal(contract) is None
            for suit in self._list_suits(contract)
        )
        return (PASS, *bids) if self._find_low_bid_refusal(None) is None else tuple(bids)

    def add_call(self, seat: Seat, call: Call) -> "Auction":
        """Return the auction after this call. Refuses: see ``find_refusal``."""
        refusal = self.find_refusal(seat, call)
        if refusal is not None:
            raise refusal
        return Auction(ruleset=self.ruleset, dealer=self.dealer, calls=(*self.calls, call))

    def find_refusal(self, seat: Seat, call: Call) -> Refusal | None:
        """Return why this seat may not make this call; None if it may.

        Codes: auction_over, out_of_turn, no_such_bid, below_minimum, suit_required, not_higher,
        dealer_must_bid_5 (whatever number the ruleset forces: ``minimum``).
        """
        if self.is_over:
            return Refusal("auction_over", field="calls")
        if seat != self.turn:
            return Refusal("out_of_turn", field="calls", seat=seat, turn=self.turn)
        if call == PASS:
            return self._find_low_bid_refusal(None)
        try:
            contract = self.ruleset.get_bid(call.bid or "")
        except Refusal as refusal:
            return refusal
        if call.suit not in self._list_suits(contract):
            return Refusal(
                "suit_required" if call.suit is None else "no_such_bid",
                field="calls",
                contract=str(call),
                ladder=self.ruleset.ladder,
            )
        return self._find_low_bid_refusal(contract)

    def _list_suits(self, contract: Contract) -> tuple[Suit | None, ...]:
        """Return the suits with which a contract may be bid: None if the bid names no suit (D13)."""
        has_suit = self.ruleset.names_trump_in_bid and contract.trump is TrumpRule.NAMED
        return tuple(Suit) if has_suit else (None,)

    def _find_low_bid_refusal(self, contract: Contract | None) -> Refusal | None:
        """Return why the seat in turn must bid higher than this contract, or may not pass; None if the call
        is high enough."""
        last, forced_bid = self.last_bid, self.ruleset.forced_bid
        if contract is not None and last is not None and not self._is_higher(contract, *last):
            return Refusal("not_higher", field="calls", contract=contract.key, than=last[1].bid)
        if self._is_forced(last) and (
            contract is None or self._get_rank(contract.key) < self._get_rank(str(forced_bid))
        ):
            return Refusal("dealer_must_bid_5", field="calls", minimum=forced_bid)
        return None

    def _is_higher(self, contract: Contract, bidder: Seat, last: Call) -> bool:
        if contract.key == last.bid and contract.ends_game and self.ruleset.counter_charlemagne:
            return get_side(bidder) is not get_side(self.turn)
        return self._get_rank(contract.key) > self._get_rank(last.bid)

    def _is_forced(self, last: tuple[Seat, Call] | None) -> bool:
        """Return whether the dealer in turn must bid, as nobody has made a bid that is played (P, G; D13)."""
        if self.ruleset.all_pass is not AllPassRule.DEALER_MUST_BID or self.turn != self.dealer:
            return False
        return last is None or not self.ruleset.is_played(self.ruleset.get_bid(last[1].bid or ""))

    def _get_rank(self, bid: str | None) -> int:
        return self.ruleset.ladder.index(bid or "")

    def _get_seat(self, place: int) -> Seat:
        return Seat((self.dealer + 1 + place) % self.ruleset.seats)


def build_auction(ruleset: Ruleset, calls: Iterable[Call], *, dealer: Seat) -> Auction:
    """Return the auction in which these calls were made in turn.

    Refuses: no_such_seat, and the first call that is not legal.
    """
    check_seat(ruleset, dealer, field="dealer")
    auction = Auction(ruleset=ruleset, dealer=dealer)
    for call in calls:
        auction = auction.add_call(auction.turn, call)
    return auction
