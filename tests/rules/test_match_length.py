"""Length of a match and its decision: games, a fixed number of hands, a time limit (RULES D3, D11)."""

import pytest

from rules import (
    BAS_SAINT_LAURENT,
    CANADIAN,
    MAINE,
    GameTotals,
    MatchCriterion,
    MatchFormat,
    Misdeal,
    PassedOutHand,
    Record,
    TimeCall,
    UndoneRecord,
    VoidHand,
    check_format,
)
from tests.rules.sheets import A, B, build_totals, fail_hand, get_refusal, make_hand, match_of

FOUR_HANDS = MatchFormat(hands=4)
FIFTY_MINUTES = MatchFormat(minutes=50)
FIFTY_MINUTES_BY_POINTS = MatchFormat(minutes=50, decided_by=MatchCriterion.POINTS)


class TestFixedNumberOfHands:
    def test_match_ends_after_the_fixed_number_of_deals(self) -> None:
        match = match_of(MAINE, *[make_hand(A, "5"), fail_hand(A, "6"), make_hand(A, "5")], match_format=FOUR_HANDS)
        assert not match.is_over
        assert match.winner is None
        match = match.add_record(4, make_hand(B, "7"))
        assert (match.is_over, match.points, match.winner) == (True, (10, 13), B)

    def test_repeated_deal_does_not_count(self) -> None:
        again: list[Record] = [Misdeal(), VoidHand(), PassedOutHand(), UndoneRecord()]
        match = match_of(BAS_SAINT_LAURENT, *again, make_hand(A, "5"), match_format=MatchFormat(hands=2))
        assert (match.deals, match.is_over) == (1, False)

    def test_passed_out_deal_counts(self) -> None:
        match = match_of(CANADIAN, PassedOutHand(), make_hand(A, "5"), match_format=MatchFormat(hands=2))
        assert match.is_over

    def test_match_continues_in_a_new_game_after_an_instant_win(self) -> None:
        match = match_of(
            MAINE,
            make_hand(A, "charlemagne"),
            make_hand(B, "7"),
            make_hand(B, "7"),
            make_hand(B, "5"),
            match_format=FOUR_HANDS,
        )
        assert (match.games_won, match.game.points) == ((1, 0), (0, 19))
        assert (match.is_over, match.winner) == (True, A)

    def test_match_ends_early_if_the_games_are_won(self) -> None:
        both = MatchFormat(games_to_win=1, hands=4)
        assert match_of(MAINE, make_hand(A, "charlemagne"), match_format=both).is_over
        assert match_of(MAINE, *[make_hand(A, "5")] * 4, match_format=both).is_over


class TestTimedMatches:
    def test_timed_match_ends_only_when_time_is_called(self) -> None:
        match = match_of(MAINE, *[make_hand(A, "charlemagne")] * 9, match_format=FIFTY_MINUTES)
        assert (match.games_won, match.is_over) == ((9, 0), False)
        assert match.add_record(10, TimeCall()).is_over

    def test_the_unfinished_game_counts_by_its_points(self) -> None:
        match = match_of(CANADIAN, make_hand(A, "6"), make_hand(B, "7"), TimeCall(), match_format=FIFTY_MINUTES)
        assert (match.points, match.winner) == ((6, 7), B)

    def test_games_won_outrank_points(self) -> None:
        match = match_of(
            MAINE, build_totals(0, 20), make_hand(A, "charlemagne"), TimeCall(), match_format=FIFTY_MINUTES
        )
        assert (match.games_won, match.points, match.winner) == ((1, 0), (0, 20), A)

    def test_equal_games_are_decided_by_points(self) -> None:
        games: list[Record] = [build_totals(21, 3), build_totals(20, 22), TimeCall()]
        match = match_of(MAINE, *games, match_format=FIFTY_MINUTES)
        assert (match.games_won, match.points, match.winner) == ((1, 1), (41, 25), A)

    def test_match_equal_in_games_and_points_has_no_winner(self) -> None:
        match = match_of(MAINE, make_hand(A, "6"), make_hand(B, "6"), TimeCall(), match_format=FIFTY_MINUTES)
        assert match.is_over
        assert match.winner is None

    def test_director_may_end_a_match_of_games(self) -> None:
        match = match_of(CANADIAN, make_hand(A, "6"), TimeCall())
        assert (match.is_over, match.winner, match.games_won) == (True, A, (0, 0))


class TestMatchesDecidedByPoints:
    def test_charlemagne_is_worth_the_points_missing_to_the_target(self) -> None:
        hands: list[Record] = [build_totals(20, 3), make_hand(B, "charlemagne"), TimeCall()]
        match = match_of(MAINE, *hands, match_format=FIFTY_MINUTES_BY_POINTS)
        assert (match.points, match.winner) == ((20, 21), B)

    def test_event_may_set_the_worth_of_a_charlemagne(self) -> None:
        match_format = MatchFormat(minutes=50, decided_by=MatchCriterion.POINTS, charlemagne_points=16)
        match = match_of(MAINE, build_totals(20, 3), make_hand(B, "charlemagne"), TimeCall(), match_format=match_format)
        assert (match.points, match.winner) == ((20, 19), A)

    def test_game_won_at_the_target_gets_no_extra_points(self) -> None:
        match_format = MatchFormat(hands=2, decided_by=MatchCriterion.POINTS, charlemagne_points=16)
        match = match_of(CANADIAN, build_totals(16, 3), *[make_hand(A, "charlemagne")] * 2, match_format=match_format)
        assert match.points == (48, 3)

    def test_awarded_game_is_worth_the_points_missing_to_the_target(self) -> None:
        match_format = MatchFormat(minutes=50, decided_by=MatchCriterion.POINTS, charlemagne_points=100)
        awarded = GameTotals(points=(20, 3), winner=B, awarded=True)
        assert match_of(MAINE, awarded, TimeCall(), match_format=match_format).points == (20, 21)

    def test_charlemagne_adds_no_points_if_games_decide(self) -> None:
        match = match_of(
            MAINE, build_totals(20, 3), make_hand(B, "charlemagne"), TimeCall(), match_format=FIFTY_MINUTES
        )
        assert match.points == (20, 3)

    def test_games_won_before_time_decide_the_match(self) -> None:
        match_format = MatchFormat(games_to_win=2, minutes=50, decided_by=MatchCriterion.POINTS)
        games = [build_totals(21, 20), build_totals(0, 28), build_totals(21, 20)]
        match = match_of(MAINE, *games, match_format=match_format)
        assert (match.points, match.winner) == ((42, 68), A)


class TestMatchFormats:
    @pytest.mark.parametrize(
        ("match_format", "refusal"),
        [
            (MatchFormat(), ("no_match_length", "games_to_win")),
            (MatchFormat(decided_by=MatchCriterion.POINTS), ("no_match_length", "games_to_win")),
            (MatchFormat(games_to_win=0), ("length_not_positive", "games_to_win")),
            (MatchFormat(games_to_win=1, hands=-1), ("length_not_positive", "hands")),
            (MatchFormat(minutes=0), ("length_not_positive", "minutes")),
            (MatchFormat(hands=16, charlemagne_points=-1), ("value_negative", "charlemagne_points")),
        ],
    )
    def test_impossible_match_format_is_refused(self, match_format: MatchFormat, refusal: tuple[str, str]) -> None:
        assert get_refusal(check_format, match_format) == refusal

    def test_valid_match_format_is_returned_unchanged(self) -> None:
        match_format = MatchFormat(games_to_win=2, hands=16, minutes=50, charlemagne_points=0)
        assert check_format(match_format) is match_format
