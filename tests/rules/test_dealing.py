"""Dealing: seeds, the shuffle, batches, the kitty, the first dealer, and the two-player draw."""

from collections import Counter
from functools import partial
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    RULESETS,
    Card,
    DealtCards,
    FirstDealerRule,
    PackDraw,
    Ruleset,
    Seat,
    choose_first_dealer,
    deal,
    get_pack,
    shuffle_pack,
)
from rules.dealing import check_pack, list_seats_from
from tests.rules.sheets import get_refusal, property_settings

FOUR_PLAYERS = [ruleset for ruleset in RULESETS.values() if ruleset.seats == 4]
TWO_PLAYERS = [ruleset for ruleset in RULESETS.values() if ruleset.seats == 2]
SEATS = [Seat(seat) for seat in range(4)]

seeds = st.text(max_size=12)
keep_choices = st.lists(st.booleans(), min_size=16, max_size=16)


def build_pack(ruleset: Ruleset) -> tuple[Card, ...]:
    return get_pack(ruleset.trump_order)


@pytest.mark.parametrize("key", RULESETS)
def test_seed_determines_the_shuffle(key: str) -> None:
    ruleset = RULESETS[key]
    packs = [shuffle_pack(ruleset, seed=f"hand {number}") for number in range(50)]
    assert packs == [shuffle_pack(ruleset, seed=f"hand {number}") for number in range(50)]
    assert len(set(packs)) == 50
    assert all(sorted(pack) == sorted(build_pack(ruleset)) for pack in packs)


def test_shuffle_can_be_reproduced_from_its_description() -> None:
    canadian = RULESETS["canadian"]
    places = {card: sha256(f"mi-carême/{card}".encode()).hexdigest() for card in build_pack(canadian)}
    assert list(shuffle_pack(canadian, seed="mi-carême")) == sorted(places, key=places.__getitem__)


@pytest.mark.slow
def test_every_card_is_on_top_equally_often() -> None:
    tops = Counter(shuffle_pack(RULESETS["canadian"], seed=str(seed))[0] for seed in range(3400))
    assert len(tops) == 34
    assert all(60 <= times <= 145 for times in tops.values())


DEALS = [
    pytest.param(
        "canadian",
        {1: [0, 1, 10, 11, 18, 19, 26, 27], 0: [6, 7, 16, 17, 24, 25, 32, 33]},
        (8, 9),
        id="P V two at a time, the kitty during the deal",
    ),
    pytest.param(
        "maine",
        {1: [0, 1, 2, 3, 16, 17, 18, 19], 0: [12, 13, 14, 15, 28, 29, 30, 31]},
        (),
        id="P four at a time",
    ),
    pytest.param("maine-32", {1: [0, 1, 2, 3, 16, 17, 18, 19]}, (), id="G eight to each"),
    pytest.param("bas-saint-laurent", {2: [4, 5, 6, 7, 20, 21, 22, 23]}, (), id="J quatre à la fois"),
    pytest.param(
        "bas-saint-laurent-jokers",
        {1: [2, 3, 4, 5, 18, 19, 20, 21], 0: [14, 15, 16, 17, 30, 31, 32, 33]},
        (0, 1),
        id="J la réserve avant la distribution",
    ),
]


@pytest.mark.parametrize(("key", "places", "kitty"), DEALS)
def test_cards_are_dealt_in_the_batches_of_the_ruleset(
    key: str, places: dict[int, list[int]], kitty: tuple[int, ...]
) -> None:
    """``places`` are positions in the pack; seat 0 deals, so seat 1 gets the first cards."""
    pack = shuffle_pack(RULESETS[key], seed="a deal")
    dealt = deal(RULESETS[key], pack, dealer=Seat(0))
    assert dealt.kitty == tuple(pack[place] for place in kitty)
    for seat, held in places.items():
        assert dealt.hands[seat] == tuple(pack[place] for place in held)


