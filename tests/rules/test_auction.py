"""The auction: one round of calls (RULES §1, D1, D6, D7, D13; P, G, J), and the house rules that touch it."""

from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import Refusal
from rules import (
    MAINE,
    PASS,
    RULESETS,
    AllPass,
    Auction,
    Call,
    Ruleset,
    Seat,
    Suit,
    TrumpRule,
    auction_of,
    read_call,
    side_of,
    with_house_rules,
)
from tests.rules.sheets import law, refused
from tests.rules.vectors import Case, cases

HOUSES: dict[str, dict[str, Any]] = {
    "low bids played": {"plays_low_bids": True},
    "dealer forced": {"all_pass": "dealer_must_bid"},
    "dealer forced to 6": {"all_pass": "dealer_must_bid", "forced_bid": 6},
    "dealer forced, low bids played": {"all_pass": "dealer_must_bid", "plays_low_bids": True},
    "dealer never forced": {"all_pass": "same_dealer"},
    "countered": {"counter_charlemagne": True},
    "not countered": {"counter_charlemagne": False},
    "a short ladder": {"ladder": ["5", "7", "charlemagne"]},
}
"""Differences that every system allows."""

GAMES = [with_house_rules(base, house) for base in RULESETS.values() for house in ({}, *HOUSES.values())]

STRANGE_BIDS = (None, "", "pass", "Petite", "0", "05", "9", "10")
EVERY_CALL = [
    Call(bid, suit)
    for bid in (*STRANGE_BIDS, *"12345678", "petite", "grosse", *RULESETS["canadian"].ladder[4:])
    for suit in (None, *Suit)
]


def answer(ruleset: Ruleset, case: Case) -> dict[str, object]:
    """Return what is said of the calls of a case: where the first illegal one is, or how far the auction
    is."""
    auction = auction_of(ruleset, (), dealer=Seat(case["dealer"]))
    for place, (seat, said) in enumerate(case["calls"]):
        try:
            auction = auction.after(Seat(seat), read_call(said))
        except Refusal as refusal:
            return {"legal": False, "at": place, "reason": refusal.code}
    outcome = auction.outcome
    played = outcome and {
        "declarer": outcome.declarer,
        "contract": outcome.contract.key,
        "trump": outcome.trump,
    }
    return {
        "legal": True,
        "complete": auction.is_over,
        "result": "redeal" if auction.is_passed_out else played,
    }


@pytest.mark.parametrize("case", cases("auctions.json"))
def test_an_auction_goes_as_the_documents_say(case: Case) -> None:
    ruleset = with_house_rules(RULESETS[case["ruleset"]], case.get("house_rules", {}))
    assert answer(ruleset, case) == case["expected"]


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("pass", PASS),
        ("6", Call("6")),
        ("6 H", Call("6", Suit.HEARTS)),
        ("petite", Call("petite")),
        ("charlemagne D", Call("charlemagne", Suit.DIAMONDS)),
    ],
)
def test_a_call_is_read_as_it_is_written(text: str, call: Call) -> None:
    assert read_call(text) == read_call(f"  {text} ") == call
    assert str(call) == text


@pytest.mark.parametrize("text", ["", "  ", "6 X", "6 h", "6 H H", "6 H S", "6 1"])
def test_what_is_no_call_is_a_bid_that_no_system_has(text: str) -> None:
    auction = auction_of(MAINE, (), dealer=Seat(0))
    assert refused(auction.after, auction.turn, read_call(text))[0] == "no_such_bid"


@pytest.mark.parametrize("call", [Call(""), Call("pass"), Call(None, Suit.HEARTS), Call("pass", Suit.CLUBS)])
@pytest.mark.parametrize("key", RULESETS)
def test_there_is_one_way_to_pass(key: str, call: Call) -> None:
    auction = auction_of(RULESETS[key], (), dealer=Seat(0))
    refusal = auction.refusal(auction.turn, call)
    assert refusal is not None
    assert refusal.code == "no_such_bid"


