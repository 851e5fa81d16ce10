"""The examples that the documents themselves give, at the level of contracts and scores."""

import pytest

from rules import BAS_SAINT_LAURENT, CANADIAN, MAINE, MAINE_32, Misdeal, PassedOut, Ruleset, Suit
from rules.records import record_refusals
from tests.rules.sheets import TWO_GAMES, A, B, failed, made, match_of, results, standing_at


class TestRules7Canadian:
    """24–20, and the side with 20 declares."""

    def test_a_7_that_takes_7_makes_it_24_27_and_the_game_goes_on(self) -> None:
        match = match_of(CANADIAN, standing_at(24, 20), made(B, "7", 7))
        assert match.game.points == (24, 27)
        assert not match.is_over

    def test_a_gros_charlemagne_that_takes_8_makes_it_24_52_and_game(self) -> None:
        match = match_of(CANADIAN, standing_at(24, 20), made(B, "gros_charlemagne", 8))
        assert results(match) == [((24, 52), B, "points")]

    def test_a_gros_charlemagne_that_takes_7_makes_it_40_20_and_the_others_win(self) -> None:
        match = match_of(CANADIAN, standing_at(24, 20), failed(B, "gros_charlemagne", 7))
        assert results(match) == [((40, 20), A, "points")]

    def test_a_mulot_that_takes_one_trick_gives_the_opponents_7(self) -> None:
        assert match_of(CANADIAN, failed(A, "mulot", 1)).game.points == (0, 7)


class TestRules7Maine:
    def test_a_charlemagne_in_diamonds_that_takes_8_wins_from_20_3_behind(self) -> None:
        match = match_of(MAINE, standing_at(20, 3), made(B, "charlemagne", 8, trump=Suit.DIAMONDS))
        assert results(match) == [((20, 3), B, "charlemagne")]
        assert match.winner is B

    def test_the_dealer_forced_to_5_clubs_at_29_31_takes_4_and_loses_34_31(self) -> None:
        match = match_of(MAINE_32, standing_at(29, 31), failed(B, "5", 4, trump=Suit.CLUBS))
        assert results(match) == [((34, 31), A, "points")]


class TestPagat:
    def test_a_bid_of_5_that_wins_7_tricks_just_scores_5(self) -> None:
        assert match_of(CANADIAN, made(A, "5", 7)).game.points == (5, 0)

    def test_a_gros_charlemagne_wins_the_game_whatever_the_previous_score(self) -> None:
        for own in range(32):
            match = match_of(CANADIAN, standing_at(own, 31), made(A, "gros_charlemagne", 8))
            assert match.winner is A

    def test_a_canadian_charlemagne_does_not_end_the_game_by_itself(self) -> None:
        assert not match_of(CANADIAN, standing_at(15, 31), made(A, "charlemagne", 8)).is_over

    def test_a_charlemagne_that_fails_in_maine_loses_the_game(self) -> None:
        match = match_of(MAINE, standing_at(20, 3), failed(A, "charlemagne", 7))
        assert results(match) == [((20, 3), B, "charlemagne")]

    def test_the_dealer_is_compelled_to_bid_so_that_no_hand_is_passed_out_in_maine(self) -> None:
        (refusal,) = record_refusals(MAINE, PassedOut())
        assert (refusal.code, refusal.field) == ("cannot_be_passed_out", "kind")
        assert refusal.details == {"minimum": 5}

    @pytest.mark.parametrize("contract", ["petite", "grosse"])
    def test_le_petit_and_high_card_no_trump_pay_8_either_way(self, contract: str) -> None:
        assert match_of(MAINE, made(A, contract), failed(A, contract)).game.points == (8, 8)


@pytest.mark.parametrize(
    ("ruleset", "target"),
    [
        pytest.param(CANADIAN, 32, id="P V T first to 32 or more"),
        pytest.param(MAINE, 21, id="P 21 points"),
        pytest.param(MAINE_32, 32, id="G 32+ points"),
        pytest.param(BAS_SAINT_LAURENT, 21, id="J 21 points"),
    ],
)
def test_the_first_side_at_or_above_the_target_wins_at_once(ruleset: Ruleset, target: int) -> None:
    def after_a_5(points: int) -> list[tuple[tuple[int, int], object, object]]:
        return list(results(match_of(ruleset, standing_at(points, 0), made(A, "5", 5))))

    assert after_a_5(target - 6) == []
    assert after_a_5(target - 5) == [((target, 0), A, "points")]
    assert after_a_5(target - 1) == [((target + 4, 0), A, "points")]


class TestPichette:
    def test_the_first_side_with_two_games_wins_the_manche(self) -> None:
        game_for_a, game_for_b = made(A, "charlemagne", 8), made(B, "charlemagne", 8)
        match = match_of(BAS_SAINT_LAURENT, game_for_a, game_for_b, match_format=TWO_GAMES)
        assert (match.games_won, match.is_over, match.winner) == ((1, 1), False, None)
        match = match.after(3, game_for_b)
        assert (match.games_won, match.is_over, match.winner) == ((1, 2), True, B)

    def test_a_charlemagne_that_is_lost_gives_the_game_to_the_opponents(self) -> None:
        match = match_of(BAS_SAINT_LAURENT, failed(B, "charlemagne", 7), match_format=TWO_GAMES)
        assert results(match) == [((0, 0), A, "charlemagne")]

    def test_the_same_dealer_deals_again_when_four_or_fewer_is_the_highest_bid(self) -> None:
        assert match_of(BAS_SAINT_LAURENT, PassedOut(), first_dealer=2).dealer == 2

    def test_the_deal_passes_to_the_left_once_a_hand_is_over(self) -> None:
        match = match_of(BAS_SAINT_LAURENT, made(A, "6", 6), Misdeal(), made(B, "5", 5), first_dealer=2)
        assert [line.dealer for line in match.lines] == [2, 3, 3]
        assert match.dealer == 0

    def test_a_petite_that_is_made_gives_8_points(self) -> None:
        assert match_of(BAS_SAINT_LAURENT, made(B, "petite", 0)).game.points == (0, 8)