@property_settings
@given(st.sampled_from(FOUR_PLAYERS), seeds, st.sampled_from(SEATS))
def test_deal_splits_the_pack_and_rotates_with_the_dealer(ruleset: Ruleset, seed: str, dealer: Seat) -> None:
    pack = shuffle_pack(ruleset, seed=seed)
    dealt = deal(ruleset, pack, dealer=dealer)
    assert [len(hand) for hand in dealt.hands] == [8, 8, 8, 8]
    assert len(dealt.kitty) == ruleset.kitty
    assert Counter(card for hand in (*dealt.hands, dealt.kitty) for card in hand) == Counter(pack)
    by_seat_0 = deal(ruleset, pack, dealer=Seat(0))
    assert dealt.kitty == by_seat_0.kitty
    assert all(dealt.hands[(seat + dealer) % 4] == by_seat_0.hands[seat] for seat in range(4))


@pytest.mark.parametrize("ruleset", FOUR_PLAYERS, ids=lambda ruleset: ruleset.key)
def test_incomplete_pack_is_refused(ruleset: Ruleset) -> None:
    pack = list(build_pack(ruleset))
    for wrong in (pack[:-1], [*pack, pack[0]], [pack[0], *pack[:-1]], [*pack[:-1], Card("6S")], []):
        assert get_refusal(check_pack, ruleset, wrong) == ("wrong_pack", "cards")
        assert get_refusal(partial(deal, ruleset, wrong, dealer=Seat(0))) == ("wrong_pack", "cards")
    check_pack(ruleset, reversed(pack))


def test_deal_rejects_a_dealer_without_a_seat() -> None:
    for ruleset in RULESETS.values():
        for seat in (-1, ruleset.seats):
            begin = deal if ruleset.batch else PackDraw.begin
            refusal = get_refusal(partial(begin, ruleset, build_pack(ruleset), dealer=Seat(seat)))
            assert refusal == ("no_such_seat", "dealer")


def test_four_players_are_dealt_cards_and_two_draw_them() -> None:
    for ruleset in FOUR_PLAYERS:
        refusal = get_refusal(partial(PackDraw.begin, ruleset, build_pack(ruleset), dealer=Seat(0)))
        assert refusal == ("cards_are_dealt", "ruleset")
    for ruleset in TWO_PLAYERS:
        refusal = get_refusal(partial(deal, ruleset, build_pack(ruleset), dealer=Seat(0)))
        assert refusal == ("cards_are_drawn", "ruleset")


DEALER_BY_CUT = ["bas-saint-laurent", "bas-saint-laurent-jokers", "two-player", "two-player-jokers"]


@pytest.mark.parametrize("key", DEALER_BY_CUT)
def test_first_spade_cut_chooses_the_dealer(key: str) -> None:
    ruleset = RULESETS[key]
    assert ruleset.first_dealer is FirstDealerRule.FIRST_SPADE
    for number in range(100):
        cut = shuffle_pack(ruleset, seed=f"{number}/cut")
        spade = next(turned for turned, card in enumerate(cut) if card.endswith("S"))
        assert choose_first_dealer(ruleset, seed=str(number)) == spade % ruleset.seats


@pytest.mark.parametrize("key", RULESETS)
def test_any_seat_may_deal_first(key: str) -> None:
    ruleset = RULESETS[key]
    dealers = Counter(choose_first_dealer(ruleset, seed=str(number)) for number in range(200))
    assert set(dealers) == set(range(ruleset.seats))


@pytest.mark.parametrize("seats", [2, 4])
def test_seats_go_clockwise_from_any_seat(seats: int) -> None:
    for first in range(seats):
        round_of = list_seats_from(Seat(first), seats=seats)
        assert [(seat - first) % seats for seat in round_of] == list(range(seats))


