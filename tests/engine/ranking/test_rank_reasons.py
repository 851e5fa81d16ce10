"""Reasons for a rank: the comparison of two rows, and the parts of each value."""

from engine.draws import EntryId
from engine.ranking import USUAL_ORDER, CriterionComparison, break_down_metric, compare_rows, compare_values
from engine.standings import rank_by_section

from .round_texts import build_field, rank_text, serialize_rows

ORDER = ("match_wins", "points_for", "difference", "games_won")
ROUNDS = """
1>2 32:20 / 3>4 32:30 / 5 bye
1>3 32:6 / 5=4 28:28 / 2 absent
"""

POOL = """
1>2 / 3>4
1>3 / 2=4
1>4 / 2>3
"""


def test_rows_are_compared_metric_by_metric() -> None:
    row, neighbour = rank_text("1>3 91:72 / 2>4 91:77", *ORDER)[:2]
    assert compare_rows(row, neighbour, ORDER) == (
        CriterionComparison(metric="match_wins", value=1, neighbour_value=1, is_deciding=False),
        CriterionComparison(metric="points_for", value=91, neighbour_value=91, is_deciding=False),
        CriterionComparison(metric="difference", value=19, neighbour_value=14, is_deciding=True),
        CriterionComparison(metric="games_won", value=1, neighbour_value=1, is_deciding=False),
    )


def test_equal_rows_have_no_deciding_metric() -> None:
    row, neighbour = rank_text("1=2 20:20")
    assert not any(comparison.is_deciding for comparison in compare_rows(row, neighbour, ORDER))


def test_metric_missing_from_stored_rows_does_not_decide() -> None:
    (step,) = compare_values({"match_wins": 2}, {"match_wins": 1}, ["buchholz"])
    assert (step.value, step.neighbour_value, step.is_deciding) == (None, None, False)


class TestMetricBreakdown:
    def test_breakdown_has_a_part_for_each_round(self) -> None:
        parts = break_down_metric(build_field(ROUNDS, "points_for"), EntryId(1), "points_for")
        assert [(part.result.round, part.result.opponents, part.value) for part in parts] == [
            (1, (2,), 32),
            (2, (3,), 32),
        ]

    def test_breakdown_gives_the_value_of_each_opponent(self) -> None:
        parts = break_down_metric(build_field(ROUNDS, "buchholz"), EntryId(5), "buchholz")
        assert [(part.result.kind, part.value) for part in parts] == [("bye", 3), ("played", 1)]

    def test_breakdown_marks_cut_rounds(self) -> None:
        parts = break_down_metric(build_field(POOL, "buchholz_median"), EntryId(1), "buchholz_median")
        assert [(part.value, part.is_counted) for part in parts] == [(3, False), (2, True), (1, False)]

    def test_breakdown_marks_dropped_rounds(self) -> None:
        parts = break_down_metric(build_field(ROUNDS, "difference", dropped=1), EntryId(3), "difference")
        assert [(part.value, part.is_counted) for part in parts] == [(2, True), (0, False)]

    def test_rate_breakdown_has_the_rates_of_opponents(self) -> None:
        parts = break_down_metric(build_field(ROUNDS, "opponents_win_rate"), EntryId(4), "opponents_win_rate")
        assert [part.value for part in parts] == [5000, 5000]

    def test_head_to_head_and_lots_have_no_breakdown(self) -> None:
        counted = build_field(ROUNDS, "head_to_head", "lots")
        assert (
            break_down_metric(counted, EntryId(1), "head_to_head")
            == break_down_metric(counted, EntryId(1), "lots")
            == ()
        )


class TestSectionRanking:
    def test_section_is_ranked_in_the_overall_order(self) -> None:
        rows = serialize_rows(rank_text("1>2 32:20 / 3>4 32:30 / 6>5 40:2"))
        sections = rank_by_section(rows, {1: "club", 4: "club", 2: "mixed"}, USUAL_ORDER)
        assert {name: [(row["rank"], row["entry"]) for row in those] for name, those in sections.items()} == {
            "club": [(1, 1), (2, 4)],
            "mixed": [(1, 2)],
        }

    def test_section_row_names_the_metric_that_decides(self) -> None:
        order = ("match_wins", "points_for")
        rows = serialize_rows(rank_text("1>2 32:20 / 3>4 32:30 / 5>6 40:2", *order))
        sections = rank_by_section(rows, dict.fromkeys((2, 4, 5), "club"), order)
        assert [(row["entry"], row["decided_by"]) for row in sections["club"]] == [
            (5, None),
            (4, "match_wins"),
            (2, "points_for"),
        ]

    def test_section_has_its_own_ties(self) -> None:
        rows = serialize_rows(rank_text("1=2 / 3=4", "match_points"))
        (club,) = rank_by_section(rows, dict.fromkeys((2, 3), "club"), ("match_points",)).values()
        assert [(row["rank"], row["decided_by"]) for row in club] == [(1, None), (1, None)]