def test_a_refusal_says_what_would_have_been_right() -> None:
    def details(key: str, *said: str) -> dict[str, object]:
        with pytest.raises(Refusal) as caught:
            auction_of(RULESETS[key], map(read_call, said), dealer=Seat(0))
        return caught.value.details

    assert details("canadian", "6", "5") == {"contract": "5", "than": "6"}
    assert details("canadian", "4") == {"contract": "4", "minimum": 5}
    assert details("maine", "pass", "pass", "pass", "pass") == {"minimum": 5}
    assert details("maine", "0 S") == {"contract": "0", "minimum": 1}
    assert details("maine", "5")["contract"] == "5"
    assert details("two-player", "petite H") == {
        "contract": "petite H",
        "ladder": RULESETS["two-player"].ladder,
    }


def test_an_auction_needs_a_dealer_at_the_table() -> None:
    for ruleset in RULESETS.values():
        for seat in (-1, ruleset.seats):
            refusal = refused(partial(auction_of, ruleset, (), dealer=Seat(seat)))
            assert refusal == ("no_such_seat", "dealer")


@pytest.mark.parametrize(
    ("key", "calls"),
    [
        pytest.param("canadian", 1 + 8, id="P V"),
        pytest.param("maine", 1 + 7 * 4 + 2 + 4, id="P Maine"),
        pytest.param("maine-32", 1 + 7 * 4 + 2 + 4, id="G"),
        pytest.param("bas-saint-laurent", 1 + 8 * 4 + 2 + 4, id="J"),
        pytest.param("bas-saint-laurent-jokers", 1 + 8 * 4 + 2 + 4, id="J avec Jokers"),
        pytest.param("two-player", 1 + 8 * 4 + 2 + 4, id="J two players"),
        pytest.param("two-player-jokers", 1 + 8 * 4 + 2 + 4, id="J two players with Jokers"),
    ],
)
def test_the_first_to_speak_may_say_everything_low_to_high(key: str, calls: int) -> None:
    ruleset = RULESETS[key]
    legal = auction_of(ruleset, (), dealer=Seat(0)).legal_calls()
    assert legal[0] == PASS
    assert len(legal) == len(set(legal)) == calls
    rungs = [ruleset.ladder.index(call.bid or "") for call in legal[1:]]
    assert rungs == sorted(rungs)


@pytest.mark.parametrize("key", ["maine", "maine-32"])
def test_a_dealer_who_is_forced_has_the_fives_and_all_above_p_g(key: str) -> None:
    last = auction_of(RULESETS[key], [PASS, Call("4", Suit.CLUBS), PASS], dealer=Seat(2))
    numbers = [f"{number} {suit}" for number in "567" for suit in "SHDC"]
    charlemagnes = [f"charlemagne {suit}" for suit in "SHDC"]
    assert list(map(str, last.legal_calls())) == [*numbers, "petite", "grosse", *charlemagnes]


@st.composite
def auctions(draw: st.DrawFn) -> Auction:
    """An auction of any system, with house rules or without, as far as it may have gone."""
    ruleset = draw(st.sampled_from(GAMES))
    auction = auction_of(ruleset, (), dealer=Seat(draw(st.integers(0, ruleset.seats - 1))))
    for _ in range(draw(st.integers(0, ruleset.seats))):
        auction = auction.after(auction.turn, draw(st.sampled_from(auction.legal_calls())))
    return auction


@pytest.mark.slow
@law
@given(auctions())
def test_the_legal_calls_are_exactly_those_that_are_not_refused(auction: Auction) -> None:
    passing = [call for call in EVERY_CALL if auction.refusal(auction.turn, call) is None]
    assert set(passing) == set(auction.legal_calls())
    assert len(passing) == len(auction.legal_calls())
    assert bool(passing) is not auction.is_over


@law
@given(auctions(), st.sampled_from(EVERY_CALL), st.integers(0, 3))
def test_after_makes_a_call_or_refuses_it_and_changes_nothing_else(
    auction: Auction, call: Call, seat: int
) -> None:
    refusal = auction.refusal(Seat(seat), call)
    if refusal is None:
        after = auction.after(Seat(seat), call)
        assert (after.calls, after.dealer, after.ruleset) == (
            (*auction.calls, call),
            auction.dealer,
            auction.ruleset,
        )
    else:
        assert refused(auction.after, Seat(seat), call) == (refusal.code, refusal.field)
        if seat != auction.turn:
            assert refusal.code == ("auction_over" if auction.is_over else "out_of_turn")