class TestTwoPlayerDraw:
    """The two-player draw (J, Variante à deux joueurs; RULES §6)."""

    def test_keeping_a_card_discards_the_next_one(self) -> None:
        pack = build_pack(RULESETS["two-player"])
        draw = PackDraw.begin(RULESETS["two-player"], pack, dealer=Seat(1))
        assert (draw.turn, draw.visible_cards) == (0, (pack[0],))
        draw = draw.add_decision(keeps_first=True)
        assert (draw.hands, draw.discards) == (((pack[0],), ()), ((pack[1],), ()))

    def test_discarding_a_card_keeps_the_next_one(self) -> None:
        pack = build_pack(RULESETS["two-player"])
        draw = PackDraw.begin(RULESETS["two-player"], pack, dealer=Seat(0)).add_decision(keeps_first=False)
        assert (draw.hands, draw.discards) == (((), (pack[1],)), ((), (pack[0],)))
        assert (draw.turn, draw.visible_cards) == (0, (pack[2],))

    def test_top_two_cards_are_the_reserve_with_jokers(self) -> None:
        ruleset = RULESETS["two-player-jokers"]
        pack = shuffle_pack(ruleset, seed="réserve")
        draw = PackDraw.begin(ruleset, pack, dealer=Seat(0))
        assert draw.visible_cards == (pack[2],)
        while not draw.is_over:
            draw = draw.add_decision(keeps_first=True)
        assert draw.deal() == DealtCards(dealer=Seat(0), hands=(pack[4::4], pack[2::4]), kitty=pack[:2])

    def test_dealer_sees_both_of_the_last_two_cards(self) -> None:
        pack = build_pack(RULESETS["two-player"])
        draw = PackDraw.begin(RULESETS["two-player"], pack, dealer=Seat(1))
        for decision in range(16):
            assert draw.turn == decision % 2
            assert len(draw.visible_cards) == (2 if decision == 15 else 1)
            last, draw = draw, draw.add_decision(keeps_first=False)
        assert (last.turn, last.visible_cards) == (last.dealer, pack[-2:])

    def test_draw_refuses_decisions_after_the_end_and_hands_before_it(self) -> None:
        draw = PackDraw.begin(RULESETS["two-player"], build_pack(RULESETS["two-player"]), dealer=Seat(1))
        while not draw.is_over:
            assert get_refusal(draw.deal) == ("draw_not_over", "keep_first")
            draw = draw.add_decision(keeps_first=True)
        assert draw.visible_cards == ()
        assert get_refusal(partial(draw.add_decision, keeps_first=True)) == ("draw_is_over", "keep_first")

    @property_settings
    @given(st.sampled_from(TWO_PLAYERS), seeds, st.sampled_from(SEATS[:2]), keep_choices)
    def test_sixteen_decisions_give_each_player_eight_cards(
        self, ruleset: Ruleset, seed: str, dealer: Seat, keeps: list[bool]
    ) -> None:
        pack = shuffle_pack(ruleset, seed=seed)
        draw = PackDraw.begin(ruleset, pack, dealer=dealer)
        decisions = 0
        while not draw.is_over:
            assert draw.decisions == decisions
            assert draw.turn == (dealer + 1 + decisions) % 2
            assert set(draw.visible_cards) <= set(pack[ruleset.kitty + 2 * decisions :][:2])
            draw = draw.add_decision(keeps_first=keeps[decisions])
            decisions += 1
        assert decisions == 16
        dealt = draw.deal()
        assert [len(hand) for hand in dealt.hands] == [8, 8]
        assert [len(hand) for hand in draw.discards] == [8, 8]
        assert dealt.kitty == pack[: ruleset.kitty]
        assert Counter([*dealt.kitty, *sum((*dealt.hands, *draw.discards), ())]) == Counter(pack)
        pairs = zip(pack[ruleset.kitty :: 2], pack[ruleset.kitty + 1 :: 2], keeps, strict=False)
        kept_cards = [first if keep else second for first, second, keep in pairs]
        assert dealt.hands[1 - dealer] == tuple(kept_cards[::2])
        assert dealt.hands[dealer] == tuple(kept_cards[1::2])
