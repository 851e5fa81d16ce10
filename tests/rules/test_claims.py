"""Claims of the remaining tricks, compared with an exhaustive search (RULES §2, §3)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    CANADIAN,
    MAINE,
    TRICKS,
    Card,
    Play,
    Ruleset,
    Seat,
    Side,
    Suit,
    count_sure_tricks,
    decide_claim,
    get_card_order,
    get_side,
)
from tests.rules.endings import build_ending, build_first_lead, chances, rulesets
from tests.rules.sheets import get_refusal, property_settings


def build_end_position(ruleset: Ruleset, contract: str, trump: Suit | None, *hands: str) -> Play:
    """Build a play with these hands, seat 0 to lead as declarer; a seat without cards sits out."""
    held = tuple(tuple(map(Card, hand.split())) for hand in hands)
    bid = ruleset.get_contract(contract)
    return Play(
        contract=bid,
        declarer=Seat(0),
        order=get_card_order(ruleset, bid, trump),
        active=tuple(Seat(seat) for seat, hand in enumerate(held) if hand),
        first_leader=Seat(0),
        hands=held,
    )


def find_best_tricks(play: Play, memo: dict[object, int] | None = None) -> int:
    """Return the tricks that the declaring side can still win, by searching every legal play."""
    memo = {} if memo is None else memo
    position = (play.hands, play.trick, play.turn)
    if not any(play.hands):
        return 0
    if position not in memo:
        wants_many = (get_side(play.turn) is get_side(play.declarer)) is (play.contract.most > 0)
        outcomes = []
        for card in play.obligation.cards:
            after = play.play_legal_card(card)
            outcomes.append(after.declarer_tricks - play.declarer_tricks + find_best_tricks(after, memo))
        memo[position] = max(outcomes) if wants_many else min(outcomes)
    return memo[position]


@pytest.mark.parametrize(
    ("hands", "tricks"),
    [
        pytest.param(("9H JH", "7S 8S", "7D 8D", "7C 8C"), 2, id="P the two highest trumps"),
        pytest.param(("9H 7S", "8S JH", "7D 8D", "7C 8C"), 1, id="the highest trump and a loser"),
        pytest.param(("AS QS", "KS 7S", "7D 8D", "7C 8C"), 1, id="a queen behind the king does not take"),
        pytest.param(("7D QD", "KC 7C", "AC AD", "KD 8C"), 2, id="the partner's aces"),
        pytest.param(("JD AH", "JH KH", "7D 8D", "7C 8C"), 1, id="P the big jack beats the little jack"),
    ],
)
def test_declarer_sure_tricks_match_hand_analysis(hands: tuple[str, ...], tricks: int) -> None:
    assert count_sure_tricks(build_end_position(MAINE, "6", Suit.HEARTS, *hands)) == tricks


@pytest.mark.parametrize(
    ("hands", "tricks"),
    [
        pytest.param(("7S 7H", "8S 8H", "", "9S 9H"), 0, id="the lowest cards"),
        pytest.param(("AS 7H", "8S 8H", "", "9S 9H"), 1, id="an ace to lead"),
        pytest.param(("8S 7H", "X1 9H", "", "9S 10H"), 0, id="P a Joker that is forced takes"),
        pytest.param(("X1 X2", "7S 8S", "", "9S 10S"), 2, id="P both Jokers"),
    ],
)
def test_mulot_unavoidable_tricks_match_hand_analysis(hands: tuple[str, ...], tricks: int) -> None:
    assert count_sure_tricks(build_end_position(CANADIAN, "mulot", None, *hands)) == tricks


class TestClaims:
    ALL_TRICKS = build_end_position(MAINE, "6", Suit.HEARTS, "9H JH", "7S 8S", "7D 8D", "7C 8C")
    SPLIT_TRICKS = build_end_position(MAINE, "6", Suit.HEARTS, "9H 7S", "8S JH", "7D 8D", "7C 8C")
    MULOT = build_end_position(CANADIAN, "mulot", None, "8S 7H", "7S 8H", "", "9S 9H")

    def test_claim_of_all_tricks_with_top_trumps_is_certain(self) -> None:
        assert decide_claim(self.ALL_TRICKS, Side.A) == decide_claim(self.ALL_TRICKS, Side.A, tricks=2)
        assert decide_claim(self.ALL_TRICKS, Side.A).is_certain
        assert decide_claim(self.ALL_TRICKS, Side.A).line == ()

    def test_failed_claim_shows_the_defeating_line(self) -> None:
        defeated = decide_claim(self.SPLIT_TRICKS, Side.A)
        assert not defeated.is_certain
        assert (1, "8S") in defeated.line

    def test_claim_may_cover_some_tricks_only(self) -> None:
        assert decide_claim(self.SPLIT_TRICKS, Side.A, tricks=1).is_certain
        assert decide_claim(self.SPLIT_TRICKS, Side.B, tricks=1).is_certain
        assert not decide_claim(self.SPLIT_TRICKS, Side.B, tricks=2).is_certain

    def test_mulot_claim_loses_the_remaining_tricks(self) -> None:
        assert decide_claim(self.MULOT, Side.A).is_certain
        assert not decide_claim(self.MULOT, Side.B, tricks=1).is_certain
        assert decide_claim(self.MULOT, Side.B, tricks=2).is_certain

    def test_claim_of_too_many_tricks_is_refused(self) -> None:
        def ask(tricks: int) -> object:
            return decide_claim(self.SPLIT_TRICKS, Side.A, tricks=tricks)

        assert get_refusal(ask, 3) == ("tricks_out_of_range", "tricks")
        assert get_refusal(ask, -1) == ("tricks_out_of_range", "tricks")


@pytest.mark.slow
@property_settings
@given(ruleset=rulesets, random=chances, tricks=st.integers(1, 3))
def test_claim_search_agrees_with_brute_force(ruleset: Ruleset, random: Random, tricks: int) -> None:
    play = build_ending(ruleset, random, tricks=tricks)
    assert count_sure_tricks(play) == find_best_tricks(play)


@pytest.mark.slow
@property_settings
@given(ruleset=rulesets, random=chances, tricks=st.integers(1, 5), side=st.sampled_from(Side))
def test_claim_is_certain_or_defeated_by_its_line(ruleset: Ruleset, random: Random, tricks: int, side: Side) -> None:
    play = build_ending(ruleset, random, tricks=tricks)
    declarers = count_sure_tricks(play)
    sure = declarers if side is get_side(play.declarer) else tricks - declarers
    takes_none = play.contract.most == 0
    for claimed in range(tricks + 1):
        answer = decide_claim(play, side, tricks=claimed)
        assert answer.is_certain is (sure <= claimed if takes_none else sure >= claimed)
        after = play
        for seat, card in answer.line:
            after = after.add_card(seat, card)
        won = after.count_tricks_won(side) - play.count_tricks_won(side)
        left = TRICKS - len(after.tricks)
        if not answer.is_certain:
            assert won > claimed if takes_none else won + left < claimed


@property_settings
@given(ruleset=rulesets, random=chances, tricks=st.integers(1, 5))
def test_best_play_preserves_the_sure_tricks(ruleset: Ruleset, random: Random, tricks: int) -> None:
    play = build_ending(ruleset, random, tricks=tricks)
    wants_many = (get_side(play.turn) is get_side(play.declarer)) is (play.contract.most > 0)
    before = play.declarer_tricks + count_sure_tricks(play)
    after = [play.play_legal_card(card) for card in play.obligation.cards]
    outcomes = [each.declarer_tricks + (count_sure_tricks(each) if any(each.hands) else 0) for each in after]
    assert before == (max(outcomes) if wants_many else min(outcomes))


@pytest.mark.slow
def test_whole_hand_can_be_analysed_before_the_first_lead() -> None:
    lead = build_first_lead(MAINE, Random(1))
    assert 0 <= count_sure_tricks(lead) <= TRICKS
