import doctest
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tournaments.ranking
from tournaments.draws import EntryId
from tournaments.ranking import METRICS, Comparison, Result, Row, rank, why

ORDER = ("match_wins", "games_won", "difference", "points_for")

Results = Mapping[EntryId, list[Result]]


def result(points_for: int = 0, points_against: int = 0, *, games_won: int = 0, won: bool = False) -> Result:
    return Result(
        round=1,
        opponent=None,
        match_won=won,
        games_won=games_won,
        games_lost=0,
        points_for=points_for,
        points_against=points_against,
    )


def standings(*results: Result, order: tuple[str, ...] = ORDER) -> tuple[Row, ...]:
    """Entries 1, 2, 3, … with one result each."""
    by_entry = {EntryId(entry): [each] for entry, each in enumerate(results, start=1)}
    return rank(by_entry, by_entry, order)


# Examples


def test_the_first_metric_that_differs_decides_and_is_named() -> None:
    rows = standings(
        result(20, 32),
        result(32, 20, games_won=1, won=True),
        result(21, 32),
        result(32, 12, games_won=1, won=True),
        result(33, 21, games_won=1, won=True),
        result(25, 32, games_won=1),
    )
    assert [(row.rank, row.entry, row.decided_by) for row in rows] == [
        (1, 4, None),
        (2, 5, "difference"),
        (3, 2, "points_for"),
        (4, 6, "match_wins"),
        (5, 3, "games_won"),
        (6, 1, "difference"),
    ]


def test_equal_on_all_is_an_equal_rank_and_the_next_one_is_left_out() -> None:
    rows = standings(result(10), result(20), result(30), result(20))
    assert [(row.rank, row.entry, row.tied_with, row.decided_by) for row in rows] == [
        (1, 3, (), None),
        (2, 2, (4,), "difference"),
        (2, 4, (2,), None),
        (4, 1, (), "difference"),
    ]


def test_what_the_order_leaves_out_does_not_part() -> None:
    rows = standings(result(32, 20), result(32, 0), order=("points_for",))
    assert [row.rank for row in rows] == [1, 1]


def test_without_any_metric_all_are_equal() -> None:
    assert [row.rank for row in standings(result(1), result(2), order=())] == [1, 1]


def test_fewer_points_against_are_better() -> None:
    rows = standings(result(0, 32), result(0, 12), order=("points_against",))
    assert [(row.entry, row.decided_by) for row in rows] == [(2, None), (1, "points_against")]


def test_a_row_has_every_metric_and_those_of_the_order_first() -> None:
    (row,) = standings(result(32, 20, games_won=1, won=True), order=("difference", "points_for"))
    assert list(row.values.items()) == [
        ("difference", 12),
        ("points_for", 32),
        ("match_wins", 1),
        ("games_won", 1),
        ("points_against", 20),
    ]


def test_an_entry_without_results_counts_as_zero_and_is_ranked() -> None:
    (row,) = rank([EntryId(1)], {}, ORDER)
    assert row.rank == 1
    assert set(row.values.values()) == {0}


def test_results_of_whoever_is_not_to_be_ranked_are_left_out() -> None:
    assert [row.entry for row in rank([EntryId(1)], {EntryId(2): [result(32)]}, ORDER)] == [1]


def test_nobody_no_rows() -> None:
    assert rank([], {}, ORDER) == ()


def test_a_metric_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="elegance"):
        rank([], {}, ("match_wins", "elegance"))


def test_why_compares_criterion_by_criterion_up_to_the_one_that_decided_and_beyond() -> None:
    order = ("match_wins", "points_for", "difference", "games_won")
    row, neighbour = standings(result(91, 72, won=True), result(91, 77, won=True, games_won=1), order=order)
    assert why(row, neighbour, order) == (
        Comparison(metric="match_wins", value=1, neighbour_value=1, decided=False),
        Comparison(metric="points_for", value=91, neighbour_value=91, decided=False),
        Comparison(metric="difference", value=19, neighbour_value=14, decided=True),
        Comparison(metric="games_won", value=0, neighbour_value=1, decided=False),
    )


