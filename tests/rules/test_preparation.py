"""Between the auction and the first lead: kitty, cards given, discards, trump (RULES §2, D4, D13; P, G)."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    BAS_SAINT_LAURENT_JOKERS,
    CANADIAN,
    MAINE,
    RULESETS,
    AuctionOutcome,
    Card,
    Ruleset,
    Seat,
    Suit,
    TrumpRule,
    build_setup,
    deal,
    get_card_order,
    prepare_play,
    shuffle_pack,
)
from tests.rules.deals import CANADIAN_DEAL, CARD_VS_1, MAINE_DEAL, parse_cards, prepared
from tests.rules.hands import choose_preparation, deal_random
from tests.rules.setup_ways import Way, list_ways
from tests.rules.sheets import get_refusal, property_settings


class TestPreparedHands:
    def test_number_contract_takes_the_kitty_and_discards_two(self) -> None:
        play = prepared(CANADIAN, "6", mode="kitty", trump=Suit.SPADES, discards="8D 9C")
        assert play.hands[0] == parse_cards("AS KS QS 7S AH 7H X1 X2")
        assert play.hands[1:] == CANADIAN_DEAL.hands[1:]
        assert (play.active, play.turn, play.order.trumps) == ((0, 1, 2, 3), 1, "S")

    def test_kitty_may_be_discarded_again(self) -> None:
        play = prepared(CANADIAN, "5", mode="kitty", trump=Suit.SPADES, discards="X2 X1")
        assert play.hands == CANADIAN_DEAL.hands

    def test_mulot_leaves_the_kitty_and_the_partner_out(self) -> None:
        play = prepared(CANADIAN, "mulot", mode="alone")
        assert play.hands == (CANADIAN_DEAL.hands[0], CANADIAN_DEAL.hands[1], (), CANADIAN_DEAL.hands[3])
        assert (play.active, play.turn, play.order.trumps, play.order.must_trump) == ((0, 1, 3), 0, "X", True)
        assert not play.is_open

    def test_charlemagne_takes_kitty_and_card_and_discards_three(self) -> None:
        play = prepared(
            CANADIAN,
            "charlemagne",
            mode="kitty_and_card",
            trump=Suit.SPADES,
            partner_card=Card("AD"),
            discards="7H 8D 9C",
        )
        assert play.hands == (
            parse_cards("AS KS QS 7S AH X1 X2 AD"),
            CANADIAN_DEAL.hands[1],
            (),
            CANADIAN_DEAL.hands[3],
        )
        assert (play.active, play.turn) == ((0, 1, 3), 0)

    def test_partner_card_may_be_discarded_too(self) -> None:
        card: dict[str, Any] = {"partner_card": Card("9H"), "discards": "9H"}
        play = prepared(CANADIAN, "gros_charlemagne", mode="card", trump=Suit.SPADES, **card)
        assert play.hands[0] == CANADIAN_DEAL.hands[0]

    def test_gros_charlemagne_takes_the_kitty_or_the_card(self) -> None:
        play = prepared(CANADIAN, "gros_charlemagne", mode="kitty", trump=Suit.HEARTS, discards="8D 9C")
        assert (play.hands[0], play.active) == (parse_cards("AS KS QS 7S AH 7H X1 X2"), (0, 1, 3))

    def test_opponents_exchange_a_card_and_one_of_them_plays(self) -> None:
        play = prepared(
            MAINE,
            "charlemagne",
            Suit.SPADES,
            dealt=MAINE_DEAL,
            mode="card_vs_1",
            partner_card=Card("AD"),
            discards="9C",
            defender=Seat(1),
            opponent_card=Card("AC"),
            opponent_discard=Card("8S"),
        )
        assert play.hands == (
            parse_cards("AS KS QS 7S AH 7H 8D AD"),
            parse_cards("JS 10S 9S KH QH JH 10H AC"),
            (),
            (),
        )
        assert (play.active, play.turn) == ((0, 1), 0)

    def test_no_cards_are_exchanged_without_a_partner_card(self) -> None:
        ruleset = RULESETS["bas-saint-laurent"]
        play = prepared(ruleset, "charlemagne", Suit.SPADES, dealt=MAINE_DEAL, mode="no_card_vs_1", defender=Seat(3))
        assert play.hands == (MAINE_DEAL.hands[0], (), (), MAINE_DEAL.hands[3])

    def test_reserve_and_card_make_three_discards(self) -> None:
        play = prepared(
            BAS_SAINT_LAURENT_JOKERS,
            "charlemagne",
            Suit.SPADES,
            mode="reserve+card_vs_2",
            partner_card=Card("AD"),
            discards="7H 8D 9C",
        )
        assert play.hands[0] == parse_cards("AS KS QS 7S AH X1 X2 AD")

    def test_reserve_may_be_declined(self) -> None:
        play = prepared(BAS_SAINT_LAURENT_JOKERS, "petite", mode="alone")
        assert play.hands[0] == CANADIAN_DEAL.hands[0]


KITTY_6 = {"mode": "kitty", "trump": Suit.SPADES, "discards": "8D 9C"}


@pytest.mark.parametrize(
    ("ruleset", "contract", "trump", "choices", "refusal"),
    [
        pytest.param(CANADIAN, "6", None, {**KITTY_6, "trump": None}, ("trump_required", "trump"), id="P trump"),
        pytest.param(
            CANADIAN,
            "mulot",
            None,
            {"mode": "alone", "trump": Suit.CLUBS},
            ("trump_not_allowed", "trump"),
            id="P Mulot",
        ),
        pytest.param(
            MAINE,
            "6",
            Suit.HEARTS,
            {"mode": "partner", "trump": Suit.SPADES},
            ("trump_already_named", "trump"),
            id="D13 trump was named in the bid",
        ),
        pytest.param(
            CANADIAN,
            "6",
            None,
            {**KITTY_6, "discards": "8D"},
            ("wrong_number_of_discards", "discards"),
            id="P discards any two",
        ),
        pytest.param(
            CANADIAN,
            "mulot",
            None,
            {"mode": "alone", "discards": "8D"},
            ("wrong_number_of_discards", "discards"),
            id="P nothing to discard in Mulot",
        ),
        pytest.param(
            CANADIAN,
            "6",
            None,
            {**KITTY_6, "discards": "8D AD"},
            ("card_not_held", "discards"),
            id="P his own",
        ),
        pytest.param(CANADIAN, "6", None, {**KITTY_6, "discards": "8D 8D"}, ("card_not_held", "discards"), id="P once"),
        pytest.param(
            CANADIAN,
            "6",
            None,
            {**KITTY_6, "partner_card": Card("AD")},
            ("card_not_allowed", "partner_card"),
            id="P no card from a partner who plays",
        ),
        pytest.param(
            CANADIAN,
            "gros_charlemagne",
            None,
            {"mode": "card", "trump": Suit.SPADES, "discards": "9C"},
            ("card_required", "partner_card"),
            id="P the partner gives a card",
        ),
        pytest.param(
            CANADIAN,
            "gros_charlemagne",
            None,
            {"mode": "card", "trump": Suit.SPADES, "discards": "9C", "partner_card": Card("X1")},
            ("card_not_held", "partner_card"),
            id="P the partner gives one of his own",
        ),
        pytest.param(
            MAINE,
            "charlemagne",
            Suit.SPADES,
            {**CARD_VS_1, "defender": None},
            ("defender_required", "defender"),
            id="P",
        ),
        pytest.param(
            MAINE,
            "charlemagne",
            Suit.SPADES,
            {**CARD_VS_1, "opponent_card": None},
            ("card_required", "opponent_card"),
            id="P G the opponents exchange a card",
        ),
        pytest.param(
            MAINE,
            "charlemagne",
            Suit.SPADES,
            {**CARD_VS_1, "opponent_card": Card("AH")},
            ("card_not_held", "opponent_card"),
            id="P G the other opponent gives it",
        ),
        pytest.param(
            MAINE,
            "charlemagne",
            Suit.SPADES,
            {**CARD_VS_1, "opponent_discard": None},
            ("card_required", "opponent_discard"),
            id="G discard down to 8 cards",
        ),
        pytest.param(
            MAINE,
            "charlemagne",
            Suit.SPADES,
            {**CARD_VS_1, "opponent_discard": Card("AS")},
            ("card_not_held", "opponent_discard"),
            id="G what they hold",
        ),
        pytest.param(
            MAINE,
            "charlemagne",
            Suit.SPADES,
            {**CARD_VS_1, "mode": "card_vs_2"},
            ("card_not_allowed", "opponent_card"),
            id="P G who both play exchange nothing",
        ),
        pytest.param(
            MAINE,
            "grosse",
            None,
            {"mode": "partner", "opponent_discard": Card("AC")},
            ("card_not_allowed", "opponent_card"),
            id="P no exchange outside Charlemagne",
        ),
    ],
)
def test_unavailable_choice_is_refused(
    ruleset: Ruleset, contract: str, trump: Suit | None, choices: dict[str, Any], refusal: tuple[str, str]
) -> None:
    dealt = CANADIAN_DEAL if ruleset.kitty else MAINE_DEAL
    assert get_refusal(lambda: prepared(ruleset, contract, trump, dealt=dealt, **choices)) == refusal


def test_opponent_may_return_the_same_card() -> None:
    same = {**CARD_VS_1, "opponent_discard": Card("AC"), "trump": Suit.SPADES}
    play = prepared(MAINE, "charlemagne", Suit.SPADES, dealt=MAINE_DEAL, **same)
    assert play.hands[1] == MAINE_DEAL.hands[1]


@property_settings
@given(st.sampled_from(list_ways()), st.integers(0, 10**6))
def test_every_active_player_holds_eight_cards(way: Way, seed: int) -> None:
    key, contract_key, mode, declarer, _ = way
    ruleset, random = RULESETS[key], Random(seed)
    contract = replace(ruleset.get_bid(contract_key), modes=(mode,))
    dealt = deal_random(ruleset, random)
    names_trump = contract.trump is TrumpRule.NAMED
    trump = random.choice(list(Suit)) if names_trump and ruleset.names_trump_in_bid else None
    outcome = AuctionOutcome(declarer=Seat(declarer), contract=contract, trump=trump)
    choices = choose_preparation(ruleset, dealt, outcome, random)
    play = prepare_play(ruleset, dealt, outcome, choices)
    ways = build_setup(ruleset, contract, declarer=Seat(declarer), mode=mode, defender=choices.defender)
    assert [len(hand) for hand in play.hands] == [8 * (seat in ways.active) for seat in range(ruleset.seats)]
    held = Counter(card for hand in play.hands for card in hand)
    assert set(held.values()) == {1}
    assert set(held) <= set(sum((*dealt.hands, dealt.kitty), ()))
    assert not set(play.hands[declarer]) & set(choices.discards)
    assert (play.turn, play.active, play.declarer) == (ways.leader, ways.active, declarer)
    assert play.order == get_card_order(ruleset, contract, trump or choices.trump)
    for seat in ways.active:
        taken = set(play.hands[seat]) - set(dealt.hands[seat])
        open_to_it = ways.kitty + ways.partner_card if seat == declarer else ways.opponent_card
        assert len(taken) <= open_to_it


def test_seeded_deal_keeps_its_hands_through_preparation() -> None:
    dealt = deal(MAINE, shuffle_pack(MAINE, seed="as dealt"), dealer=Seat(1))
    assert prepared(MAINE, "7", Suit.CLUBS, dealt=dealt, mode="partner").hands == dealt.hands
