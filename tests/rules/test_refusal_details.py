"""Refusals of calls, deals, preparations and plays: code, field, and the details for the sentence."""

from collections.abc import Callable
from typing import Any

import pytest

from errors import Refusal
from rules import (
    BAS_SAINT_LAURENT,
    CANADIAN,
    MAINE,
    MAINE_32,
    TWO_PLAYER,
    Auction,
    AuctionOutcome,
    Card,
    PackDraw,
    Preparation,
    Seat,
    Suit,
    build_auction,
    build_setup,
    deal,
    find_first_illegal_play,
    get_card_order,
    get_trick_winner,
    prepare_play,
    read_call,
    read_card,
    shuffle_pack,
)

PACK = shuffle_pack(MAINE, seed="told")
DEALT_PACK = deal(MAINE, PACK, dealer=Seat(3))
SIX = AuctionOutcome(declarer=Seat(0), contract=MAINE.get_contract("6"), trump=Suit.HEARTS)
LONE_OUTCOME = AuctionOutcome(declarer=Seat(0), contract=MAINE.get_contract("charlemagne"), trump=Suit.HEARTS)
PLAY = prepare_play(MAINE, DEALT_PACK, SIX, Preparation(mode="partner"))
MISSING_CARD = next(card for card in PACK if card not in DEALT_PACK.hands[0])


def get_refusal(call: Callable[[], object]) -> tuple[str, str | None, dict[str, Any]]:
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value.code, caught.value.field, caught.value.details


def auction(calls_text: str, dealer: int = 0) -> Auction:
    return build_auction(MAINE, map(read_call, calls_text.split(",") if calls_text else []), dealer=Seat(dealer))


def build_call(calls_text: str, seat: int, call: str) -> Callable[[], object]:
    return lambda: auction(calls_text).add_call(Seat(seat), read_call(call))


def build_prepare(**choices: Any) -> Callable[[], object]:
    return lambda: prepare_play(MAINE, DEALT_PACK, LONE_OUTCOME, Preparation(**{"mode": "card_vs_2", **choices}))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (build_call("pass,pass,pass,5 S", 1, "pass"), ("auction_over", "calls", {})),
        (build_call("pass", 1, "pass"), ("out_of_turn", "calls", {"seat": 1, "turn": 2})),
        (build_call("6 S", 2, "5 H"), ("not_higher", "calls", {"contract": "5", "than": "6"})),
        (build_call("pass,pass,4 S", 0, "pass"), ("dealer_must_bid_5", "calls", {"minimum": 5})),
        (build_call("", 1, "5"), ("suit_required", "calls", {"contract": "5", "ladder": MAINE.ladder})),
        (
            build_call("", 1, "petite H"),
            ("no_such_bid", "calls", {"contract": "petite H", "ladder": MAINE.ladder}),
        ),
        (lambda: auction("", dealer=4), ("no_such_seat", "dealer", {"seats": 4})),
    ],
)
def test_auction_refusal_has_code_field_and_details(call: Callable[[], object], expected: object) -> None:
    assert get_refusal(call) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: read_card("1H"), ("no_such_card", "cards", {"card": "1H"})),
        (
            lambda: deal(MAINE, PACK[1:], dealer=Seat(0)),
            ("wrong_pack", "cards", {"cards": 31, "expected": 32}),
        ),
        (
            lambda: deal(TWO_PLAYER, PACK, dealer=Seat(0)),
            ("cards_are_drawn", "ruleset", {"ruleset": "two-player"}),
        ),
        (
            lambda: PackDraw.begin(MAINE_32, PACK, dealer=Seat(0)),
            ("cards_are_dealt", "ruleset", {"ruleset": "maine-32"}),
        ),
        (
            lambda: PackDraw.begin(TWO_PLAYER, PACK, dealer=Seat(0)).deal(),
            ("draw_not_over", "keep_first", {"decisions": 16}),
        ),
    ],
)
def test_deal_refusal_has_code_field_and_details(call: Callable[[], object], expected: object) -> None:
    assert get_refusal(call) == expected


