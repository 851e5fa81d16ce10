"""Games and matches as folds of their places: RULES §4 and the decisions D1, D3, D9, D10."""

import pytest

from rules import (
    BAS_SAINT_LAURENT,
    CANADIAN,
    MAINE,
    RULESETS,
    TWO_PLAYER,
    GameTotals,
    MatchFormat,
    Misdeal,
    PassedOut,
    Record,
    Ruleset,
    Seat,
    TimeCalled,
    Undone,
    VoidHand,
    fold,
    is_read_aloud,
    with_house_rules,
)
from rules.records import check_record
from tests.rules.sheets import (
    ONE_GAME,
    TWO_GAMES,
    A,
    B,
    failed,
    made,
    match_of,
    refused,
    results,
    standing_at,
)


class TestTheGame:
    def test_begins_at_nothing_with_the_first_dealer(self) -> None:
        match = match_of(CANADIAN, first_dealer=3)
        assert (match.game.number, match.game.points, match.games_won, match.points) == (
            1,
            (0, 0),
            (0, 0),
            (0, 0),
        )
        assert (match.dealer, match.is_over, match.winner) == (3, False, None)

    def test_is_first_dealt_from_seat_0_where_nobody_says_otherwise(self) -> None:
        assert fold(CANADIAN, ONE_GAME, []).dealer == 0

    def test_adds_up_hand_by_hand(self) -> None:
        match = match_of(
            CANADIAN, made(A, "6", 7), failed(A, "5", 4), made(B, "mulot"), failed(B, "charlemagne", 0)
        )
        assert [line.gained for line in match.lines] == [(6, 0), (0, 5), (0, 15), (8, 0)]
        assert [line.game.points for line in match.lines] == [(6, 0), (6, 5), (6, 20), (14, 20)]

    def test_the_next_begins_at_0_0_within_the_same_match(self) -> None:
        match = match_of(CANADIAN, made(A, "gros_charlemagne"), made(B, "6"), match_format=TWO_GAMES)
        assert results(match) == [((32, 0), A, "points")]
        assert (match.game.number, match.game.points) == (2, (0, 6))
        assert [line.ends_game for line in match.lines] == [True, False]

    def test_a_hand_that_reaches_the_target_and_is_a_charlemagne_counts_as_won_by_points_in_canadian(
        self,
    ) -> None:
        match = match_of(CANADIAN, standing_at(16, 0), made(A, "charlemagne"))
        assert results(match) == [((32, 0), A, "points")]


class TestTheDealD10:
    def test_goes_round_the_table_and_on_across_the_games_of_a_match(self) -> None:
        hands = [made(A, "gros_charlemagne"), made(A, "5"), made(A, "5"), made(A, "5"), made(A, "5")]
        match = match_of(CANADIAN, *hands, match_format=TWO_GAMES, first_dealer=2)
        assert [line.dealer for line in match.lines] == [2, 3, 0, 1, 2]
        assert match.dealer == 3

    @pytest.mark.parametrize(
        ("ruleset", "record", "next_dealer"),
        [
            pytest.param(CANADIAN, PassedOut(), 2, id="D1 canadian all pass: next dealer"),
            pytest.param(BAS_SAINT_LAURENT, PassedOut(), 1, id="D1 J four or fewer: same dealer"),
            pytest.param(CANADIAN, Misdeal(), 1, id="D9 misdeal: same dealer"),
            pytest.param(CANADIAN, VoidHand(), 1, id="D9 void hand: same dealer"),
            pytest.param(CANADIAN, failed(A, "6", awarded=True), 2, id="D9 awarded contract: next dealer"),
            pytest.param(CANADIAN, Undone(), 1, id="nothing was dealt"),
            pytest.param(CANADIAN, standing_at(5, 6), 1, id="totals say nothing of the deal"),
        ],
    )
    def test_stays_or_moves_on(self, ruleset: Ruleset, record: Record, next_dealer: int) -> None:
        match = match_of(ruleset, record, first_dealer=1, match_format=TWO_GAMES)
        assert match.lines[0].dealer == 1
        assert match.dealer == next_dealer

    def test_follows_the_sheet_where_it_says_who_dealt(self) -> None:
        match = match_of(
            CANADIAN, made(A, "5"), made(A, "5", dealer=Seat(3)), Misdeal(dealer=Seat(2)), PassedOut()
        )
        assert [line.dealer for line in match.lines] == [0, 3, 2, 2]
        assert match.dealer == 3

    def test_goes_to_and_fro_between_two_players_j(self) -> None:
        match = match_of(TWO_PLAYER, made(A, "5"), made(B, "5"), made(B, "5"), first_dealer=1)
        assert [line.dealer for line in match.lines] == [1, 0, 1]

    def test_a_house_may_let_the_same_dealer_deal_again_d1(self) -> None:
        at_home = with_house_rules(CANADIAN, {"all_pass": "same_dealer"})
        assert match_of(at_home, PassedOut(), first_dealer=1).dealer == 1


class TestPlacesWithoutScore:
    @pytest.mark.parametrize("record", [PassedOut(), Misdeal(), VoidHand(), Undone()], ids=lambda r: r.kind)
    def test_leave_the_points_as_they_were(self, record: Record) -> None:
        match = match_of(CANADIAN, made(A, "6"), record)
        assert match.lines[1].gained == (0, 0)
        assert match.game.points == (6, 0)

    def test_an_undone_place_in_the_middle_is_as_if_never_marked(self) -> None:
        with_it = match_of(CANADIAN, made(A, "6"), Undone(), made(B, "7"))
        without = match_of(CANADIAN, made(A, "6"), made(B, "7"))
        assert (with_it.game, with_it.dealer, with_it.deals) == (without.game, without.dealer, without.deals)


