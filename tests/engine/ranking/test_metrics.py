"""Values of each metric, by small tables that are counted by hand."""

from dataclasses import replace

import pytest

from engine.draws import EntryId
from engine.ranking import (
    CHOICES,
    NO_PLACE,
    PER_MATCH,
    Outcome,
    OutcomeKind,
    RankingRules,
    Result,
    ResultAdjustment,
    rank,
    rank_field,
    ranked_field,
)

from .played import field, places, results, standings, values

POOL = """
1>2 32:20 / 3>4 32:30
1>3 32:6 / 2=4 28:28
1>4 40:4 / 2>3 36:10
"""
"""Four pairs, each against each."""


@pytest.mark.parametrize(
    ("key", "counted"),
    [
        ("match_wins", {1: 3, 2: 1, 3: 1, 4: 0}),
        ("match_points", {1: 6, 2: 3, 3: 2, 4: 1}),
        ("games_won", {1: 3, 2: 1, 3: 1, 4: 0}),
        ("games_lost", {1: 0, 2: 1, 3: 2, 4: 2}),
        ("points_for", {1: 104, 2: 84, 3: 48, 4: 62}),
        ("points_against", {1: 30, 2: 70, 3: 98, 4: 100}),
        ("difference", {1: 74, 2: 14, 3: -50, 4: -38}),
        # No round moves more than 20: 12 + 20 + 20, -12 + 0 + 20, 2 - 20 - 20, -2 + 0 - 20.
        ("capped_difference", {1: 52, 2: 8, 3: -38, 4: -22}),
        # Margins 12, 26, 36 of 20: 17 + 20 + 20; −12, 0, 26; 2, −26, −26; −2, 0, −36.
        ("victory_points", {1: 57, 2: 33, 3: 11, 4: 19}),
        # After each round 2, 4, 6; 0, 1, 3; 2, 2, 2; 0, 1, 1.
        ("progressive", {1: 12, 2: 4, 3: 6, 4: 2}),
        # The match points of all others.
        ("buchholz", {1: 6, 2: 9, 3: 10, 4: 11}),
        # Without 1; 1; 1; 2.
        ("buchholz_cut_1", {1: 5, 2: 8, 3: 9, 4: 9}),
        # What is left in the middle: of 3, 2, 1; 6, 2, 1; 6, 3, 1; 6, 3, 2.
        ("buchholz_median", {1: 2, 2: 2, 3: 3, 4: 3}),
        # In halves: 1 beat 3, 2 and 1 points; 2 beat 2 and drew with 1; 3 beat 1; 4 drew with 3.
        ("sonneborn_berger", {1: 12, 2: 5, 3: 2, 4: 3}),
        # They won 100, 50, 33.33 and 16.66 percent: a draw is half a win.
        ("opponents_win_rate", {1: 3333, 2: 4999, 3: 5555, 4: 6111}),
    ],
)
def test_a_pool_counted_by_hand(key: str, counted: dict[int, int]) -> None:
    assert values(standings(POOL, key), key) == counted


def test_contracts_and_charlemagnes_are_those_of_the_cards() -> None:
    hands = Result(round=1, outcome=Outcome.WON, contracts_made=7, charlemagnes=1)
    by_entry = {EntryId(1): [hands, replace(hands, round=2, contracts_made=2)]}
    (row,) = rank({EntryId(1): 1}, by_entry, RankingRules(order=("contracts_made", "charlemagnes")))
    assert (row.values["contracts_made"], row.values["charlemagnes"]) == (9, 2)


@pytest.mark.parametrize("kind", [OutcomeKind.BYE, OutcomeKind.FORFEIT, OutcomeKind.ABSENT])
def test_who_wins_without_cards_made_no_contract_and_no_charlemagne(kind: OutcomeKind) -> None:
    by_entry = {EntryId(1): [Result(round=1, outcome=Outcome.WON, kind=kind)]}
    (row,) = rank({EntryId(1): 1}, by_entry, RankingRules(order=("contracts_made", "charlemagnes")))
    assert (row.values["contracts_made"], row.values["charlemagnes"]) == (0, 0)


@pytest.mark.parametrize("key", ["games_lost", "points_against"])
def test_fewer_lost_are_better(key: str) -> None:
    assert places(standings("1>2 32:20", key)) == [(1, 1, None), (2, 2, key)]