def test_finished_draw_refusal_counts_the_decisions() -> None:
    draw = PackDraw.begin(TWO_PLAYER, PACK, dealer=Seat(0))
    for _ in range(16):
        draw = draw.add_decision(keeps_first=True)
    assert get_refusal(lambda: draw.add_decision(keeps_first=True)) == ("draw_is_over", "keep_first", {"decisions": 16})


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            lambda: build_setup(MAINE, MAINE.get_contract("petite"), declarer=Seat(0), mode="partner"),
            ("no_such_mode", "mode", {"contract": "petite", "modes": ("alone",)}),
        ),
        (
            lambda: build_setup(MAINE, LONE_OUTCOME.contract, declarer=Seat(1), mode="card_vs_1"),
            ("defender_required", "defender", {"opponents": [2, 0]}),
        ),
        (
            lambda: build_setup(MAINE, LONE_OUTCOME.contract, declarer=Seat(1), mode="card_vs_1", defender=Seat(3)),
            ("defender_not_opponent", "defender", {"opponents": [2, 0]}),
        ),
        (lambda: get_card_order(MAINE, SIX.contract, None), ("trump_required", "trump", {"contract": "6"})),
        (
            lambda: get_card_order(MAINE, MAINE.get_contract("petite"), Suit.CLUBS),
            ("trump_not_allowed", "trump", {"contract": "petite"}),
        ),
        (build_prepare(trump=Suit.CLUBS), ("trump_already_named", "trump", {"trump": Suit.HEARTS})),
        (build_prepare(), ("card_required", "partner_card", {})),
        (
            build_prepare(partner_card=DEALT_PACK.hands[0][0]),
            ("card_not_held", "partner_card", {"card": DEALT_PACK.hands[0][0]}),
        ),
        (
            build_prepare(partner_card=DEALT_PACK.hands[2][0]),
            ("wrong_number_of_discards", "discards", {"discards": 1}),
        ),
        (
            build_prepare(mode="partner", partner_card=DEALT_PACK.hands[2][0]),
            ("card_not_allowed", "partner_card", {}),
        ),
        (
            build_prepare(mode="partner", opponent_card=DEALT_PACK.hands[1][0]),
            ("card_not_allowed", "opponent_card", {"contract": "charlemagne", "mode": "partner"}),
        ),
    ],
)
def test_preparation_refusal_has_code_field_and_details(call: Callable[[], object], expected: object) -> None:
    assert get_refusal(call) == expected


def test_exchange_refusal_has_code_field_and_details() -> None:
    mine, given, theirs = DEALT_PACK.hands[0][0], DEALT_PACK.hands[2][0], DEALT_PACK.hands[3][0]
    one = {"mode": "card_vs_1", "defender": Seat(1), "partner_card": given, "discards": (mine,)}
    assert get_refusal(build_prepare(**one)) == ("card_required", "opponent_card", {})
    assert get_refusal(build_prepare(**one, opponent_card=theirs)) == ("card_required", "opponent_discard", {})
    assert get_refusal(build_prepare(**one, opponent_card=theirs, opponent_discard=mine)) == (
        "card_not_held",
        "opponent_discard",
        {"card": mine},
    )


def test_play_refusal_has_code_field_and_details() -> None:
    lead = DEALT_PACK.hands[0][0]
    assert get_refusal(lambda: PLAY.add_card(Seat(1), lead)) == ("out_of_turn", "play", {"seat": 1, "turn": 0})
    assert get_refusal(lambda: PLAY.add_card(Seat(0), MISSING_CARD)) == (
        "card_not_held",
        "play",
        {"seat": 0, "card": MISSING_CARD},
    )
    assert get_refusal(lambda: get_trick_winner(PLAY.order, [])) == ("empty_trick", "trick", {})
    done = PLAY
    while not done.is_over:
        card = done.obligation.cards[0]
        others = [held for held in done.hands[done.turn] if held not in done.obligation.cards]
        if others:
            turn, legal, play = done.turn, done.obligation.cards, done
            assert get_refusal(lambda play=play, turn=turn, card=others[0]: play.add_card(turn, card)) == (  # type: ignore[misc]
                "must_follow",
                "play",
                {"seat": turn, "card": others[0], "legal": legal},
            )
        done = done.add_card(done.turn, card)
    assert get_refusal(lambda: done.add_card(done.turn, lead)) == ("play_is_over", "play", {})


def test_illegal_play_search_refusal_has_code_field_and_details() -> None:
    active = tuple(map(Seat, range(4)))
    order = PLAY.order
    assert get_refusal(lambda: find_first_illegal_play(order, (), active=active[:2], leader=Seat(3))) == (
        "seat_sits_out",
        "leader",
        {"seat": 3},
    )
    foreign = ((Seat(0), Card("X1")),)
    assert get_refusal(lambda: find_first_illegal_play(order, foreign, active=active, leader=Seat(0))) == (
        "no_such_card",
        "played",
        {"card": "X1"},
    )


def test_bid_refusal_states_the_minimum_or_the_order_of_bids() -> None:
    assert get_refusal(lambda: CANADIAN.get_bid("4")) == ("below_minimum", "contract", {"contract": "4", "minimum": 5})
    assert get_refusal(lambda: BAS_SAINT_LAURENT.get_contract("4")) == (
        "below_minimum",
        "contract",
        {"contract": "4", "minimum": 5},
    )
    assert get_refusal(lambda: MAINE.get_bid("8")) == (
        "no_such_bid",
        "contract",
        {"contract": "8", "ladder": MAINE.ladder},
    )
