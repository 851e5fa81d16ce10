"""The auction: one round of calls (RULES §1, D1, D6, D7, D13; P, G, J), and its house rules."""

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
    AllPassRule,
    Auction,
    Call,
    Ruleset,
    Seat,
    Suit,
    TrumpRule,
    apply_house_rules,
    build_auction,
    get_side,
    read_call,
)
from tests.rules.sheets import get_refusal, property_settings
from tests.rules.vectors import Case, parametrize_cases

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
"""House rules that every ruleset allows."""

GAMES = [apply_house_rules(base, house) for base in RULESETS.values() for house in ({}, *HOUSES.values())]

STRANGE_BIDS = (None, "", "pass", "Petite", "0", "05", "9", "10")
ALL_CALLS = [
    Call(bid, suit)
    for bid in (*STRANGE_BIDS, *"12345678", "petite", "grosse", *RULESETS["canadian"].ladder[4:])
    for suit in (None, *Suit)
]


def answer(ruleset: Ruleset, case: Case) -> dict[str, object]:
    """Return the position of the first illegal call of a case, or the state of its auction."""
    auction = build_auction(ruleset, (), dealer=Seat(case["dealer"]))
    for place, (seat, call) in enumerate(case["calls"]):
        try:
            auction = auction.add_call(Seat(seat), read_call(call))
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


@pytest.mark.parametrize("case", parametrize_cases("auctions.json"))
def test_auction_follows_the_documented_cases(case: Case) -> None:
    ruleset = apply_house_rules(RULESETS[case["ruleset"]], case.get("house_rules", {}))
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
def test_call_text_is_parsed_and_printed(text: str, call: Call) -> None:
    assert read_call(text) == read_call(f"  {text} ") == call
    assert str(call) == text


@pytest.mark.parametrize("text", ["", "  ", "6 X", "6 h", "6 H H", "6 H S", "6 1"])
def test_invalid_call_text_is_refused_as_an_unknown_bid(text: str) -> None:
    auction = build_auction(MAINE, (), dealer=Seat(0))
    assert get_refusal(auction.add_call, auction.turn, read_call(text))[0] == "no_such_bid"


@pytest.mark.parametrize("call", [Call(""), Call("pass"), Call(None, Suit.HEARTS), Call("pass", Suit.CLUBS)])
@pytest.mark.parametrize("key", RULESETS)
def test_pass_has_one_valid_form(key: str, call: Call) -> None:
    auction = build_auction(RULESETS[key], (), dealer=Seat(0))
    refusal = auction.find_refusal(auction.turn, call)
    assert refusal is not None
    assert refusal.code == "no_such_bid"


def test_refusal_details_state_the_minimum_bid() -> None:
    def get_details(key: str, *calls: str) -> dict[str, object]:
        with pytest.raises(Refusal) as caught:
            build_auction(RULESETS[key], map(read_call, calls), dealer=Seat(0))
        return caught.value.details

    assert get_details("canadian", "6", "5") == {"contract": "5", "than": "6"}
    assert get_details("canadian", "4") == {"contract": "4", "minimum": 5}
    assert get_details("maine", "pass", "pass", "pass", "pass") == {"minimum": 5}
    assert get_details("maine", "0 S") == {"contract": "0", "minimum": 1}
    assert get_details("maine", "5")["contract"] == "5"
    assert get_details("two-player", "petite H") == {
        "contract": "petite H",
        "ladder": RULESETS["two-player"].ladder,
    }


def test_auction_rejects_a_dealer_without_a_seat() -> None:
    for ruleset in RULESETS.values():
        for seat in (-1, ruleset.seats):
            refusal = get_refusal(partial(build_auction, ruleset, (), dealer=Seat(seat)))
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
def test_first_bidder_may_make_every_call_in_ascending_order(key: str, calls: int) -> None:
    ruleset = RULESETS[key]
    legal = build_auction(ruleset, (), dealer=Seat(0)).list_legal_calls()
    assert legal[0] == PASS
    assert len(legal) == len(set(legal)) == calls
    rungs = [ruleset.ladder.index(call.bid or "") for call in legal[1:]]
    assert rungs == sorted(rungs)


@pytest.mark.parametrize("key", ["maine", "maine-32"])
def test_forced_dealer_may_bid_five_or_higher(key: str) -> None:
    last = build_auction(RULESETS[key], [PASS, Call("4", Suit.CLUBS), PASS], dealer=Seat(2))
    numbers = [f"{number} {suit}" for number in "567" for suit in "SHDC"]
    charlemagnes = [f"charlemagne {suit}" for suit in "SHDC"]
    assert list(map(str, last.list_legal_calls())) == [*numbers, "petite", "grosse", *charlemagnes]


@st.composite
def auctions(draw: st.DrawFn) -> Auction:
    """Generate an auction of any ruleset, with or without house rules, after any number of calls."""
    ruleset = draw(st.sampled_from(GAMES))
    auction = build_auction(ruleset, (), dealer=Seat(draw(st.integers(0, ruleset.seats - 1))))
    for _ in range(draw(st.integers(0, ruleset.seats))):
        auction = auction.add_call(auction.turn, draw(st.sampled_from(auction.list_legal_calls())))
    return auction


