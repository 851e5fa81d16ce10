"""Games and matches as folds of their records: RULES §4 and the decisions D1, D3, D9, D10."""

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
    PassedOutHand,
    Record,
    Ruleset,
    Seat,
    TimeCall,
    UndoneRecord,
    VoidHand,
    apply_house_rules,
    fold,
    is_read_aloud,
)
from rules.records import check_record
from tests.rules.sheets import (
    ONE_GAME,
    TWO_GAMES,
    A,
    B,
    build_totals,
    fail_hand,
    get_refusal,
    list_results,
    make_hand,
    match_of,
)


class TestGames:
    def test_new_game_has_no_points_and_the_first_dealer(self) -> None:
        match = match_of(CANADIAN, first_dealer=3)
        assert (match.game.number, match.game.points, match.games_won, match.points) == (
            1,
            (0, 0),
            (0, 0),
            (0, 0),
        )
        assert (match.dealer, match.is_over, match.winner) == (3, False, None)

    def test_first_dealer_defaults_to_seat_0(self) -> None:
        assert fold(CANADIAN, ONE_GAME, []).dealer == 0

    def test_game_adds_up_hand_by_hand(self) -> None:
        match = match_of(
            CANADIAN, make_hand(A, "6", 7), fail_hand(A, "5", 4), make_hand(B, "mulot"), fail_hand(B, "charlemagne", 0)
        )
        assert [line.gained for line in match.lines] == [(6, 0), (0, 5), (0, 15), (8, 0)]
        assert [line.game.points for line in match.lines] == [(6, 0), (6, 5), (6, 20), (14, 20)]

    def test_next_game_starts_at_zero_within_the_match(self) -> None:
        match = match_of(CANADIAN, make_hand(A, "gros_charlemagne"), make_hand(B, "6"), match_format=TWO_GAMES)
        assert list_results(match) == [((32, 0), A, "points")]
        assert (match.game.number, match.game.points) == (2, (0, 6))
        assert [line.ends_game for line in match.lines] == [True, False]

    def test_canadian_charlemagne_at_the_target_wins_by_points(
        self,
    ) -> None:
        match = match_of(CANADIAN, build_totals(16, 0), make_hand(A, "charlemagne"))
        assert list_results(match) == [((32, 0), A, "points")]


class TestDealer:
    def test_deal_rotates_across_the_games_of_a_match(self) -> None:
        hands = [
            make_hand(A, "gros_charlemagne"),
            make_hand(A, "5"),
            make_hand(A, "5"),
            make_hand(A, "5"),
            make_hand(A, "5"),
        ]
        match = match_of(CANADIAN, *hands, match_format=TWO_GAMES, first_dealer=2)
        assert [line.dealer for line in match.lines] == [2, 3, 0, 1, 2]
        assert match.dealer == 3

    @pytest.mark.parametrize(
        ("ruleset", "record", "next_dealer"),
        [
            pytest.param(CANADIAN, PassedOutHand(), 2, id="D1 canadian all pass: next dealer"),
            pytest.param(BAS_SAINT_LAURENT, PassedOutHand(), 1, id="D1 J four or fewer: same dealer"),
            pytest.param(CANADIAN, Misdeal(), 1, id="D9 misdeal: same dealer"),
            pytest.param(CANADIAN, VoidHand(), 1, id="D9 void hand: same dealer"),
            pytest.param(CANADIAN, fail_hand(A, "6", awarded=True), 2, id="D9 awarded contract: next dealer"),
            pytest.param(CANADIAN, UndoneRecord(), 1, id="nothing was dealt"),
            pytest.param(CANADIAN, build_totals(5, 6), 1, id="totals say nothing of the deal"),
        ],
    )
    def test_deal_stays_or_moves_by_kind_of_record(self, ruleset: Ruleset, record: Record, next_dealer: int) -> None:
        match = match_of(ruleset, record, first_dealer=1, match_format=TWO_GAMES)
        assert match.lines[0].dealer == 1
        assert match.dealer == next_dealer

    def test_deal_follows_a_dealer_written_on_the_sheet(self) -> None:
        match = match_of(
            CANADIAN, make_hand(A, "5"), make_hand(A, "5", dealer=Seat(3)), Misdeal(dealer=Seat(2)), PassedOutHand()
        )
        assert [line.dealer for line in match.lines] == [0, 3, 2, 2]
        assert match.dealer == 3

    def test_deal_alternates_between_two_players(self) -> None:
        match = match_of(TWO_PLAYER, make_hand(A, "5"), make_hand(B, "5"), make_hand(B, "5"), first_dealer=1)
        assert [line.dealer for line in match.lines] == [1, 0, 1]

    def test_house_rule_keeps_the_dealer_after_a_passed_out_hand(self) -> None:
        at_home = apply_house_rules(CANADIAN, {"all_pass": "same_dealer"})
        assert match_of(at_home, PassedOutHand(), first_dealer=1).dealer == 1


class TestRecordsWithoutScore:
    @pytest.mark.parametrize("record", [PassedOutHand(), Misdeal(), VoidHand(), UndoneRecord()], ids=lambda r: r.kind)
    def test_record_without_score_leaves_the_points_unchanged(self, record: Record) -> None:
        match = match_of(CANADIAN, make_hand(A, "6"), record)
        assert match.lines[1].gained == (0, 0)
        assert match.game.points == (6, 0)

    def test_undone_record_leaves_no_trace_in_the_middle(self) -> None:
        with_it = match_of(CANADIAN, make_hand(A, "6"), UndoneRecord(), make_hand(B, "7"))
        without = match_of(CANADIAN, make_hand(A, "6"), make_hand(B, "7"))
        assert (with_it.game, with_it.dealer, with_it.deals) == (without.game, without.dealer, without.deals)