def test_between_equals_nothing_decided() -> None:
    row, neighbour = standings(result(20), result(20))
    assert not any(comparison.decided for comparison in why(row, neighbour, ORDER))


def test_the_example_in_the_face_is_right() -> None:
    examples = doctest.testmod(tournaments.ranking)
    assert examples.attempted > 0
    assert examples.failed == 0


# Laws

few = st.integers(0, 2)  # so that ties are common
results = st.builds(
    Result,
    round=few,
    opponent=st.none(),
    match_won=st.booleans(),
    games_won=few,
    games_lost=few,
    points_for=few,
    points_against=few,
)
fields = st.dictionaries(st.integers(1, 99).map(EntryId), st.lists(results, max_size=3), max_size=8)
orders = st.lists(st.sampled_from(sorted(METRICS)), unique=True).map(tuple)


def is_better(one: Row, other: Row, order: tuple[str, ...]) -> bool:
    """Whether one row beats the other, told from their values alone."""
    for key in order:
        if one.values[key] != other.values[key]:
            return (one.values[key] > other.values[key]) == (key != "points_against")
    return False


@given(fields, orders, st.randoms(use_true_random=False))
def test_the_order_in_which_entries_and_results_come_changes_nothing(
    by_entry: Results, order: tuple[str, ...], chance: Random
) -> None:
    entries = chance.sample(list(by_entry), len(by_entry))
    shuffled = {entry: chance.sample(by_entry[entry], len(by_entry[entry])) for entry in entries}
    assert rank(entries, shuffled, order) == rank(by_entry, by_entry, order)


@given(fields, orders)
def test_a_rank_is_one_more_than_the_number_of_those_who_are_better(
    by_entry: Results, order: tuple[str, ...]
) -> None:
    rows = rank(by_entry, by_entry, order)
    assert sorted(row.entry for row in rows) == sorted(by_entry)
    for row in rows:
        assert row.rank == 1 + sum(is_better(other, row, order) for other in rows)


@given(fields, orders)
def test_rows_come_by_rank_and_equals_by_id(by_entry: Results, order: tuple[str, ...]) -> None:
    rows = rank(by_entry, by_entry, order)
    assert [row.entry for row in rows] == [
        row.entry for row in sorted(rows, key=lambda row: (row.rank, row.entry))
    ]


@given(fields, orders)
def test_tied_are_those_of_the_same_rank(by_entry: Results, order: tuple[str, ...]) -> None:
    rows = rank(by_entry, by_entry, order)
    for row in rows:
        assert row.tied_with == tuple(
            other.entry for other in rows if other.rank == row.rank and other.entry != row.entry
        )


@given(fields, orders)
def test_what_parts_two_neighbours_is_what_why_says(by_entry: Results, order: tuple[str, ...]) -> None:
    rows = rank(by_entry, by_entry, order)
    for above, row in pairwise(rows):
        decided = [comparison.metric for comparison in why(row, above, order) if comparison.decided]
        assert decided == ([] if row.rank == above.rank else [row.decided_by])
        assert (row.decided_by is None) == (row.rank == above.rank)


@given(fields, results, st.data())
def test_a_match_won_lowers_nobody_s_own_rank_by_match_wins(
    by_entry: Results, another: Result, data: st.DataObject
) -> None:
    assume(by_entry)
    winner = data.draw(st.sampled_from(sorted(by_entry)))
    after = {**by_entry, winner: [*by_entry[winner], replace(another, match_won=True)]}
    ranks_before, ranks_after = (
        {row.entry: row.rank for row in rank(field, field, ("match_wins",))} for field in (by_entry, after)
    )
    assert ranks_after[winner] <= ranks_before[winner]
    assert all(ranks_after[entry] >= ranks_before[entry] for entry in by_entry if entry != winner)


@given(fields)
def test_difference_is_what_was_made_less_what_was_given_away(by_entry: Results) -> None:
    for row in rank(by_entry, by_entry, ()):
        assert row.values["difference"] == row.values["points_for"] - row.values["points_against"]