@pytest.mark.slow
@property_settings
@given(auctions())
def test_legal_calls_are_exactly_those_not_refused(auction: Auction) -> None:
    passing = [call for call in ALL_CALLS if auction.find_refusal(auction.turn, call) is None]
    assert set(passing) == set(auction.list_legal_calls())
    assert len(passing) == len(auction.list_legal_calls())
    assert bool(passing) is not auction.is_over


@pytest.mark.slow
@property_settings
@given(auctions(), st.sampled_from(ALL_CALLS), st.integers(0, 3))
def test_add_call_appends_a_legal_call_or_refuses_it(auction: Auction, call: Call, seat: int) -> None:
    refusal = auction.find_refusal(Seat(seat), call)
    if refusal is None:
        after = auction.add_call(Seat(seat), call)
        assert (after.calls, after.dealer, after.ruleset) == (
            (*auction.calls, call),
            auction.dealer,
            auction.ruleset,
        )
    else:
        assert get_refusal(auction.add_call, Seat(seat), call) == (refusal.code, refusal.field)
        if seat != auction.turn:
            assert refusal.code == ("auction_over" if auction.is_over else "out_of_turn")


@property_settings
@given(auctions())
def test_auction_is_one_round_of_rising_bids(auction: Auction) -> None:
    ruleset = auction.ruleset
    while not auction.is_over:
        auction = auction.add_call(auction.turn, auction.list_legal_calls()[0])
    seats = [(auction.dealer + 1 + place) % ruleset.seats for place in range(ruleset.seats)]
    assert len(auction.calls) == ruleset.seats
    assert seats[-1] == auction.dealer
    bids = [(seat, call) for seat, call in zip(seats, auction.calls, strict=True) if call != PASS]
    for (bidder, low), (seat, high) in pairwise(bids):
        if low.bid == high.bid:
            assert ruleset.counter_charlemagne
            assert high.bid == "charlemagne"
            assert ruleset.get_bid("charlemagne").ends_game
            assert get_side(Seat(bidder)) is not get_side(Seat(seat))
        else:
            assert ruleset.ladder.index(high.bid or "") > ruleset.ladder.index(low.bid or "")
    assert auction.last_bid == (bids[-1] if bids else None)


@property_settings
@given(auctions())
def test_auction_ends_in_a_playable_contract_or_is_passed_out(auction: Auction) -> None:
    ruleset = auction.ruleset
    while not auction.is_over:
        assert (auction.outcome, auction.is_passed_out) == (None, False)
        auction = auction.add_call(auction.turn, auction.list_legal_calls()[0])
    assert auction.list_legal_calls() == ()
    assert auction.is_passed_out is (auction.outcome is None)
    if auction.outcome is None:
        assert ruleset.all_pass is not AllPassRule.DEALER_MUST_BID
        assert all(call.bid is None or call.bid not in ruleset.played_keys for call in auction.calls)
        return
    assert auction.last_bid == (auction.outcome.declarer, auction.calls[-1 - count_trailing_passes(auction)])
    contract = auction.outcome.contract
    assert contract in ruleset.playable
    names_suit = ruleset.names_trump_in_bid and contract.trump is TrumpRule.NAMED
    assert (auction.outcome.trump is not None) is names_suit


def count_trailing_passes(auction: Auction) -> int:
    return next(passes for passes, call in enumerate(reversed(auction.calls)) if call != PASS)


@property_settings
@given(auctions())
def test_forced_dealer_rule_always_gives_a_contract(auction: Auction) -> None:
    forced = apply_house_rules(auction.ruleset, {"all_pass": "dealer_must_bid"})
    auction = build_auction(forced, (), dealer=auction.dealer)
    while not auction.is_over:
        passes = PASS in auction.list_legal_calls()
        assert passes or auction.turn == auction.dealer
        auction = auction.add_call(auction.turn, auction.list_legal_calls()[0])
    assert auction.outcome is not None
    assert (auction.outcome.declarer, auction.outcome.contract.number) == (auction.dealer, forced.forced_bid)


@property_settings
@given(auctions(), st.permutations(list(Suit)), st.integers(0, 3))
def test_auction_treats_suits_and_seats_alike(auction: Auction, suits: list[Suit], turn: int) -> None:
    """RULES §1: renamed suits and rotated seats leave the same calls legal."""
    names = dict(zip(Suit, suits, strict=True))
    seats = auction.ruleset.seats

    def rename_suit(call: Call) -> Call:
        return Call(call.bid, call.suit and names[call.suit])

    other = build_auction(
        auction.ruleset, map(rename_suit, auction.calls), dealer=Seat((auction.dealer + turn) % seats)
    )
    assert set(other.list_legal_calls()) == set(map(rename_suit, auction.list_legal_calls()))
    assert other.turn == (auction.turn + turn) % seats
    if auction.outcome is not None:
        assert other.outcome is not None
        assert other.outcome.contract == auction.outcome.contract
        assert other.outcome.declarer == (auction.outcome.declarer + turn) % seats