class TestTheEndOfAMatch:
    def test_whatever_comes_after_it_is_kept_as_surplus_without_effect(self) -> None:
        late: list[Record] = [made(B, "gros_charlemagne", 8), standing_at(0, 32), TimeCalled(), PassedOut()]
        over = match_of(CANADIAN, made(A, "gros_charlemagne", 8))
        match = match_of(CANADIAN, made(A, "gros_charlemagne", 8), *late)
        assert [line.is_surplus for line in match.lines] == [False, True, True, True, True]
        assert [line.gained for line in match.lines[1:]] == [(0, 0)] * 4
        assert not any(line.ends_game for line in match.lines[1:])
        assert (match.games, match.game, match.winner, match.dealer, match.deals) == (
            (over.games, over.game, over.winner, over.dealer, over.deals)
        )

    def test_a_correction_may_bring_surplus_hands_back_into_play(self) -> None:
        places = [(1, made(A, "gros_charlemagne")), (2, made(B, "7"))]
        assert fold(CANADIAN, ONE_GAME, places).lines[1].is_surplus
        corrected = fold(CANADIAN, ONE_GAME, [(1, made(A, "5")), places[1]])
        assert not corrected.lines[1].is_surplus
        assert corrected.game.points == (5, 7)

    @pytest.mark.parametrize("games", [1, 2, 3])
    def test_comes_with_the_games_to_win_for_any_system_d3(self, games: int) -> None:
        for ruleset in RULESETS.values():
            match = match_of(ruleset, match_format=MatchFormat(games_to_win=games))
            for number in range(1, 4 * games + 1):
                assert match.is_over is (max(match.games_won) == games)
                match = match.after(number, made(B, ruleset.played_keys[-1]))
            assert match.is_over
            assert match.games_won == (0, games)


class TestTotalsOfAPaperSheet:
    def test_stand_in_place_of_what_was_marked_of_the_game(self) -> None:
        match = match_of(CANADIAN, made(A, "6"), made(B, "7"), standing_at(34, 27))
        assert results(match) == [((34, 27), A, "points")]

    def test_of_an_unfinished_game_let_it_go_on(self) -> None:
        match = match_of(CANADIAN, standing_at(12, 27), made(B, "5"))
        assert results(match) == [((12, 32), B, "points")]

    def test_name_the_winner_that_a_charlemagne_made(self) -> None:
        match = match_of(MAINE, GameTotals(points=(20, 3), winner=B))
        assert results(match) == [((20, 3), B, "charlemagne")]

    @pytest.mark.parametrize("points", [(0, 0), (20, 31), (34, 20)])
    def test_are_overruled_by_the_director_who_awards_the_game_d9(self, points: tuple[int, int]) -> None:
        awarded = GameTotals(points=points, winner=B, awarded=True)
        check_record(CANADIAN, awarded)
        assert results(match_of(CANADIAN, awarded)) == [(points, B, "awarded")]


class TestReadingAloud:
    @pytest.mark.parametrize(
        ("ruleset", "before", "last", "is_aloud"),
        [
            pytest.param(CANADIAN, standing_at(0, 0), made(A, "8"), False, id="8 points"),
            pytest.param(CANADIAN, standing_at(0, 0), made(A, "mulot"), True, id="15 points"),
            pytest.param(CANADIAN, standing_at(0, 0), failed(A, "mulot"), False, id="7 points of a Mulot"),
            pytest.param(CANADIAN, standing_at(0, 0), failed(A, "gros_mulot"), True, id="15 to the others"),
            pytest.param(CANADIAN, standing_at(27, 0), made(A, "5"), True, id="5 that end the game"),
            pytest.param(MAINE, standing_at(0, 0), failed(A, "charlemagne"), True, id="the game itself"),
            pytest.param(CANADIAN, standing_at(27, 0), PassedOut(), False, id="nothing"),
            pytest.param(CANADIAN, standing_at(27, 0), TimeCalled(), True, id="the end of the match"),
            pytest.param(
                CANADIAN, standing_at(32, 0), made(A, "gros_charlemagne"), False, id="a surplus hand"
            ),
        ],
    )
    def test_is_for_what_ends_a_game_or_the_match_or_moves_15_or_more(
        self, ruleset: Ruleset, before: GameTotals, last: Record, is_aloud: bool
    ) -> None:
        match = match_of(ruleset, before)
        assert is_read_aloud(match, match.after(2, last)) is is_aloud

    def test_looks_at_the_last_hand_of_many(self) -> None:
        match = match_of(CANADIAN, made(A, "5"), made(A, "mulot"), made(B, "5"))
        assert not is_read_aloud(match, match.after(4, made(B, "5")))
        assert is_read_aloud(match, match.after(4, made(B, "mulot")))


def test_a_line_keeps_its_number_and_its_record_beyond_the_end_too() -> None:
    records = (made(A, "gros_charlemagne"), made(B, "6"))
    match = match_of(CANADIAN, *records)
    assert [(line.number, line.record) for line in match.lines] == [*enumerate(records, start=1)]


def test_a_record_that_the_system_does_not_know_is_refused_by_the_first_reason() -> None:
    check_record(CANADIAN, made(A, "8", 8))
    assert refused(check_record, MAINE, made(A, "8", 8)) == ("no_such_bid", "contract")
    wrong_twice = made(A, "5", 5, dealer=Seat(4), declarer=Seat(1))
    assert refused(check_record, CANADIAN, wrong_twice) == ("no_such_seat", "dealer")
