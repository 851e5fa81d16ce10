"""Ranks by a chain of metrics."""

import doctest

import engine.ranking
from engine.draws import EntryId
from engine.ranking import RankingRules, rank_entries

from .round_texts import list_places, rank_text

CIRCLE = "1>2 32:12 / 3>4 32:20 / 5>6 33:21 / 7=8 28:28"


def test_first_differing_metric_decides_and_is_named() -> None:
    assert list_places(rank_text(CIRCLE, "match_points", "difference", "points_for")) == [
        (1, 1, None),
        (2, 5, "difference"),
        (3, 3, "points_for"),
        (4, 7, "match_points"),
        (4, 8, None),
        (6, 6, "match_points"),
        (7, 4, "points_for"),
        (8, 2, "difference"),
    ]


def test_equal_entries_share_a_rank_and_the_next_is_skipped() -> None:
    rows = rank_text("1>2 20:10 / 4>3 20:10", "points_for")
    assert [(row.rank, row.entry, row.equals, row.decided_by) for row in rows] == [
        (1, 1, (1, 4), None),
        (1, 4, (1, 4), None),
        (3, 2, (2, 3), "points_for"),
        (3, 3, (2, 3), None),
    ]


def test_metric_outside_the_order_does_not_decide() -> None:
    assert [row.rank for row in rank_text("1>2 32:20 / 3>4 32:0", "match_wins")] == [1, 1, 3, 3]


def test_tied_entries_are_listed_by_number() -> None:
    rows = rank_entries({EntryId(5): 2, EntryId(9): 1}, {}, RankingRules())
    assert [row.entry for row in rows] == [9, 5]
    assert rows[0].equals == (9, 5)


def test_row_lists_ordered_metrics_before_the_default_columns() -> None:
    row, *_ = rank_text("2>1 32:20", "buchholz", "points_for")
    assert list(row.values.items()) == [
        ("buchholz", 2),
        ("points_for", 20),
        ("match_wins", 0),
        ("games_won", 0),
        ("points_against", 32),
        ("difference", -12),
    ]


def test_entry_without_results_has_zeros_and_a_rank() -> None:
    (row,) = rank_text("", entries=[1])
    assert row.rank == 1
    assert set(row.values.values()) == {0}


def test_empty_field_has_no_rows() -> None:
    assert rank_text("") == ()


def test_package_doctest_examples_pass() -> None:
    examples = doctest.testmod(engine.ranking)
    assert examples.attempted > 0
    assert examples.failed == 0
