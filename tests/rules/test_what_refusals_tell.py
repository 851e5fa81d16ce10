"""A refusal of the cards tells where it lies and what a sentence about it needs: code, field, details."""

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
    auction_of,
    card_order,
    deal,
    first_illegal_play,
    prepare,
    read_call,
    read_card,
    setup,
    shuffle_pack,
    winner_of,
)

PACK = shuffle_pack(MAINE, seed="told")
DEALT = deal(MAINE, PACK, dealer=Seat(3))
SIX = AuctionOutcome(declarer=Seat(0), contract=MAINE.contract("6"), trump=Suit.HEARTS)
ALONE = AuctionOutcome(declarer=Seat(0), contract=MAINE.contract("charlemagne"), trump=Suit.HEARTS)
PLAY = prepare(MAINE, DEALT, SIX, Preparation(mode="partner"))
MISSING = next(card for card in PACK if card not in DEALT.hands[0])


def told(call: Callable[[], object]) -> tuple[str, str | None, dict[str, Any]]:
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value.code, caught.value.field, caught.value.details


def auction(said: str, dealer: int = 0) -> Auction:
    return auction_of(MAINE, map(read_call, said.split(",") if said else []), dealer=Seat(dealer))


def calls(said: str, seat: int, call: str) -> Callable[[], object]:
    return lambda: auction(said).after(Seat(seat), read_call(call))


def prepared(**choices: Any) -> Callable[[], object]:
    return lambda: prepare(MAINE, DEALT, ALONE, Preparation(**{"mode": "card_vs_2", **choices}))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (calls("pass,pass,pass,5 S", 1, "pass"), ("auction_over", "calls", {})),
        (calls("pass", 1, "pass"), ("out_of_turn", "calls", {"seat": 1, "turn": 2})),
        (calls("6 S", 2, "5 H"), ("not_higher", "calls", {"contract": "5", "than": "6"})),
        (calls("pass,pass,4 S", 0, "pass"), ("dealer_must_bid_5", "calls", {"minimum": 5})),
        (calls("", 1, "5"), ("suit_required", "calls", {"contract": "5", "ladder": MAINE.ladder})),
        (
            calls("", 1, "petite H"),
            ("no_such_bid", "calls", {"contract": "petite H", "ladder": MAINE.ladder}),
        ),
        (lambda: auction("", dealer=4), ("no_such_seat", "dealer", {"seats": 4})),
    ],
)
def test_of_the_auction(call: Callable[[], object], expected: object) -> None:
    assert told(call) == expected


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
def test_of_cards_and_the_deal(call: Callable[[], object], expected: object) -> None:
    assert told(call) == expected


def test_of_a_draw_that_goes_on_too_long() -> None:
    draw = PackDraw.begin(TWO_PLAYER, PACK, dealer=Seat(0))
    for _ in range(16):
        draw = draw.after(keeps_first=True)
    assert told(lambda: draw.after(keeps_first=True)) == ("draw_is_over", "keep_first", {"decisions": 16})


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            lambda: setup(MAINE, MAINE.contract("petite"), declarer=Seat(0), mode="partner"),
            ("no_such_mode", "mode", {"contract": "petite", "modes": ("alone",)}),
        ),
        (
            lambda: setup(MAINE, ALONE.contract, declarer=Seat(1), mode="card_vs_1"),
            ("defender_required", "defender", {"opponents": [2, 0]}),
        ),
        (
            lambda: setup(MAINE, ALONE.contract, declarer=Seat(1), mode="card_vs_1", defender=Seat(3)),
            ("defender_not_opponent", "defender", {"opponents": [2, 0]}),
        ),
        (lambda: card_order(MAINE, SIX.contract, None), ("trump_required", "trump", {"contract": "6"})),
        (
            lambda: card_order(MAINE, MAINE.contract("petite"), Suit.CLUBS),
            ("trump_not_allowed", "trump", {"contract": "petite"}),
        ),
        (prepared(trump=Suit.CLUBS), ("trump_already_named", "trump", {"trump": Suit.HEARTS})),
        (prepared(), ("card_required", "partner_card", {})),
        (
            prepared(partner_card=DEALT.hands[0][0]),
            ("card_not_held", "partner_card", {"card": DEALT.hands[0][0]}),
        ),
        (
            prepared(partner_card=DEALT.hands[2][0]),
            ("wrong_number_of_discards", "discards", {"discards": 1}),
        ),
        (
            prepared(mode="partner", partner_card=DEALT.hands[2][0]),
            ("card_not_allowed", "partner_card", {}),
        ),
        (
            prepared(mode="partner", opponent_card=DEALT.hands[1][0]),
            ("card_not_allowed", "opponent_card", {"contract": "charlemagne", "mode": "partner"}),
        ),
    ],
)
def test_of_what_comes_before_the_first_lead(call: Callable[[], object], expected: object) -> None:
    assert told(call) == expected


def test_of_the_exchange_of_two_opponents() -> None:
    mine, given, theirs = DEALT.hands[0][0], DEALT.hands[2][0], DEALT.hands[3][0]
    one = {"mode": "card_vs_1", "defender": Seat(1), "partner_card": given, "discards": (mine,)}
    assert told(prepared(**one)) == ("card_required", "opponent_card", {})
    assert told(prepared(**one, opponent_card=theirs)) == ("card_required", "opponent_discard", {})
    assert told(prepared(**one, opponent_card=theirs, opponent_discard=mine)) == (
        "card_not_held",
        "opponent_discard",
        {"card": mine},
    )


def test_of_the_play() -> None:
    lead = DEALT.hands[0][0]
    assert told(lambda: PLAY.after(Seat(1), lead)) == ("out_of_turn", "play", {"seat": 1, "turn": 0})
    assert told(lambda: PLAY.after(Seat(0), MISSING)) == (
        "card_not_held",
        "play",
        {"seat": 0, "card": MISSING},
    )
    assert told(lambda: winner_of(PLAY.order, [])) == ("empty_trick", "trick", {})
    done = PLAY
    while not done.is_over:
        card = done.obligation.cards[0]
        others = [held for held in done.hands[done.turn] if held not in done.obligation.cards]
        if others:
            turn, legal, play = done.turn, done.obligation.cards, done
            assert told(lambda play=play, turn=turn, card=others[0]: play.after(turn, card)) == (  # type: ignore[misc]
                "must_follow",
                "play",
                {"seat": turn, "card": others[0], "legal": legal},
            )
        done = done.after(done.turn, card)
    assert told(lambda: done.after(done.turn, lead)) == ("play_is_over", "play", {})


def test_of_a_list_of_plays() -> None:
    active = tuple(map(Seat, range(4)))
    order = PLAY.order
    assert told(lambda: first_illegal_play(order, (), active=active[:2], leader=Seat(3))) == (
        "seat_sits_out",
        "leader",
        {"seat": 3},
    )
    foreign = ((Seat(0), Card("X1")),)
    assert told(lambda: first_illegal_play(order, foreign, active=active, leader=Seat(0))) == (
        "no_such_card",
        "played",
        {"card": "X1"},
    )


def test_of_a_bid_below_what_may_be_bid_or_played() -> None:
    assert told(lambda: CANADIAN.bid("4")) == ("below_minimum", "contract", {"contract": "4", "minimum": 5})
    assert told(lambda: BAS_SAINT_LAURENT.contract("4")) == (
        "below_minimum",
        "contract",
        {"contract": "4", "minimum": 5},
    )
    assert told(lambda: MAINE.bid("8")) == (
        "no_such_bid",
        "contract",
        {"contract": "8", "ladder": MAINE.ladder},
    )
