"""Values of each metric, compared with small tables counted by hand."""

from dataclasses import replace

import pytest

from engine.draws import EntryId
from engine.ranking import (
    CHOICES,
    NO_PLACE,
    PER_MATCH_METRICS,
    Outcome,
    OutcomeKind,
    RankingRules,
    Result,
    ResultAdjustment,
    build_ranked_field,
    rank_entries,
    rank_field,
)

from .round_texts import build_field, get_values, list_places, parse_results, rank_text

POOL = """
1>2 32:20 / 3>4 32:30
1>3 32:6 / 2=4 28:28
1>4 40:4 / 2>3 36:10
"""
"""A round robin of four pairs."""


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
        # A round counts at most 20: 12 + 20 + 20, -12 + 0 + 20, 2 - 20 - 20, -2 + 0 - 20.
        ("capped_difference", {1: 52, 2: 8, 3: -38, 4: -22}),
        # Margins 12, 26, 36 of 20: 17 + 20 + 20; −12, 0, 26; 2, −26, −26; −2, 0, −36.
        ("victory_points", {1: 57, 2: 33, 3: 11, 4: 19}),
        # After each round 2, 4, 6; 0, 1, 3; 2, 2, 2; 0, 1, 1.
        ("progressive", {1: 12, 2: 4, 3: 6, 4: 2}),
        # The match points of all others.
        ("buchholz", {1: 6, 2: 9, 3: 10, 4: 11}),
        # Without the lowest: 1; 1; 1; 2.
        ("buchholz_cut_1", {1: 5, 2: 8, 3: 9, 4: 9}),
        # The middle one of 3, 2, 1; 6, 2, 1; 6, 3, 1; 6, 3, 2.
        ("buchholz_median", {1: 2, 2: 2, 3: 3, 4: 3}),
        # In halves: 1 beat 3, 2 and 1 points; 2 beat 2 and drew with 1; 3 beat 1; 4 drew with 3.
        ("sonneborn_berger", {1: 12, 2: 5, 3: 2, 4: 3}),
        # They won 100, 50, 33.33 and 16.66 percent: a draw is half a win.
        ("opponents_win_rate", {1: 3333, 2: 4999, 3: 5555, 4: 6111}),
    ],
)
def test_pool_metrics_match_a_hand_count(key: str, counted: dict[int, int]) -> None:
    assert get_values(rank_text(POOL, key), key) == counted


def test_contracts_and_charlemagnes_sum_over_rounds() -> None:
    hands = Result(round=1, outcome=Outcome.WON, contracts_made=7, charlemagnes=1)
    by_entry = {EntryId(1): [hands, replace(hands, round=2, contracts_made=2)]}
    (row,) = rank_entries({EntryId(1): 1}, by_entry, RankingRules(order=("contracts_made", "charlemagnes")))
    assert (row.values["contracts_made"], row.values["charlemagnes"]) == (9, 2)


@pytest.mark.parametrize("kind", [OutcomeKind.BYE, OutcomeKind.FORFEIT, OutcomeKind.ABSENT])
def test_win_without_play_adds_no_contract_or_charlemagne(kind: OutcomeKind) -> None:
    by_entry = {EntryId(1): [Result(round=1, outcome=Outcome.WON, kind=kind)]}
    (row,) = rank_entries({EntryId(1): 1}, by_entry, RankingRules(order=("contracts_made", "charlemagnes")))
    assert (row.values["contracts_made"], row.values["charlemagnes"]) == (0, 0)


@pytest.mark.parametrize("key", ["games_lost", "points_against"])
def test_fewer_losses_rank_higher(key: str) -> None:
    assert list_places(rank_text("1>2 32:20", key)) == [(1, 1, None), (2, 2, key)]


def test_match_points_follow_the_event_settings() -> None:
    rows = rank_text(POOL, "match_points", win=3, draw=1, loss=0)
    assert get_values(rows, "match_points") == {1: 9, 2: 4, 3: 3, 4: 1}


