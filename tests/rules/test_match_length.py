"""Length of a match and what decides it: games, a fixed number of hands, the clock (RULES D3, D11)."""

import pytest

from rules import (
    BAS_SAINT_LAURENT,
    CANADIAN,
    MAINE,
    DecidedBy,
    GameTotals,
    MatchFormat,
    Misdeal,
    PassedOut,
    Record,
    TimeCalled,
    Undone,
    VoidHand,
    check_format,
)
from tests.rules.sheets import (
    A,
    B,
    failed,
    made,
    match_of,
    refused,
    standing_at,
)

FOUR_HANDS = MatchFormat(hands=4)
BY_THE_CLOCK = MatchFormat(minutes=50)
POINTS_BY_THE_CLOCK = MatchFormat(minutes=50, decided_by=DecidedBy.POINTS)


class TestAFixedNumberOfHandsD11:
    def test_ends_the_match_after_that_many_deals(self) -> None:
        match = match_of(MAINE, *[made(A, "5"), failed(A, "6"), made(A, "5")], match_format=FOUR_HANDS)
        assert not match.is_over
        assert match.winner is None
        match = match.after(4, made(B, "7"))
        assert (match.is_over, match.points, match.winner) == (True, (10, 13), B)

    def test_does_not_count_a_deal_that_the_same_dealer_deals_again(self) -> None:
        again: list[Record] = [Misdeal(), VoidHand(), PassedOut(), Undone()]
        match = match_of(BAS_SAINT_LAURENT, *again, made(A, "5"), match_format=MatchFormat(hands=2))
        assert (match.deals, match.is_over) == (1, False)

    def test_counts_a_deal_that_is_thrown_in_and_moves_on(self) -> None:
        match = match_of(CANADIAN, PassedOut(), made(A, "5"), match_format=MatchFormat(hands=2))
        assert match.is_over

    def test_goes_on_in_a_next_game_after_an_instant_win(self) -> None:
        match = match_of(
            MAINE, made(A, "charlemagne"), made(B, "7"), made(B, "7"), made(B, "5"), match_format=FOUR_HANDS
        )
        assert (match.games_won, match.game.points) == ((1, 0), (0, 19))
        assert (match.is_over, match.winner) == (True, A)

    def test_the_games_to_win_end_it_before_if_they_are_won_before(self) -> None:
        both = MatchFormat(games_to_win=1, hands=4)
        assert match_of(MAINE, made(A, "charlemagne"), match_format=both).is_over
        assert match_of(MAINE, *[made(A, "5")] * 4, match_format=both).is_over


class TestTheClockD11:
    def test_only_the_call_of_time_ends_the_match(self) -> None:
        match = match_of(MAINE, *[made(A, "charlemagne")] * 9, match_format=BY_THE_CLOCK)
        assert (match.games_won, match.is_over) == ((9, 0), False)
        assert match.after(10, TimeCalled()).is_over

    def test_the_unfinished_game_counts_by_its_points(self) -> None:
        match = match_of(CANADIAN, made(A, "6"), made(B, "7"), TimeCalled(), match_format=BY_THE_CLOCK)
        assert (match.points, match.winner) == ((6, 7), B)

    def test_more_games_win_before_more_points(self) -> None:
        match = match_of(
            MAINE, standing_at(0, 20), made(A, "charlemagne"), TimeCalled(), match_format=BY_THE_CLOCK
        )
        assert (match.games_won, match.points, match.winner) == ((1, 0), (0, 20), A)

    def test_equal_games_leave_it_to_the_points(self) -> None:
        games: list[Record] = [standing_at(21, 3), standing_at(20, 22), TimeCalled()]
        match = match_of(MAINE, *games, match_format=BY_THE_CLOCK)
        assert (match.games_won, match.points, match.winner) == ((1, 1), (41, 25), A)

    def test_nobody_wins_where_all_is_equal(self) -> None:
        match = match_of(MAINE, made(A, "6"), made(B, "6"), TimeCalled(), match_format=BY_THE_CLOCK)
        assert match.is_over
        assert match.winner is None

    def test_a_director_may_end_a_match_of_games_too(self) -> None:
        match = match_of(CANADIAN, made(A, "6"), TimeCalled())
        assert (match.is_over, match.winner, match.games_won) == (True, A, (0, 0))


class TestWherePointsDecideD11:
    def test_a_charlemagne_is_worth_what_the_winners_lacked_to_the_target(self) -> None:
        hands: list[Record] = [standing_at(20, 3), made(B, "charlemagne"), TimeCalled()]
        match = match_of(MAINE, *hands, match_format=POINTS_BY_THE_CLOCK)
        assert (match.points, match.winner) == ((20, 21), B)

    def test_or_what_the_event_says_that_it_is_worth(self) -> None:
        match_format = MatchFormat(minutes=50, decided_by=DecidedBy.POINTS, charlemagne_points=16)
        match = match_of(
            MAINE, standing_at(20, 3), made(B, "charlemagne"), TimeCalled(), match_format=match_format
        )
        assert (match.points, match.winner) == ((20, 19), A)

    def test_a_game_won_at_the_target_has_its_points_only(self) -> None:
        match_format = MatchFormat(hands=2, decided_by=DecidedBy.POINTS, charlemagne_points=16)
        match = match_of(
            CANADIAN, standing_at(16, 3), *[made(A, "charlemagne")] * 2, match_format=match_format
        )
        assert match.points == (48, 3)

    def test_an_awarded_game_is_worth_what_the_winners_lacked_never_a_charlemagne(self) -> None:
        match_format = MatchFormat(minutes=50, decided_by=DecidedBy.POINTS, charlemagne_points=100)
        awarded = GameTotals(points=(20, 3), winner=B, awarded=True)
        assert match_of(MAINE, awarded, TimeCalled(), match_format=match_format).points == (20, 21)

    def test_where_games_decide_a_charlemagne_leaves_the_points_as_they_were(self) -> None:
        match = match_of(
            MAINE, standing_at(20, 3), made(B, "charlemagne"), TimeCalled(), match_format=BY_THE_CLOCK
        )
        assert match.points == (20, 3)

    def test_games_won_before_the_clock_decide_all_the_same(self) -> None:
        match_format = MatchFormat(games_to_win=2, minutes=50, decided_by=DecidedBy.POINTS)
        games = [standing_at(21, 20), standing_at(0, 28), standing_at(21, 20)]
        match = match_of(MAINE, *games, match_format=match_format)
        assert (match.points, match.winner) == ((42, 68), A)


class TestAMatchFormat:
    @pytest.mark.parametrize(
        ("match_format", "refusal"),
        [
            (MatchFormat(), ("no_match_length", "games_to_win")),
            (MatchFormat(decided_by=DecidedBy.POINTS), ("no_match_length", "games_to_win")),
            (MatchFormat(games_to_win=0), ("length_not_positive", "games_to_win")),
            (MatchFormat(games_to_win=1, hands=-1), ("length_not_positive", "hands")),
            (MatchFormat(minutes=0), ("length_not_positive", "minutes")),
            (MatchFormat(hands=16, charlemagne_points=-1), ("value_negative", "charlemagne_points")),
        ],
    )
    def test_that_cannot_work_is_refused(self, match_format: MatchFormat, refusal: tuple[str, str]) -> None:
        assert refused(check_format, match_format) == refusal

    def test_that_works_is_returned(self) -> None:
        match_format = MatchFormat(games_to_win=2, hands=16, minutes=50, charlemagne_points=0)
        assert check_format(match_format) is match_format