def test_match_points_are_worth_what_the_event_says() -> None:
    rows = standings(POOL, "match_points", win=3, draw=1, loss=0)
    assert values(rows, "match_points") == {1: 9, 2: 4, 3: 3, 4: 1}


class TestHeadToHead:
    def test_parts_two_who_are_level_by_their_own_match(self) -> None:
        rows = standings("1>2 / 3>4\n2>3 / 4>1\n1>3 / 2>4", "match_wins", "head_to_head")
        assert places(rows) == [
            (1, 1, None),
            (2, 2, "head_to_head"),
            (3, 3, "match_wins"),
            (4, 4, "head_to_head"),
        ]
        assert values(rows, "head_to_head") == {1: 1, 2: 0, 3: 1, 4: 0}

    def test_tells_the_matches_it_looks_at(self) -> None:
        rows = standings("1>2 32:20 / 3>4\n2>3 / 4>1\n1>3 / 2>4", "match_wins", "head_to_head")
        (meeting,) = rows[0].meetings
        assert (meeting.opponent, meeting.result.round, meeting.result.points_for) == (2, 1, 32)

    def test_of_three_in_a_circle_does_not_decide(self) -> None:
        rows = standings("1>2\n2>3\n3>1", "match_wins", "head_to_head")
        assert values(rows, "head_to_head") == {1: 0, 2: 0, 3: 0}
        assert [row.rank for row in rows] == [1, 1, 1]

    def test_does_not_decide_unless_all_of_them_have_met(self) -> None:
        rows = standings("1>2 / 3>4\n4>1 / 2>3", "match_wins", "head_to_head")
        assert values(rows, "head_to_head") == dict.fromkeys((1, 2, 3, 4))
        assert all(row.meetings == () for row in rows)

    def test_says_nothing_of_who_is_level_with_nobody(self) -> None:
        assert values(standings("1>2", "match_wins", "head_to_head"), "head_to_head") == {1: None, 2: None}

    def test_looks_again_at_those_it_leaves_level(self) -> None:
        # 1 and 2 won two of their three matches, and 1 beat 2; 3 and 4 won one, and 3 beat 4.
        rows = standings("1>2 / 3>4\n1>3 / 2>4\n4>1 / 2>3", "charlemagnes", "head_to_head")
        assert [row.entry for row in rows] == [1, 2, 3, 4]
        assert values(rows, "head_to_head") == {1: 3, 2: 2, 3: 1, 4: 0}

    def test_decides_only_where_all_have_met_equally_often(self) -> None:
        twice = "1>2\n1>2\n2>3\n3>1"
        assert set(values(standings(twice, "charlemagnes", "head_to_head"), "head_to_head").values()) == {
            None
        }

    def test_counts_a_match_that_one_did_not_come_to(self) -> None:
        rows = standings("1>2 forfeit", "points_for", "head_to_head")
        assert places(rows) == [(1, 1, None), (2, 2, "head_to_head")]

    def test_counts_a_round_that_is_dropped_otherwise(self) -> None:
        rows = standings("1>2\n1 bye / 2 bye", "match_wins", "head_to_head", dropped=1)
        assert {row.dropped for row in rows} == {(1,)}
        assert places(rows) == [(1, 1, None), (2, 2, "head_to_head")]

    def test_does_not_decide_between_partners_who_have_not_met(self) -> None:
        rows = standings("1,2>3,4", "match_wins", "head_to_head")
        assert set(values(rows, "head_to_head").values()) == {None}