class TestHeadToHead:
    def test_head_to_head_separates_two_tied_entries(self) -> None:
        rows = rank_text("1>2 / 3>4\n2>3 / 4>1\n1>3 / 2>4", "match_wins", "head_to_head")
        assert list_places(rows) == [
            (1, 1, None),
            (2, 2, "head_to_head"),
            (3, 3, "match_wins"),
            (4, 4, "head_to_head"),
        ]
        assert get_values(rows, "head_to_head") == {1: 1, 2: 0, 3: 1, 4: 0}

    def test_head_to_head_lists_the_matches_it_uses(self) -> None:
        rows = rank_text("1>2 32:20 / 3>4\n2>3 / 4>1\n1>3 / 2>4", "match_wins", "head_to_head")
        (meeting,) = rows[0].meetings
        assert (meeting.opponent, meeting.result.round, meeting.result.points_for) == (2, 1, 32)

    def test_three_way_circle_is_not_decided(self) -> None:
        rows = rank_text("1>2\n2>3\n3>1", "match_wins", "head_to_head")
        assert get_values(rows, "head_to_head") == {1: 0, 2: 0, 3: 0}
        assert [row.rank for row in rows] == [1, 1, 1]

    def test_head_to_head_needs_all_tied_entries_to_have_met(self) -> None:
        rows = rank_text("1>2 / 3>4\n4>1 / 2>3", "match_wins", "head_to_head")
        assert get_values(rows, "head_to_head") == dict.fromkeys((1, 2, 3, 4))
        assert all(row.meetings == () for row in rows)

    def test_untied_entry_has_no_head_to_head_value(self) -> None:
        assert get_values(rank_text("1>2", "match_wins", "head_to_head"), "head_to_head") == {1: None, 2: None}

    def test_head_to_head_is_applied_again_to_remaining_ties(self) -> None:
        # 1 and 2 won two of their three matches, and 1 beat 2; 3 and 4 won one, and 3 beat 4.
        rows = rank_text("1>2 / 3>4\n1>3 / 2>4\n4>1 / 2>3", "charlemagnes", "head_to_head")
        assert [row.entry for row in rows] == [1, 2, 3, 4]
        assert get_values(rows, "head_to_head") == {1: 3, 2: 2, 3: 1, 4: 0}

    def test_head_to_head_needs_equally_many_meetings(self) -> None:
        twice = "1>2\n1>2\n2>3\n3>1"
        assert set(get_values(rank_text(twice, "charlemagnes", "head_to_head"), "head_to_head").values()) == {None}

    def test_head_to_head_counts_a_forfeit(self) -> None:
        rows = rank_text("1>2 forfeit", "points_for", "head_to_head")
        assert list_places(rows) == [(1, 1, None), (2, 2, "head_to_head")]

    def test_head_to_head_counts_a_dropped_round(self) -> None:
        rows = rank_text("1>2\n1 bye / 2 bye", "match_wins", "head_to_head", dropped=1)
        assert {row.dropped for row in rows} == {(1,)}
        assert list_places(rows) == [(1, 1, None), (2, 2, "head_to_head")]

    def test_head_to_head_ignores_partners_who_have_not_met(self) -> None:
        rows = rank_text("1,2>3,4", "match_wins", "head_to_head")
        assert set(get_values(rows, "head_to_head").values()) == {None}


