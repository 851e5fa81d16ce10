"""Ranks by a chain of metrics."""

import doctest

import engine.ranking
from engine.draws import EntryId
from engine.ranking import RankingRules, rank

from .played import places, standings

CIRCLE = "1>2 32:12 / 3>4 32:20 / 5>6 33:21 / 7=8 28:28"


def test_the_first_metric_that_differs_decides_and_is_named() -> None:
    assert places(standings(CIRCLE, "match_points", "difference", "points_for")) == [
        (1, 1, None),
        (2, 5, "difference"),
        (3, 3, "points_for"),
        (4, 7, "match_points"),
        (4, 8, None),
        (6, 6, "match_points"),
        (7, 4, "points_for"),
        (8, 2, "difference"),
    ]


def test_equal_on_all_is_an_equal_rank_and_the_next_one_is_left_out() -> None:
    rows = standings("1>2 20:10 / 4>3 20:10", "points_for")
    assert [(row.rank, row.entry, row.equals, row.decided_by) for row in rows] == [
        (1, 1, (1, 4), None),
        (1, 4, (1, 4), None),
        (3, 2, (2, 3), "points_for"),
        (3, 3, (2, 3), None),
    ]


def test_what_the_order_leaves_out_does_not_part() -> None:
    assert [row.rank for row in standings("1>2 32:20 / 3>4 32:0", "match_wins")] == [1, 1, 3, 3]


def test_equals_come_by_number_whatever_their_ids() -> None:
    rows = rank({EntryId(5): 2, EntryId(9): 1}, {}, RankingRules())
    assert [row.entry for row in rows] == [9, 5]
    assert rows[0].equals == (9, 5)


def test_a_row_has_the_metrics_of_the_order_first_and_then_the_usual_columns() -> None:
    row, *_ = standings("2>1 32:20", "buchholz", "points_for")
    assert list(row.values.items()) == [
        ("buchholz", 2),
        ("points_for", 20),
        ("match_wins", 0),
        ("games_won", 0),
        ("points_against", 32),
        ("difference", -12),
    ]


def test_an_entry_without_results_counts_as_zero_and_is_ranked() -> None:
    (row,) = standings("", entries=[1])
    assert row.rank == 1
    assert set(row.values.values()) == {0}


def test_nobody_no_rows() -> None:
    assert standings("") == ()


def test_the_example_in_the_face_is_right() -> None:
    examples = doctest.testmod(engine.ranking)
    assert examples.attempted > 0
    assert examples.failed == 0
