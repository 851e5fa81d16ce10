"""Examples from the source documents, as contracts and scores."""

import pytest

from rules import BAS_SAINT_LAURENT, CANADIAN, MAINE, MAINE_32, Misdeal, PassedOutHand, Ruleset, Suit
from rules.records import list_record_refusals
from tests.rules.sheets import TWO_GAMES, A, B, build_totals, fail_hand, list_results, make_hand, match_of


class TestCanadianExamples:
    """The score is 24–20, and the side with 20 declares."""

    def test_seven_tricks_on_a_7_make_24_27_without_winning(self) -> None:
        match = match_of(CANADIAN, build_totals(24, 20), make_hand(B, "7", 7))
        assert match.game.points == (24, 27)
        assert not match.is_over

    def test_eight_tricks_on_gros_charlemagne_make_24_52_and_game(self) -> None:
        match = match_of(CANADIAN, build_totals(24, 20), make_hand(B, "gros_charlemagne", 8))
        assert list_results(match) == [((24, 52), B, "points")]

    def test_seven_tricks_on_gros_charlemagne_lose_40_20(self) -> None:
        match = match_of(CANADIAN, build_totals(24, 20), fail_hand(B, "gros_charlemagne", 7))
        assert list_results(match) == [((40, 20), A, "points")]

    def test_one_trick_on_a_mulot_gives_the_opponents_7(self) -> None:
        assert match_of(CANADIAN, fail_hand(A, "mulot", 1)).game.points == (0, 7)


class TestMaineExamples:
    def test_charlemagne_in_diamonds_wins_from_20_3_behind(self) -> None:
        match = match_of(MAINE, build_totals(20, 3), make_hand(B, "charlemagne", 8, trump=Suit.DIAMONDS))
        assert list_results(match) == [((20, 3), B, "charlemagne")]
        assert match.winner is B

    def test_dealer_forced_to_5_clubs_takes_4_and_loses_34_31(self) -> None:
        match = match_of(MAINE_32, build_totals(29, 31), fail_hand(B, "5", 4, trump=Suit.CLUBS))
        assert list_results(match) == [((34, 31), A, "points")]


class TestPagatExamples:
    def test_bid_of_5_with_7_tricks_scores_only_5(self) -> None:
        assert match_of(CANADIAN, make_hand(A, "5", 7)).game.points == (5, 0)

    def test_gros_charlemagne_wins_the_game_at_any_score(self) -> None:
        for own in range(32):
            match = match_of(CANADIAN, build_totals(own, 31), make_hand(A, "gros_charlemagne", 8))
            assert match.winner is A

    def test_canadian_charlemagne_does_not_end_the_game(self) -> None:
        assert not match_of(CANADIAN, build_totals(15, 31), make_hand(A, "charlemagne", 8)).is_over

    def test_failed_charlemagne_loses_the_game_in_maine(self) -> None:
        match = match_of(MAINE, build_totals(20, 3), fail_hand(A, "charlemagne", 7))
        assert list_results(match) == [((20, 3), B, "charlemagne")]

    def test_maine_hand_cannot_be_passed_out(self) -> None:
        (refusal,) = list_record_refusals(MAINE, PassedOutHand())
        assert (refusal.code, refusal.field) == ("cannot_be_passed_out", "kind")
        assert refusal.details == {"minimum": 5}

    @pytest.mark.parametrize("contract", ["petite", "grosse"])
    def test_petite_and_grosse_score_8_either_way(self, contract: str) -> None:
        assert match_of(MAINE, make_hand(A, contract), fail_hand(A, contract)).game.points == (8, 8)


@pytest.mark.parametrize(
    ("ruleset", "target"),
    [
        pytest.param(CANADIAN, 32, id="P V T first to 32 or more"),
        pytest.param(MAINE, 21, id="P 21 points"),
        pytest.param(MAINE_32, 32, id="G 32+ points"),
        pytest.param(BAS_SAINT_LAURENT, 21, id="J 21 points"),
    ],
)
def test_first_side_at_the_target_wins_at_once(ruleset: Ruleset, target: int) -> None:
    def list_results_after_5(points: int) -> list[tuple[tuple[int, int], object, object]]:
        return list(list_results(match_of(ruleset, build_totals(points, 0), make_hand(A, "5", 5))))

    assert list_results_after_5(target - 6) == []
    assert list_results_after_5(target - 5) == [((target, 0), A, "points")]
    assert list_results_after_5(target - 1) == [((target + 4, 0), A, "points")]


class TestPichetteExamples:
    def test_first_side_with_two_games_wins_the_match(self) -> None:
        game_for_a, game_for_b = make_hand(A, "charlemagne", 8), make_hand(B, "charlemagne", 8)
        match = match_of(BAS_SAINT_LAURENT, game_for_a, game_for_b, match_format=TWO_GAMES)
        assert (match.games_won, match.is_over, match.winner) == ((1, 1), False, None)
        match = match.add_record(3, game_for_b)
        assert (match.games_won, match.is_over, match.winner) == ((1, 2), True, B)

    def test_failed_charlemagne_gives_the_game_to_the_opponents(self) -> None:
        match = match_of(BAS_SAINT_LAURENT, fail_hand(B, "charlemagne", 7), match_format=TWO_GAMES)
        assert list_results(match) == [((0, 0), A, "charlemagne")]

    def test_same_dealer_deals_again_if_four_is_the_highest_bid(self) -> None:
        assert match_of(BAS_SAINT_LAURENT, PassedOutHand(), first_dealer=2).dealer == 2

    def test_deal_passes_to_the_left_after_a_hand(self) -> None:
        match = match_of(BAS_SAINT_LAURENT, make_hand(A, "6", 6), Misdeal(), make_hand(B, "5", 5), first_dealer=2)
        assert [line.dealer for line in match.lines] == [2, 3, 3]
        assert match.dealer == 0

    def test_made_petite_scores_8(self) -> None:
        assert match_of(BAS_SAINT_LAURENT, make_hand(B, "petite", 0)).game.points == (0, 8)