class TestUnplayedRounds:
    def test_unplayed_round_counts_an_opponent_equal_to_oneself(self) -> None:
        text = "1>2 / 3 bye\n1 bye / 2>3"
        rows = rank_text(text, "buchholz", "sonneborn_berger", "opponents_win_rate")
        # 1 has 4 points, 2 and 3 have 2.
        assert get_values(rows, "buchholz") == {1: 2 + 4, 2: 4 + 2, 3: 2 + 2}
        assert get_values(rows, "sonneborn_berger") == {1: 4 + 8, 2: 4, 3: 4}
        # Of the matches they played, they won 100, 50 and 0 percent.
        assert get_values(rows, "opponents_win_rate") == {1: 7500, 2: 5000, 3: 2500}

    def test_unplayed_round_counts_the_same_whatever_the_cause(self) -> None:
        for other in ("1>2 forfeit / 3 bye", "1 bye / 2 absent / 3 bye"):
            rows = rank_text(f"{other}\n1>2 / 3 absent", "buchholz")
            assert get_values(rows, "buchholz") == {1: 4 + 0, 2: 0 + 4, 3: 2 + 2}

    def test_unplayed_win_counts_games_but_no_points(self) -> None:
        rows = rank_text("1 bye / 2>3 forfeit", "games_won", "points_for", "games_lost", games_to_win=2)
        assert get_values(rows, "games_won") == {1: 2, 2: 2, 3: 0}
        assert get_values(rows, "games_lost") == {1: 0, 2: 0, 3: 2}
        assert set(get_values(rows, "points_for").values()) == {0}

    def test_unplayed_loss_earns_no_match_points(self) -> None:
        rows = rank_text("1>2 / 3>4 forfeit / 5 absent", "match_points", win=3, draw=2, loss=1)
        assert get_values(rows, "match_points") == {1: 3, 2: 1, 3: 3, 4: 0, 5: 0}

    @pytest.mark.parametrize(("bye", "worth"), [("win", (1, 2, 1)), ("draw", (0, 1, 0)), ("nothing", (0, 0, 0))])
    def test_a_bye_is_worth_what_the_event_says(self, bye: str, worth: tuple[int, int, int]) -> None:
        (row,) = rank_text("1 bye", "match_points", bye=bye, games_to_win=1)
        assert (row.values["match_wins"], row.values["match_points"], row.values["games_won"]) == worth

    def test_missed_round_loses_games_and_a_bye_none(self) -> None:
        rows = rank_text("1 bye / 2 absent", "games_lost", bye="nothing", games_to_win=2)
        assert get_values(rows, "games_lost") == {1: 0, 2: 2}


class TestDrawnPartners:
    ROUNDS = "1,2>3,4 / 5 bye\n1,3>2,5 / 4 bye"

    def test_buchholz_counts_both_opponents(self) -> None:
        rows = rank_text(self.ROUNDS, "match_points", "buchholz")
        assert get_values(rows, "match_points") == {1: 4, 2: 2, 3: 2, 4: 2, 5: 2}
        # A bye counts as two opponents with the entry's own score.
        assert get_values(rows, "buchholz") == {1: 4 + 4, 2: 4 + 6, 3: 6 + 4, 4: 6 + 4, 5: 4 + 6}

    def test_buchholz_counts_a_single_opponent_twice(self) -> None:
        rows = rank_text("1,2>3,4 / 5>6", "buchholz")
        assert get_values(rows, "buchholz")[6] == 2 * 2

    def test_win_rate_of_opponents_is_the_mean_of_two(self) -> None:
        rows = rank_text(self.ROUNDS, "opponents_win_rate")
        # They won 100, 50, 50, 0 and 0 percent of what they played.
        assert get_values(rows, "opponents_win_rate")[2] == (2500 + 7500) // 2


class TestDroppedRounds:
    def test_dropped_rounds_follow_the_order_of_metrics(self) -> None:
        text = "1>9 32:20\n9>1 20:32\n1>9 32:6\n9>1 30:32"
        (row,) = [row for row in rank_text(text, "match_wins", "difference", dropped=2) if row.entry == 1]
        assert row.dropped == (2, 4) and row.values["difference"] == 38  # noqa: PT018

    def test_own_metrics_leave_out_dropped_rounds(self) -> None:
        rows = rank_text("1>2 32:20\n2>1 32:6", "match_points", "progressive", dropped=1)
        assert get_values(rows, "points_for") == {1: 32, 2: 32}
        # The first round stays in both running totals, the second is in one.
        assert get_values(rows, "progressive") == {1: 4, 2: 2}

    def test_missed_round_is_dropped_first(self) -> None:
        rows = rank_text("1>2 32:12\n1>3 32:20 / 2 absent\n1>2 32:2", dropped=1)
        assert {row.entry: row.dropped for row in rows} == {1: (2,), 2: (2,), 3: ()}

    def test_entry_with_fewer_rounds_drops_fewer(self) -> None:
        rows = rank_text("1>2\n1>2\n1>2 / 3 bye", dropped=1)
        assert {row.entry: len(row.dropped) for row in rows} == {1: 1, 2: 1, 3: 0}

    def test_one_round_always_counts(self) -> None:
        rows = rank_text("1>2\n2>1", dropped=5)
        assert get_values(rows, "match_wins") == {1: 1, 2: 1}


