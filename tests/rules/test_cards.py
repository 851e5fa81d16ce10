"""Cards: packs, notation, orders and sorted hands (RULES §1; P, G, J)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    BLANCHE,
    JOKER,
    RULESETS,
    Card,
    CardOrder,
    Contract,
    Ruleset,
    Suit,
    TrumpRule,
    get_card_order,
    get_pack,
    read_card,
)
from rules.cards import PACK_32, PACK_34
from tests.rules import rulebook
from tests.rules.sheets import get_refusal, property_settings
from tests.rules.vectors import Case, parametrize_cases

ORDERS = [
    (ruleset, contract, trump)
    for ruleset in RULESETS.values()
    for contract in ruleset.biddable
    for trump in (tuple(Suit) if contract.trump is TrumpRule.NAMED else (None,))
]
ALL_ORDERS = [
    pytest.param(*order, id=" ".join(["RULES 1", order[0].key, order[1].key, *(order[2] or "")])) for order in ORDERS
]


def group_by_suit(order: CardOrder) -> dict[str, list[str]]:
    """Return the cards of each suit, high to low."""
    suits: dict[str, list[str]] = {}
    for card in sorted(order.suits, key=order.strengths.__getitem__, reverse=True):
        suits.setdefault(order.suits[card], []).append(card)
    return suits


@pytest.mark.parametrize("case", parametrize_cases("orders.json"))
def test_card_order_matches_the_documents(case: Case) -> None:
    ruleset = RULESETS[case["ruleset"]]
    order = get_card_order(ruleset, ruleset.get_bid(case["contract"]), case["trump"] and Suit(case["trump"]))
    suits = group_by_suit(order)
    assert suits.pop(order.trumps or "none", []) == case["trumps"]
    assert sorted(suits.values()) == sorted(case["others"])


@pytest.mark.parametrize(("ruleset", "contract", "trump"), ALL_ORDERS)
def test_every_card_order_matches_the_rulebook(ruleset: Ruleset, contract: Contract, trump: Suit | None) -> None:
    order = get_card_order(ruleset, contract, trump)
    suits = group_by_suit(order)
    assert [suits.pop(order.trumps or "none", []), *(suits[suit] for suit in Suit if suit in suits)] == (
        rulebook.list_suits(ruleset.key, trump)
    )
    assert order.must_trump is ((ruleset.key, contract.key) in rulebook.FORCED_JOKERS)
    has_trumps = trump is not None or ruleset.key in rulebook.JOKERS_HIGH
    assert order.trumps == ((trump or "X") if has_trumps else None)
    assert set(order.suits) == set(order.strengths) == set(get_pack(ruleset.trump_order))
    trumps = [order.strengths[card] for card in order.suits if order.suits[card] == order.trumps]
    side_strengths = [order.strengths[card] for card in order.suits if order.suits[card] != order.trumps]
    assert max(side_strengths) < min(trumps, default=99)


def test_order_count_equals_possible_trump_calls() -> None:
    assert Counter(ruleset.key for ruleset, _, _ in ORDERS) == {
        "canadian": 4 * 6 + 2,
        "maine": 7 * 4 + 2 + 4,
        "maine-32": 7 * 4 + 2 + 4,
        "bas-saint-laurent": 8 * 4 + 2 + 4,
        "bas-saint-laurent-jokers": 8 * 4 + 2 + 4,
        "two-player": 8 * 4 + 2 + 4,
        "two-player-jokers": 8 * 4 + 2 + 4,
    }


def test_packs_have_32_cards_and_optionally_two_jokers() -> None:
    ranks = ("A", "K", "Q", "J", "10", "9", "8", "7")
    assert set(PACK_32) == {f"{rank}{suit}" for rank in ranks for suit in "SHDC"}
    assert (len(PACK_32), len(set(PACK_34))) == (32, 34)
    assert set(PACK_34) - set(PACK_32) == {BLANCHE, JOKER} == {"X1", "X2"}


@pytest.mark.parametrize("key", RULESETS)
def test_pack_size_follows_the_jokers_of_the_ruleset(key: str) -> None:
    ruleset = RULESETS[key]
    jokers = 2 if key in rulebook.JOKERS_HIGH else 0
    assert len(get_pack(ruleset.trump_order)) == ruleset.cards == 32 + jokers
    assert ruleset.kitty == jokers


@pytest.mark.parametrize("card", PACK_34)
def test_card_notation_is_case_insensitive(card: Card) -> None:
    assert read_card(card) == read_card(card.lower()) == read_card(f" {card} ") == card


INVALID_CARDS = ["", "6S", "1S", "10", "S10", "AA", "X", "X3", "JOKER", "11H", "A S", "♠A", "ASS"]


@pytest.mark.parametrize("text", INVALID_CARDS)
def test_invalid_card_text_is_refused(text: str) -> None:
    assert get_refusal(read_card, text) == ("no_such_card", "cards")


@pytest.mark.parametrize(
    ("key", "contract", "trump", "hand"),
    [
        pytest.param("canadian", "6", Suit.HEARTS, "X1 JH JD AH 7H AS 7S KD 8D JC", id="P hearts"),
        pytest.param("maine", "6", Suit.SPADES, "9S JS JC 7S AH 10H AC 9D 7D", id="P spades, nine high"),
        pytest.param("bas-saint-laurent", "5", Suit.DIAMONDS, "JD JH AS 7S AH 7H 9C", id="J diamonds"),
        pytest.param("canadian", "7", Suit.CLUBS, "X2 JS 7C AH AS JD", id="P clubs"),
        pytest.param("maine", "petite", None, "AS JS 9S AH JC 9C KD QD", id="P no trump"),
        pytest.param("canadian", "mulot", None, "X1 X2 AS JH JC 10D", id="P Mulot: the Jokers first"),
    ],
)
def test_hand_is_sorted_trumps_first_then_by_suit(key: str, contract: str, trump: Suit | None, hand: str) -> None:
    ruleset = RULESETS[key]
    order = get_card_order(ruleset, ruleset.get_bid(contract), trump)
    held = tuple(Card(card) for card in hand.split())
    assert order.sort_hand(sorted(held)) == order.sort_hand(reversed(held)) == held


@property_settings
@given(st.sampled_from(ORDERS), st.data())
def test_sorting_keeps_every_card_and_groups_suits(
    order_of: tuple[Ruleset, Contract, Suit | None], data: st.DataObject
) -> None:
    ruleset, contract, trump = order_of
    order = get_card_order(ruleset, contract, trump)
    cards = data.draw(st.lists(st.sampled_from(get_pack(ruleset.trump_order)), unique=True, max_size=10))
    hand = order.sort_hand(cards)
    assert Counter(hand) == Counter(cards)
    assert order.sort_hand(hand) == hand
    suits = [order.suits[card] for card in hand]
    runs = [suit for place, suit in enumerate(suits) if place == 0 or suits[place - 1] != suit]
    assert len(runs) == len(set(suits))
    assert order.trumps not in runs[1:]


@pytest.mark.parametrize(
    ("key", "contract", "trump", "code"),
    [
        pytest.param("canadian", "6", None, "trump_required", id="P a number needs a trump"),
        pytest.param("canadian", "gros_charlemagne", None, "trump_required", id="P Gros Charlemagne as well"),
        pytest.param("canadian", "mulot", Suit.HEARTS, "trump_not_allowed", id="P no trump suit in Mulot"),
        pytest.param("maine", "grosse", Suit.HEARTS, "trump_not_allowed", id="P High Card No Trump"),
        pytest.param("bas-saint-laurent-jokers", "petite", Suit.CLUBS, "trump_not_allowed", id="D4 Petite"),
    ],
)
def test_trump_must_fit_the_contract(key: str, contract: str, trump: Suit | None, code: str) -> None:
    ruleset = RULESETS[key]
    assert get_refusal(get_card_order, ruleset, ruleset.get_bid(contract), trump) == (code, "trump")
