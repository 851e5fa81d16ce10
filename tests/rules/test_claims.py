"""Claims: what the rest of a hand comes to, held against a search that leaves nothing out (RULES §2, §3)."""

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
    card_order,
    claim,
    side_of,
    sure_tricks,
)
from tests.rules.endings import chances, ending, first_lead, rulesets
from tests.rules.sheets import law, refused


def last_cards(ruleset: Ruleset, contract: str, trump: Suit | None, *hands: str) -> Play:
    """Return what the seats still hold, seat 0 to lead as declarer; a seat that holds nothing sits out."""
    held = tuple(tuple(map(Card, hand.split())) for hand in hands)
    bid = ruleset.contract(contract)
    return Play(
        contract=bid,
        declarer=Seat(0),
        order=card_order(ruleset, bid, trump),
        active=tuple(Seat(seat) for seat, hand in enumerate(held) if hand),
        first_leader=Seat(0),
        hands=held,
    )


def every_way(play: Play, known: dict[object, int] | None = None) -> int:
    """Tricks still to come for the declaring side, by trying every legal card of everybody."""
    known = {} if known is None else known
    position = (play.hands, play.trick, play.turn)
    if not any(play.hands):
        return 0
    if position not in known:
        wants_many = (side_of(play.turn) is side_of(play.declarer)) is (play.contract.most > 0)
        outcomes = []
        for card in play.obligation.cards:
            after = play.play_card(card)
            outcomes.append(after.tricks_of_declarer - play.tricks_of_declarer + every_way(after, known))
        known[position] = max(outcomes) if wants_many else min(outcomes)
    return known[position]


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
def test_tricks_that_the_declarer_of_a_6_in_hearts_is_sure_of(hands: tuple[str, ...], tricks: int) -> None:
    assert sure_tricks(last_cards(MAINE, "6", Suit.HEARTS, *hands)) == tricks


@pytest.mark.parametrize(
    ("hands", "tricks"),
    [
        pytest.param(("7S 7H", "8S 8H", "", "9S 9H"), 0, id="the lowest cards"),
        pytest.param(("AS 7H", "8S 8H", "", "9S 9H"), 1, id="an ace to lead"),
        pytest.param(("8S 7H", "X1 9H", "", "9S 10H"), 0, id="P a Joker that is forced takes"),
        pytest.param(("X1 X2", "7S 8S", "", "9S 10S"), 2, id="P both Jokers"),
    ],
)
def test_tricks_that_a_mulot_cannot_avoid(hands: tuple[str, ...], tricks: int) -> None:
    assert sure_tricks(last_cards(CANADIAN, "mulot", None, *hands)) == tricks


class TestAClaim:
    ALL_MINE = last_cards(MAINE, "6", Suit.HEARTS, "9H JH", "7S 8S", "7D 8D", "7C 8C")
    ONE_EACH = last_cards(MAINE, "6", Suit.HEARTS, "9H 7S", "8S JH", "7D 8D", "7C 8C")
    MULOT = last_cards(CANADIAN, "mulot", None, "8S 7H", "7S 8H", "", "9S 9H")

    def test_of_all_the_rest_is_certain_with_the_highest_trumps(self) -> None:
        assert claim(self.ALL_MINE, Side.A) == claim(self.ALL_MINE, Side.A, tricks=2)
        assert claim(self.ALL_MINE, Side.A).is_certain
        assert claim(self.ALL_MINE, Side.A).line == ()

    def test_that_fails_comes_with_the_cards_that_defeat_it(self) -> None:
        defeated = claim(self.ONE_EACH, Side.A)
        assert not defeated.is_certain
        assert (1, "8S") in defeated.line

    def test_may_be_of_some_tricks_only(self) -> None:
        assert claim(self.ONE_EACH, Side.A, tricks=1).is_certain
        assert claim(self.ONE_EACH, Side.B, tricks=1).is_certain
        assert not claim(self.ONE_EACH, Side.B, tricks=2).is_certain

    def test_of_a_mulot_is_to_lose_the_rest(self) -> None:
        assert claim(self.MULOT, Side.A).is_certain
        assert not claim(self.MULOT, Side.B, tricks=1).is_certain
        assert claim(self.MULOT, Side.B, tricks=2).is_certain

    def test_of_more_tricks_than_are_left_is_refused(self) -> None:
        def ask(tricks: int) -> object:
            return claim(self.ONE_EACH, Side.A, tricks=tricks)

        assert refused(ask, 3) == ("tricks_out_of_range", "tricks")
        assert refused(ask, -1) == ("tricks_out_of_range", "tricks")


@law
@given(ruleset=rulesets, random=chances, tricks=st.integers(1, 3))
def test_the_search_finds_what_trying_every_card_finds(ruleset: Ruleset, random: Random, tricks: int) -> None:
    play = ending(ruleset, random, tricks=tricks)
    assert sure_tricks(play) == every_way(play)


@law
@given(ruleset=rulesets, random=chances, tricks=st.integers(1, 5), side=st.sampled_from(Side))
def test_a_claim_is_certain_or_is_defeated_by_its_line(
    ruleset: Ruleset, random: Random, tricks: int, side: Side
) -> None:
    play = ending(ruleset, random, tricks=tricks)
    declarers = sure_tricks(play)
    sure = declarers if side is side_of(play.declarer) else tricks - declarers
    takes_none = play.contract.most == 0
    for claimed in range(tricks + 1):
        answer = claim(play, side, tricks=claimed)
        assert answer.is_certain is (sure <= claimed if takes_none else sure >= claimed)
        after = play
        for seat, card in answer.line:
            after = after.after(seat, card)
        won = after.tricks_won(side) - play.tricks_won(side)
        left = TRICKS - len(after.tricks)
        if not answer.is_certain:
            assert won > claimed if takes_none else won + left < claimed


@law
@given(ruleset=rulesets, random=chances, tricks=st.integers(1, 5))
def test_best_play_keeps_what_is_sure_and_no_card_betters_it(
    ruleset: Ruleset, random: Random, tricks: int
) -> None:
    play = ending(ruleset, random, tricks=tricks)
    wants_many = (side_of(play.turn) is side_of(play.declarer)) is (play.contract.most > 0)
    before = play.tricks_of_declarer + sure_tricks(play)
    after = [play.play_card(card) for card in play.obligation.cards]
    outcomes = [each.tricks_of_declarer + (sure_tricks(each) if any(each.hands) else 0) for each in after]
    assert before == (max(outcomes) if wants_many else min(outcomes))


@pytest.mark.slow
def test_a_whole_hand_can_be_asked_for_before_the_first_lead() -> None:
    lead = first_lead(MAINE, Random(1))
    assert 0 <= sure_tricks(lead) <= TRICKS