class TestLots:
    def test_lots_separate_tied_entries(self) -> None:
        rows = rank_text("", "match_wins", "lots", entries=range(1, 9))
        assert sorted(row.rank for row in rows) == list(range(1, 9))
        assert {row.decided_by for row in rows[1:]} == {"lots"}

    def test_lots_are_the_same_on_every_machine(self) -> None:
        rows = rank_text("", "lots", entries=range(1, 6), seed=7)
        assert [row.entry for row in rows] == [1, 3, 4, 5, 2]

    def test_lots_change_with_the_seed(self) -> None:
        drawn = {tuple(row.entry for row in rank_text("", "lots", entries=range(1, 9), seed=s)) for s in range(5)}
        assert len(drawn) == 5

    def test_lot_of_an_entry_stays_when_another_joins(self) -> None:
        few, more = (get_values(rank_text("", "lots", entries=range(1, to)), "lots") for to in (5, 9))
        assert few.items() <= more.items()

    def test_lots_depend_on_the_number_and_not_the_id(self) -> None:
        rows = rank_entries({EntryId(91): 1, EntryId(17): 2}, {}, RankingRules(order=("lots",)))
        by_id = rank_entries({EntryId(5): 1, EntryId(6): 2}, {}, RankingRules(order=("lots",)))
        assert [row.values["lots"] for row in rows] == [row.values["lots"] for row in by_id]


class TestAdjustments:
    def test_points_adjustment_also_changes_the_difference(self) -> None:
        fine = ResultAdjustment(entry=EntryId(1), metric="points_for", amount=-10, round=1)
        rows = rank_text("1>2 32:20", "difference", "capped_difference", adjustments=[fine])
        assert [(row.entry, row.values["difference"], row.values["points_for"]) for row in rows] == [
            (1, 2, 22),
            (2, -12, 20),
        ]
        assert get_values(rows, "capped_difference") == {1: 2, 2: -12}
        assert rows[0].adjustments == {"points_for": -10}

    def test_match_points_adjustment_counts_in_running_totals(self) -> None:
        def progressive(number: int | None) -> int | None:
            fine = ResultAdjustment(entry=EntryId(1), metric="match_points", amount=-1, round=number)
            rows = rank_text("1>2\n1>2\n1>2", "progressive", "match_points", adjustments=[fine])
            assert get_values(rows, "match_points")[1] == 5
            return get_values(rows, "progressive")[1]

        assert [progressive(1), progressive(3), progressive(None)] == [12 - 3, 12 - 1, 12 - 1]

    def test_match_points_adjustment_changes_opponents_buchholz(self) -> None:
        fine = ResultAdjustment(entry=EntryId(1), metric="match_points", amount=-1)
        assert get_values(rank_text("1>2", "buchholz", adjustments=[fine]), "buchholz")[2] == 1

    def test_adjustment_is_not_dropped_with_its_round(self) -> None:
        bonus = ResultAdjustment(entry=EntryId(2), metric="match_wins", amount=1, round=1)
        rows = rank_text("1>2\n1>2", dropped=1, adjustments=[bonus])
        assert get_values(rows, "match_wins") == {1: 1, 2: 1}


def test_unranked_opponent_still_counts_in_buchholz() -> None:
    by_entry = parse_results("1>2 / 3>4")
    rules = RankingRules(order=("buchholz",))
    everybody = rank_entries({EntryId(entry): entry for entry in (1, 2, 3, 4)}, by_entry, rules)
    without = rank_entries({EntryId(entry): entry for entry in (2, 3, 4)}, by_entry, rules)
    assert get_values(without, "buchholz") == {
        entry: value for entry, value in get_values(everybody, "buchholz").items() if entry != 1
    }


def test_field_without_results_has_zero_values() -> None:
    counted = build_ranked_field(
        {EntryId(1): 1}, {}, RankingRules(order=tuple({*CHOICES, *PER_MATCH_METRICS.values()}))
    )
    (row,) = rank_field(counted)
    assert {key: value for key, value in row.values.items() if value} == {
        "lots": row.values["lots"],
        "pool_place": NO_PLACE,
        "play_off": NO_PLACE,
    }


def test_result_kind_states_how_it_came_about() -> None:
    assert [each.kind for each in build_field("1 bye\n1>2 forfeit\n1 absent").lines[EntryId(1)].results] == [
        OutcomeKind.BYE,
        OutcomeKind.FORFEIT,
        OutcomeKind.ABSENT,
    ]
