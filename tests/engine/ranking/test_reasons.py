"""Every rank opens into its reasons."""

from engine.draws import EntryId
from engine.ranking import USUAL_ORDER, CriterionComparison, breakdown, compare, why
from engine.standings import within

from .played import field, plain, standings

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


def test_two_rows_are_compared_up_to_what_decided_and_beyond() -> None:
    row, neighbour = standings("1>3 91:72 / 2>4 91:77", *ORDER)[:2]
    assert why(row, neighbour, ORDER) == (
        CriterionComparison(metric="match_wins", value=1, neighbour_value=1, decided=False),
        CriterionComparison(metric="points_for", value=91, neighbour_value=91, decided=False),
        CriterionComparison(metric="difference", value=19, neighbour_value=14, decided=True),
        CriterionComparison(metric="games_won", value=1, neighbour_value=1, decided=False),
    )


def test_between_equals_nothing_decided() -> None:
    row, neighbour = standings("1=2 20:20")
    assert not any(comparison.decided for comparison in why(row, neighbour, ORDER))


def test_a_metric_that_the_kept_rows_do_not_have_parts_nobody() -> None:
    (step,) = compare({"match_wins": 2}, {"match_wins": 1}, ["buchholz"])
    assert (step.value, step.neighbour_value, step.decided) == (None, None, False)


class TestAValueTakenApart:
    def test_has_a_part_for_each_round(self) -> None:
        parts = breakdown(field(ROUNDS, "points_for"), EntryId(1), "points_for")
        assert [(part.result.round, part.result.opponents, part.value) for part in parts] == [
            (1, (2,), 32),
            (2, (3,), 32),
        ]

    def test_says_what_each_opponent_is_worth_and_the_entry_itself_where_it_met_nobody(self) -> None:
        parts = breakdown(field(ROUNDS, "buchholz"), EntryId(5), "buchholz")
        assert [(part.result.kind, part.value) for part in parts] == [("bye", 3), ("played", 1)]

    def test_says_which_rounds_are_cut(self) -> None:
        parts = breakdown(field(POOL, "buchholz_median"), EntryId(1), "buchholz_median")
        assert [(part.value, part.is_counted) for part in parts] == [(3, False), (2, True), (1, False)]

    def test_says_which_rounds_are_dropped(self) -> None:
        parts = breakdown(field(ROUNDS, "difference", dropped=1), EntryId(3), "difference")
        assert [(part.value, part.is_counted) for part in parts] == [(2, True), (0, False)]

    def test_of_a_rate_has_the_rates_of_the_opponents(self) -> None:
        parts = breakdown(field(ROUNDS, "opponents_win_rate"), EntryId(4), "opponents_win_rate")
        assert [part.value for part in parts] == [5000, 5000]

    def test_of_head_to_head_and_lots_has_no_parts(self) -> None:
        counted = field(ROUNDS, "head_to_head", "lots")
        assert breakdown(counted, EntryId(1), "head_to_head") == breakdown(counted, EntryId(1), "lots") == ()


class TestASection:
    def test_is_ranked_by_itself_in_the_same_order(self) -> None:
        rows = plain(standings("1>2 32:20 / 3>4 32:30 / 6>5 40:2"))
        sections = within(rows, {1: "club", 4: "club", 2: "mixed"}, USUAL_ORDER)
        assert {name: [(row["rank"], row["entry"]) for row in those] for name, those in sections.items()} == {
            "club": [(1, 1), (2, 4)],
            "mixed": [(1, 2)],
        }

    def test_says_what_parts_a_row_from_the_one_above_in_it(self) -> None:
        order = ("match_wins", "points_for")
        rows = plain(standings("1>2 32:20 / 3>4 32:30 / 5>6 40:2", *order))
        sections = within(rows, dict.fromkeys((2, 4, 5), "club"), order)
        assert [(row["entry"], row["decided_by"]) for row in sections["club"]] == [
            (5, None),
            (4, "match_wins"),
            (2, "points_for"),
        ]

    def test_has_equals_of_its_own(self) -> None:
        rows = plain(standings("1=2 / 3=4", "match_points"))
        (club,) = within(rows, dict.fromkeys((2, 3), "club"), ("match_points",)).values()
        assert [(row["rank"], row["decided_by"]) for row in club] == [(1, None), (1, None)]