@law
@given(auctions())
def test_an_auction_is_one_round_in_which_bids_rise(auction: Auction) -> None:
    ruleset = auction.ruleset
    while not auction.is_over:
        auction = auction.after(auction.turn, auction.legal_calls()[0])
    seats = [(auction.dealer + 1 + place) % ruleset.seats for place in range(ruleset.seats)]
    assert len(auction.calls) == ruleset.seats
    assert seats[-1] == auction.dealer
    bids = [(seat, call) for seat, call in zip(seats, auction.calls, strict=True) if call != PASS]
    for (bidder, low), (seat, high) in pairwise(bids):
        if low.bid == high.bid:
            assert ruleset.counter_charlemagne
            assert high.bid == "charlemagne"
            assert ruleset.bid("charlemagne").ends_game
            assert side_of(Seat(bidder)) is not side_of(Seat(seat))
        else:
            assert ruleset.ladder.index(high.bid or "") > ruleset.ladder.index(low.bid or "")
    assert auction.last_bid == (bids[-1] if bids else None)


@law
@given(auctions())
def test_an_auction_ends_in_a_contract_that_is_played_or_passed_out(auction: Auction) -> None:
    ruleset = auction.ruleset
    while not auction.is_over:
        assert (auction.outcome, auction.is_passed_out) == (None, False)
        auction = auction.after(auction.turn, auction.legal_calls()[0])
    assert auction.legal_calls() == ()
    assert auction.is_passed_out is (auction.outcome is None)
    if auction.outcome is None:
        assert ruleset.all_pass is not AllPass.DEALER_MUST_BID
        assert all(call.bid is None or call.bid not in ruleset.played_keys for call in auction.calls)
        return
    assert auction.last_bid == (auction.outcome.declarer, auction.calls[-1 - trailing_passes(auction)])
    contract = auction.outcome.contract
    assert contract in ruleset.playable
    names_suit = ruleset.names_trump_in_bid and contract.trump is TrumpRule.NAMED
    assert (auction.outcome.trump is not None) is names_suit


def trailing_passes(auction: Auction) -> int:
    return next(passes for passes, call in enumerate(reversed(auction.calls)) if call != PASS)


@law
@given(auctions())
def test_where_the_dealer_must_bid_somebody_always_plays(auction: Auction) -> None:
    forced = with_house_rules(auction.ruleset, {"all_pass": "dealer_must_bid"})
    auction = auction_of(forced, (), dealer=auction.dealer)
    while not auction.is_over:
        passes = PASS in auction.legal_calls()
        assert passes or auction.turn == auction.dealer
        auction = auction.after(auction.turn, auction.legal_calls()[0])
    assert auction.outcome is not None
    assert (auction.outcome.declarer, auction.outcome.contract.number) == (auction.dealer, forced.forced_bid)


@law
@given(auctions(), st.permutations(list(Suit)), st.integers(0, 3))
def test_nothing_in_an_auction_ranks_suits_or_seats(auction: Auction, suits: list[Suit], turn: int) -> None:
    """RULES §1: with the suits renamed and everybody moved on, the same calls are legal."""
    names = dict(zip(Suit, suits, strict=True))
    seats = auction.ruleset.seats

    def renamed(call: Call) -> Call:
        return Call(call.bid, call.suit and names[call.suit])

    other = auction_of(
        auction.ruleset, map(renamed, auction.calls), dealer=Seat((auction.dealer + turn) % seats)
    )
    assert set(other.legal_calls()) == set(map(renamed, auction.legal_calls()))
    assert other.turn == (auction.turn + turn) % seats
    if auction.outcome is not None:
        assert other.outcome is not None
        assert other.outcome.contract == auction.outcome.contract
        assert other.outcome.declarer == (auction.outcome.declarer + turn) % seats