class TestARoundThatWasNotPlayed:
    def test_counts_as_one_against_an_opponent_as_good_as_oneself(self) -> None:
        text = "1>2 / 3 bye\n1 bye / 2>3"
        rows = standings(text, "buchholz", "sonneborn_berger", "opponents_win_rate")
        # 1 has 4 points, 2 and 3 have 2.
        assert values(rows, "buchholz") == {1: 2 + 4, 2: 4 + 2, 3: 2 + 2}
        assert values(rows, "sonneborn_berger") == {1: 4 + 8, 2: 4, 3: 4}
        # Of the matches they played, they won 100, 50 and 0 percent.
        assert values(rows, "opponents_win_rate") == {1: 7500, 2: 5000, 3: 2500}

    def test_is_the_same_whatever_kept_them_from_playing(self) -> None:
        for other in ("1>2 forfeit / 3 bye", "1 bye / 2 absent / 3 bye"):
            rows = standings(f"{other}\n1>2 / 3 absent", "buchholz")
            assert values(rows, "buchholz") == {1: 4 + 0, 2: 0 + 4, 3: 2 + 2}

    def test_won_counts_the_games_of_a_match_and_no_points(self) -> None:
        rows = standings("1 bye / 2>3 forfeit", "games_won", "points_for", "games_lost", games_to_win=2)
        assert values(rows, "games_won") == {1: 2, 2: 2, 3: 0}
        assert values(rows, "games_lost") == {1: 0, 2: 0, 3: 2}
        assert set(values(rows, "points_for").values()) == {0}

    def test_lost_is_not_worth_what_a_match_lost_is_worth(self) -> None:
        rows = standings("1>2 / 3>4 forfeit / 5 absent", "match_points", win=3, draw=2, loss=1)
        assert values(rows, "match_points") == {1: 3, 2: 1, 3: 3, 4: 0, 5: 0}

    @pytest.mark.parametrize(
        ("bye", "worth"), [("win", (1, 2, 1)), ("draw", (0, 1, 0)), ("nothing", (0, 0, 0))]
    )
    def test_a_bye_is_worth_what_the_event_says(self, bye: str, worth: tuple[int, int, int]) -> None:
        (row,) = standings("1 bye", "match_points", bye=bye, games_to_win=1)
        assert (row.values["match_wins"], row.values["match_points"], row.values["games_won"]) == worth

    def test_a_missed_round_loses_the_games_of_a_match_and_a_bye_none(self) -> None:
        rows = standings("1 bye / 2 absent", "games_lost", bye="nothing", games_to_win=2)
        assert values(rows, "games_lost") == {1: 0, 2: 2}


class TestPartnersDrawn:
    ROUNDS = "1,2>3,4 / 5 bye\n1,3>2,5 / 4 bye"

    def test_count_the_scores_of_both_opponents(self) -> None:
        rows = standings(self.ROUNDS, "match_points", "buchholz")
        assert values(rows, "match_points") == {1: 4, 2: 2, 3: 2, 4: 2, 5: 2}
        # A bye counts as two opponents as good as oneself.
        assert values(rows, "buchholz") == {1: 4 + 4, 2: 4 + 6, 3: 6 + 4, 4: 6 + 4, 5: 4 + 6}

    def test_count_a_single_opponent_twice(self) -> None:
        rows = standings("1,2>3,4 / 5>6", "buchholz")
        assert values(rows, "buchholz")[6] == 2 * 2

    def test_face_the_mean_of_two_rates(self) -> None:
        rows = standings(self.ROUNDS, "opponents_win_rate")
        # They won 100, 50, 50, 0 and 0 percent of what they played.
        assert values(rows, "opponents_win_rate")[2] == (2500 + 7500) // 2


class TestTheBestRounds:
    def test_are_those_that_the_order_likes_best(self) -> None:
        text = "1>9 32:20\n9>1 20:32\n1>9 32:6\n9>1 30:32"
        (row,) = [row for row in standings(text, "match_wins", "difference", dropped=2) if row.entry == 1]
        assert row.dropped == (2, 4) and row.values["difference"] == 38  # noqa: PT018

    def test_count_for_whatever_an_entry_has_done_itself(self) -> None:
        rows = standings("1>2 32:20\n2>1 32:6", "match_points", "progressive", dropped=1)
        assert values(rows, "points_for") == {1: 32, 2: 32}
        # The first round stays in both running totals, the second is in one.
        assert values(rows, "progressive") == {1: 4, 2: 2}

    def test_leave_out_a_round_that_was_missed_before_any_other(self) -> None:
        rows = standings("1>2 32:12\n1>3 32:20 / 2 absent\n1>2 32:2", dropped=1)
        assert {row.entry: row.dropped for row in rows} == {1: (2,), 2: (2,), 3: ()}

    def test_are_as_many_for_whoever_has_played_fewer(self) -> None:
        rows = standings("1>2\n1>2\n1>2 / 3 bye", dropped=1)
        assert {row.entry: len(row.dropped) for row in rows} == {1: 1, 2: 1, 3: 0}

    def test_are_one_at_least(self) -> None:
        rows = standings("1>2\n2>1", dropped=5)
        assert values(rows, "match_wins") == {1: 1, 2: 1}


