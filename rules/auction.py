"""The auction: one round of calls that begins left of the dealer and ends with the dealer.

=========  ==============================  =========================================================
document   section                         here
=========  ==============================  =========================================================
P, V       bidding (Canada)                a bid is higher than the last: ``not_higher``
P, G       bids 1–4 inform; dealer's five  ``dealer_must_bid_5`` (``AllPass.DEALER_MUST_BID``)
J          Enchères                        no order among suits; four or less is not played
J          Charlemagne over Charlemagne    ``counter_charlemagne`` (D7)
RULES D1   all pass                        ``is_passed_out``
RULES D13  trump in the bid                ``suit_required``; a forced dealer may bid more
=========  ==============================  =========================================================
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .contracts import Contract, TrumpRule
from .refusals import Refusal
from .rulesets import AllPass, Ruleset
from .seats import Seat, Suit, side_of


@dataclass(frozen=True, slots=True)
class Call:
    """What a player says in turn: a bid, with its suit where the system names trump in the bid, or a pass.

    ``bid`` is None for a pass.
    """

    bid: str | None = None
    suit: Suit | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self.bid, self.suit) if part) or "pass"


PASS = Call()


def read_call(text: str) -> Call:
    """The call of ``pass``, ``6``, ``6 H``, ``petite``, ``charlemagne D``. Refuses: no_such_bid.

    Whether there is such a bid in a system, and whether it needs a suit, is for the auction to say.
    """
    bid, *rest = text.split() or [""]
    if text.split() == ["pass"]:
        return PASS
    if not rest:
        return Call(bid)
    if len(rest) > 1 or rest[0] not in tuple(Suit):
        raise Refusal("no_such_bid", field="calls", contract=text)
    return Call(bid, Suit(rest[0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Who plays what, with which trump: None where there is none, or where it is named after the discard."""

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
        return self._seat_of(len(self.calls))

    @property
    def last_bid(self) -> tuple[Seat, Call] | None:
        """The highest bid, which is the last one, and who made it."""
        for place in reversed(range(len(self.calls))):
            if self.calls[place].bid is not None:
                return self._seat_of(place), self.calls[place]
        return None

    @property
    def outcome(self) -> Outcome | None:
        """What is played; None while the auction goes on, and where it is passed out."""
        if not self.is_over or self.last_bid is None:
            return None
        declarer, call = self.last_bid
        contract = self.ruleset.bid(call.bid or "")
        if not self.ruleset.is_played(contract):
            return None
        return Outcome(declarer=declarer, contract=contract, trump=call.suit)

    @property
    def is_passed_out(self) -> bool:
        """Whether nobody made a bid that is played: the cards are dealt again (D1)."""
        return self.is_over and self.outcome is None

    def legal_calls(self) -> tuple[Call, ...]:
        """Everything that the seat in turn may say, low to high; nothing once the auction is over."""
        if self.is_over:
            return ()
        bids = (
            Call(contract.key, suit)
            for contract in self.ruleset.biddable
            for suit in (tuple(Suit) if self._needs_suit(contract) else (None,))
        )
        return tuple(call for call in (PASS, *bids) if self.refusal(self.turn, call) is None)

    def after(self, seat: Seat, call: Call) -> "Auction":
        """The auction after this call. Refuses: see ``refusal``."""
        refusal = self.refusal(seat, call)
        if refusal is not None:
            raise refusal
        return replace(self, calls=(*self.calls, call))

    def refusal(self, seat: Seat, call: Call) -> Refusal | None:
        """Why this seat may not make this call; None if it may.

        Codes: auction_over, out_of_turn, no_such_bid, below_minimum, suit_required, not_higher,
        dealer_must_bid_5 (whatever number the ruleset forces: ``minimum``).
        """
        return next(self._refusals(seat, call), None)

    def _refusals(self, seat: Seat, call: Call) -> Iterator[Refusal]:
        if self.is_over:
            yield Refusal("auction_over", field="calls")
        if seat != self.turn:
            yield Refusal("out_of_turn", field="calls", seat=seat, turn=self.turn)
        if call.bid is not None:
            yield from self._bid_refusals(call, call.bid)
        if self._is_below_the_forced_bid(call):
            yield Refusal("dealer_must_bid_5", field="calls", minimum=self.ruleset.forced_bid)

    def _bid_refusals(self, call: Call, bid: str) -> Iterator[Refusal]:
        try:
            contract = self.ruleset.bid(bid)
        except Refusal as refusal:
            yield refusal
            return
        if call.suit is None and self._needs_suit(contract):
            yield Refusal("suit_required", field="calls", contract=bid)
        if call.suit is not None and not self._needs_suit(contract):
            yield Refusal("no_such_bid", field="calls", contract=str(call), ladder=self.ruleset.played_keys)
        if self.last_bid is not None and not self._is_higher(contract, *self.last_bid):
            yield Refusal("not_higher", field="calls", contract=bid, than=self.last_bid[1].bid)

    def _is_higher(self, contract: Contract, bidder: Seat, last: Call) -> bool:
        ladder = self.ruleset.ladder
        if contract.key == last.bid and contract.ends_game and self.ruleset.counter_charlemagne:
            return side_of(bidder) is not side_of(self.turn)
        return ladder.index(contract.key) > ladder.index(last.bid or "")

    def _is_below_the_forced_bid(self, call: Call) -> bool:
        """A dealer who speaks last, when nobody has made a bid that is played, makes one (P, G; D13)."""
        ruleset = self.ruleset
        if ruleset.all_pass is not AllPass.DEALER_MUST_BID or self.turn != self.dealer:
            return False
        if self.last_bid is not None and ruleset.is_played(ruleset.bid(self.last_bid[1].bid or "")):
            return False
        forced = ruleset.ladder.index(str(ruleset.forced_bid))
        return call.bid is None or ruleset.ladder.index(call.bid) < forced

    def _needs_suit(self, contract: Contract) -> bool:
        return self.ruleset.names_trump_in_bid and contract.trump is TrumpRule.NAMED

    def _seat_of(self, place: int) -> Seat:
        return Seat((self.dealer + 1 + place) % self.ruleset.seats)


def auction_of(ruleset: Ruleset, calls: Iterable[Call], *, dealer: Seat) -> Auction:
    """The auction in which these calls were made in turn. Refuses: the first that is not legal."""
    auction = Auction(ruleset=ruleset, dealer=dealer)
    for call in calls:
        auction = auction.after(auction.turn, call)
    return auction