class TestEndOfMatch:
    def test_surplus_hands_after_the_end_have_no_effect(self) -> None:
        late: list[Record] = [make_hand(B, "gros_charlemagne", 8), build_totals(0, 32), TimeCall(), PassedOutHand()]
        over = match_of(CANADIAN, make_hand(A, "gros_charlemagne", 8))
        match = match_of(CANADIAN, make_hand(A, "gros_charlemagne", 8), *late)
        assert [line.is_surplus for line in match.lines] == [False, True, True, True, True]
        assert [line.gained for line in match.lines[1:]] == [(0, 0)] * 4
        assert not any(line.ends_game for line in match.lines[1:])
        assert (match.games, match.game, match.winner, match.dealer, match.deals) == (
            (over.games, over.game, over.winner, over.dealer, over.deals)
        )

    def test_correction_may_make_surplus_hands_count_again(self) -> None:
        places = [(1, make_hand(A, "gros_charlemagne")), (2, make_hand(B, "7"))]
        assert fold(CANADIAN, ONE_GAME, places).lines[1].is_surplus
        corrected = fold(CANADIAN, ONE_GAME, [(1, make_hand(A, "5")), places[1]])
        assert not corrected.lines[1].is_surplus
        assert corrected.game.points == (5, 7)

    @pytest.mark.parametrize("games", [1, 2, 3])
    def test_match_ends_when_the_games_to_win_are_reached(self, games: int) -> None:
        for ruleset in RULESETS.values():
            match = match_of(ruleset, match_format=MatchFormat(games_to_win=games))
            for number in range(1, 4 * games + 1):
                assert match.is_over is (max(match.games_won) == games)
                match = match.add_record(number, make_hand(B, ruleset.played_keys[-1]))
            assert match.is_over
            assert match.games_won == (0, games)


class TestPaperTotals:
    def test_totals_replace_the_recorded_hands_of_the_game(self) -> None:
        match = match_of(CANADIAN, make_hand(A, "6"), make_hand(B, "7"), build_totals(34, 27))
        assert list_results(match) == [((34, 27), A, "points")]

    def test_totals_of_an_unfinished_game_let_it_continue(self) -> None:
        match = match_of(CANADIAN, build_totals(12, 27), make_hand(B, "5"))
        assert list_results(match) == [((12, 32), B, "points")]

    def test_totals_name_the_winner_of_a_charlemagne(self) -> None:
        match = match_of(MAINE, GameTotals(points=(20, 3), winner=B))
        assert list_results(match) == [((20, 3), B, "charlemagne")]

    @pytest.mark.parametrize("points", [(0, 0), (20, 31), (34, 20)])
    def test_director_award_overrides_the_totals(self, points: tuple[int, int]) -> None:
        awarded = GameTotals(points=points, winner=B, awarded=True)
        check_record(CANADIAN, awarded)
        assert list_results(match_of(CANADIAN, awarded)) == [(points, B, "awarded")]


class TestReadAloud:
    @pytest.mark.parametrize(
        ("ruleset", "before", "last", "is_aloud"),
        [
            pytest.param(CANADIAN, build_totals(0, 0), make_hand(A, "8"), False, id="8 points"),
            pytest.param(CANADIAN, build_totals(0, 0), make_hand(A, "mulot"), True, id="15 points"),
            pytest.param(CANADIAN, build_totals(0, 0), fail_hand(A, "mulot"), False, id="7 points of a Mulot"),
            pytest.param(CANADIAN, build_totals(0, 0), fail_hand(A, "gros_mulot"), True, id="15 to the others"),
            pytest.param(CANADIAN, build_totals(27, 0), make_hand(A, "5"), True, id="5 that end the game"),
            pytest.param(MAINE, build_totals(0, 0), fail_hand(A, "charlemagne"), True, id="the game itself"),
            pytest.param(CANADIAN, build_totals(27, 0), PassedOutHand(), False, id="nothing"),
            pytest.param(CANADIAN, build_totals(27, 0), TimeCall(), True, id="the end of the match"),
            pytest.param(CANADIAN, build_totals(32, 0), make_hand(A, "gros_charlemagne"), False, id="a surplus hand"),
        ],
    )
    def test_hand_is_read_aloud_for_a_game_end_or_15_points(
        self, ruleset: Ruleset, before: GameTotals, last: Record, is_aloud: bool
    ) -> None:
        match = match_of(ruleset, before)
        assert is_read_aloud(match, match.add_record(2, last)) is is_aloud

    def test_read_aloud_rule_looks_only_at_the_last_hand(self) -> None:
        match = match_of(CANADIAN, make_hand(A, "5"), make_hand(A, "mulot"), make_hand(B, "5"))
        assert not is_read_aloud(match, match.add_record(4, make_hand(B, "5")))
        assert is_read_aloud(match, match.add_record(4, make_hand(B, "mulot")))


def test_line_keeps_its_number_and_record_after_the_end() -> None:
    records = (make_hand(A, "gros_charlemagne"), make_hand(B, "6"))
    match = match_of(CANADIAN, *records)
    assert [(line.number, line.record) for line in match.lines] == [*enumerate(records, start=1)]


def test_record_unknown_to_the_ruleset_is_refused() -> None:
    check_record(CANADIAN, make_hand(A, "8", 8))
    assert get_refusal(check_record, MAINE, make_hand(A, "8", 8)) == ("no_such_bid", "contract")
    wrong_twice = make_hand(A, "5", 5, dealer=Seat(4), declarer=Seat(1))
    assert get_refusal(check_record, CANADIAN, wrong_twice) == ("no_such_seat", "dealer")