class TestLots:
    def test_part_whoever_is_level(self) -> None:
        rows = standings("", "match_wins", "lots", entries=range(1, 9))
        assert sorted(row.rank for row in rows) == list(range(1, 9))
        assert {row.decided_by for row in rows[1:]} == {"lots"}

    def test_are_the_same_on_every_machine(self) -> None:
        rows = standings("", "lots", entries=range(1, 6), seed=7)
        assert [row.entry for row in rows] == [1, 3, 4, 5, 2]

    def test_are_others_with_another_seed(self) -> None:
        drawn = {
            tuple(row.entry for row in standings("", "lots", entries=range(1, 9), seed=s)) for s in range(5)
        }
        assert len(drawn) == 5

    def test_of_one_entry_stay_when_another_comes(self) -> None:
        few, more = (values(standings("", "lots", entries=range(1, to)), "lots") for to in (5, 9))
        assert few.items() <= more.items()

    def test_go_by_number_and_not_by_id(self) -> None:
        rows = rank({EntryId(91): 1, EntryId(17): 2}, {}, RankingRules(order=("lots",)))
        by_id = rank({EntryId(5): 1, EntryId(6): 2}, {}, RankingRules(order=("lots",)))
        assert [row.values["lots"] for row in rows] == [row.values["lots"] for row in by_id]


class TestAdjustments:
    def test_of_points_move_the_difference_too(self) -> None:
        fine = ResultAdjustment(entry=EntryId(1), metric="points_for", amount=-10, round=1)
        rows = standings("1>2 32:20", "difference", "capped_difference", adjustments=[fine])
        assert [(row.entry, row.values["difference"], row.values["points_for"]) for row in rows] == [
            (1, 2, 22),
            (2, -12, 20),
        ]
        assert values(rows, "capped_difference") == {1: 2, 2: -12}
        assert rows[0].adjusted == {"points_for": -10}

    def test_of_match_points_count_in_running_totals_from_their_round_on(self) -> None:
        def progressive(number: int | None) -> int | None:
            fine = ResultAdjustment(entry=EntryId(1), metric="match_points", amount=-1, round=number)
            rows = standings("1>2\n1>2\n1>2", "progressive", "match_points", adjustments=[fine])
            assert values(rows, "match_points")[1] == 5
            return values(rows, "progressive")[1]

        assert [progressive(1), progressive(3), progressive(None)] == [12 - 3, 12 - 1, 12 - 1]

    def test_of_match_points_are_what_opponents_face(self) -> None:
        fine = ResultAdjustment(entry=EntryId(1), metric="match_points", amount=-1)
        assert values(standings("1>2", "buchholz", adjustments=[fine]), "buchholz")[2] == 1

    def test_are_not_dropped_with_a_round(self) -> None:
        bonus = ResultAdjustment(entry=EntryId(2), metric="match_wins", amount=1, round=1)
        rows = standings("1>2\n1>2", dropped=1, adjustments=[bonus])
        assert values(rows, "match_wins") == {1: 1, 2: 1}


def test_an_opponent_who_is_no_longer_ranked_counts_as_much_to_those_it_met() -> None:
    by_entry = results("1>2 / 3>4")
    rules = RankingRules(order=("buchholz",))
    everybody = rank({EntryId(entry): entry for entry in (1, 2, 3, 4)}, by_entry, rules)
    without = rank({EntryId(entry): entry for entry in (2, 3, 4)}, by_entry, rules)
    assert values(without, "buchholz") == {
        entry: value for entry, value in values(everybody, "buchholz").items() if entry != 1
    }


def test_every_metric_of_a_field_without_results_is_zero_or_nothing_but_lots() -> None:
    counted = ranked_field({EntryId(1): 1}, {}, RankingRules(order=tuple({*CHOICES, *PER_MATCH.values()})))
    (row,) = rank_field(counted)
    assert {key: value for key, value in row.values.items() if value} == {
        "lots": row.values["lots"],
        "pool_place": NO_PLACE,
    }


def test_a_result_says_how_it_came_about() -> None:
    assert [each.kind for each in field("1 bye\n1>2 forfeit\n1 absent").lines[EntryId(1)].results] == [
        OutcomeKind.BYE,
        OutcomeKind.FORFEIT,
        OutcomeKind.ABSENT,
    ]
