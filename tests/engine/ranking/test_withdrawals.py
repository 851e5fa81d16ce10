"""Withdrawals from a round robin or a pool: the value of their matches, and of the byes they cause."""

from dataclasses import replace

import pytest

from engine.draws import EntryId
from engine.draws.stages import parse_stage_plan
from engine.ranking import (
    AcrossPools,
    Bye,
    OutcomeKind,
    RankingRules,
    rank_field,
    ranking_rules_from_json,
    ranking_rules_to_json,
)
from engine.results import EventSnapshot, build_counted_field, build_ledger, get_default_rules

from .round_texts import build_snapshot, list_places

ANNUL = {"leavers": "annul"}


def get_wins(of: EventSnapshot) -> dict[int, int | None]:
    return {row.entry: row.values["match_wins"] for row in rank_field(build_counted_field(of))}


def rank_entries_of(snapshot: EventSnapshot) -> list[int]:
    return [row.entry for row in rank_field(build_counted_field(snapshot))]


ROUND_ROBIN = {"format": "round_robin"}
FIVE = """
5>2 / 3>4 / 1 bye
5>3 / 1>2 / 4 bye
1>3 / 2>4
1>4 / 2>3
"""
"""Entry 5 leaves after round 2 with wins against 2 and 3; entry 4 loses every match."""


class TestScheduledByes:
    def test_winless_pair_gets_no_win_for_a_scheduled_bye(self) -> None:
        assert get_wins(build_snapshot(FIVE, leaves={5: 2}, stage=ROUND_ROBIN)) == {1: 3, 2: 2, 3: 1, 4: 0, 5: 2}

    def test_scheduled_bye_has_its_own_kind(self) -> None:
        of_first = build_ledger(build_snapshot(FIVE, leaves={}, stage=ROUND_ROBIN))[EntryId(1)]
        assert [result.kind for result in of_first if not result.opponents] == [OutcomeKind.SCHEDULED_BYE]

    def test_scheduled_bye_counts_as_the_event_says(self) -> None:
        assert get_wins(build_snapshot(FIVE, leaves={}, stage=ROUND_ROBIN, scheduled_bye="win"))[4] == 1

    def test_older_version_counts_a_scheduled_bye_like_any_bye(self) -> None:
        before = build_snapshot(FIVE, leaves={}, stage=ROUND_ROBIN)
        before = replace(before, basis=replace(before.basis, version=6))
        assert get_wins(before)[4] == 1

    def test_bye_in_another_format_still_counts(self) -> None:
        assert get_wins(build_snapshot(FIVE, leaves={}, stage={"format": "swiss"}))[4] == 1


class TestResultsAfterWithdrawal:
    def test_results_of_a_withdrawn_entry_count_by_default(self) -> None:
        assert get_wins(build_snapshot(FIVE, leaves={5: 2}, stage=ROUND_ROBIN))[5] == 2

    def test_early_withdrawal_annuls_results_of_both_sides(self) -> None:
        early = FIVE.strip().replace("5>3 / ", "5 bye / 3 bye / ")
        found = build_snapshot(early, leaves={5: 2}, stage={**ROUND_ROBIN, "settings": ANNUL})
        assert get_wins(found) == {1: 3, 2: 2, 3: 1, 4: 0, 5: 0}
        (annulled,) = [each for each in build_ledger(found)[EntryId(2)] if each.kind is OutcomeKind.ANNULLED]
        assert annulled.opponents == (5,)

    def test_results_count_once_half_was_played(self) -> None:
        assert get_wins(build_snapshot(FIVE, leaves={5: 2}, stage={**ROUND_ROBIN, "settings": ANNUL}))[5] == 2

    def test_announced_withdrawal_does_not_annul_results_yet(self) -> None:
        early = "5>2 / 3>4 / 1 bye"
        assert get_wins(build_snapshot(early, leaves={5: 2}, stage={**ROUND_ROBIN, "settings": ANNUL}))[5] == 1

    def test_double_round_robin_doubles_the_matches_for_half(self) -> None:
        settings = {**ANNUL, "legs": 2}
        assert get_wins(build_snapshot(FIVE, leaves={5: 2}, stage={**ROUND_ROBIN, "settings": settings}))[5] == 0


POOLS = {"format": "pools", "settings": {"pools": 2}}
SLOTS = dict.fromkeys((1, 2, 3, 4), "A") | dict.fromkeys((5, 6, 7), "B")
POOLS_OF_FOUR_AND_THREE = """
1>4 / 2>3 / 5>6 / 7 bye
1>3 / 2>4 / 5>7 / 6 bye
1>2 / 3>4 / 6>7 / 5 bye
"""
"""In pool A, the second of four entries won two matches; in pool B, the first of three won both."""


class TestPoolsOfDifferentSizes:
    def rank_across_pools(self, across: str) -> list[tuple[int, int, str | None]]:
        rules = {
            "across_pools": AcrossPools(across),
            "order": ("match_wins", "head_to_head", "difference", "lots"),
        }
        return list_places(
            rank_field(
                build_counted_field(
                    build_snapshot(POOLS_OF_FOUR_AND_THREE, leaves={}, stage=POOLS, slots=SLOTS, **rules)
                )
            )
        )

    @pytest.mark.parametrize("across", ["rates", "without_last"])
    def test_unequal_pools_are_compared_by_place_in_the_pool(self, across: str) -> None:
        firsts, seconds, thirds = (
            self.rank_across_pools(across)[:2],
            self.rank_across_pools(across)[2:4],
            self.rank_across_pools(across)[4:6],
        )
        assert [{entry for _, entry, _ in those} for those in (firsts, seconds, thirds)] == [
            {1, 5},
            {2, 6},
            {3, 7},
        ]

    def test_entries_of_the_same_place_compare_win_rates(self) -> None:
        # 2 has won two of three and 6 one of two; 3 one of three and 7 none of two.
        assert self.rank_across_pools("rates")[3:] == [
            (4, 6, "win_rate"),
            (5, 3, "pool_place"),
            (6, 7, "win_rate"),
            (7, 4, "pool_place"),
        ]

    def test_results_against_the_last_of_the_larger_pool_are_left_out(self) -> None:
        found = build_snapshot(
            POOLS_OF_FOUR_AND_THREE,
            leaves={},
            stage=POOLS,
            slots=SLOTS,
            across_pools=AcrossPools.WITHOUT_LAST,
            order=("match_wins",),
        )
        rows = {row.entry: row for row in rank_field(build_counted_field(found))}
        assert [rows[EntryId(entry)].values["match_wins"] for entry in (1, 2, 3, 4)] == [2, 1, 0, 0]
        assert [rows[EntryId(entry)].dropped for entry in (1, 2, 3, 4)] == [(1,), (2,), (3,), ()]
        assert (rows[EntryId(2)].rank, rows[EntryId(6)].rank) == (3, 3)

    def test_totals_setting_compares_pools_by_all_results(self) -> None:
        assert [entry for _, entry, _ in self.rank_across_pools("totals")][:3] == [1, 2, 5] or self.rank_across_pools(
            "totals"
        )[0][1] == 1
        assert {entry for _, entry, _ in self.rank_across_pools("totals")[:3]} == {1, 2, 5}

    def test_pool_place_ignores_other_pools(self) -> None:
        found = build_snapshot(POOLS_OF_FOUR_AND_THREE, leaves={}, stage=POOLS, slots=SLOTS)
        places_in_pool = {row.entry: row.values["pool_place"] for row in rank_field(build_counted_field(found))}
        assert places_in_pool == {1: 1, 2: 2, 3: 3, 4: 4, 5: 1, 6: 2, 7: 3}

    def test_leaver_ranks_after_others_of_its_place_in_the_pool(self) -> None:
        # 4 and 8 are last of their pools: 4 lost three times by ten points, 8 lost once by ten and left.
        left = """
        1>4 / 2>3 / 5>8 / 6>7
        1>3 / 2>4 / 6>5 / 7 bye
        1>2 / 3>4 / 7>5 / 6 bye
        """
        found = build_snapshot(left, leaves={8: 1}, stage=POOLS, slots=SLOTS | {8: "B"})
        assert list_places(rank_field(build_counted_field(found)))[-2:] == [(7, 4, "pool_place"), (8, 8, "left_pool")]

    @pytest.mark.parametrize("order", [("match_wins", "difference"), ("difference",)])
    def test_leaver_never_ranks_above_a_pair_of_its_pool_for_losing_less(self, order: tuple[str, ...]) -> None:
        # 8 lost once by ten and left; 5 lost three times by ten.
        left = """
        1>4 / 2>3 / 6>5 / 7>8
        1>3 / 2>4 / 7>5 / 6 bye
        1>2 / 3>4 / 6>7 / 9>5
        """
        slots = SLOTS | {8: "B", 9: "B"}
        found = build_snapshot(left, leaves={8: 1}, stage=POOLS, slots=slots, order=order)
        assert rank_entries_of(found)[-1] == 8
        assert rank_entries_of(replace(found, basis=replace(found.basis, version=7)))[-1] == 5

    @pytest.mark.parametrize("draw_format", ["round_robin", "swiss"])
    def test_leaver_of_any_field_ranks_after_those_tied_with_it(self, draw_format: str) -> None:
        # 5 lost once by ten and left; 4 lost every match by ten.
        left = """
        2>5 / 3>4 / 1 bye
        1>4 / 2>3
        1>3 / 2>4
        1>2
        """
        found = build_snapshot(left, leaves={5: 1}, stage={"format": draw_format}, order=("match_wins", "difference"))
        rows = rank_field(build_counted_field(found))
        assert list_places(rows)[-2:] == [(4, 4, "match_wins"), (5, 5, "left_pool")]
        assert rank_entries_of(replace(found, basis=replace(found.basis, version=8)))[-1] == 4
        everybody_met = replace(found, entrants=tuple(replace(each, leaves_after=None) for each in found.entrants))
        assert "left_pool" not in rank_field(build_counted_field(everybody_met))[0].values

    def test_entry_that_came_back_to_its_pool_has_not_left(self) -> None:
        found = build_snapshot(POOLS_OF_FOUR_AND_THREE, leaves={}, stage=POOLS, slots=SLOTS)
        tables = tuple(each for each in found.tables if each.round != 2 or EntryId(4) not in (*each.a, *each.b))
        entrants = (replace(each, withdrawn=frozenset({2} if each.id == 4 else ())) for each in found.entrants)
        rows = rank_field(build_counted_field(replace(found, tables=tables, entrants=tuple(entrants))))
        assert {row.values["left_pool"] for row in rows} == {0}

    @pytest.mark.parametrize("draw_format", ["round_robin", "knockout"])
    def test_entry_that_goes_home_after_its_last_match_keeps_its_rank(self, draw_format: str) -> None:
        found = build_snapshot("3>1 / 2 bye\n2>1 / 3 bye\n3>2", leaves={1: 2}, stage={"format": draw_format})
        assert "left_pool" not in rank_field(build_counted_field(found))[0].values

    def test_rounds_after_a_withdrawal_are_no_matches(self) -> None:
        found = build_snapshot(POOLS_OF_FOUR_AND_THREE, leaves={5: 2}, stage=POOLS, slots=SLOTS)
        later = replace(found, tables=tuple(each for each in found.tables if each.a != (EntryId(5),) or each.b))
        rows = {row.entry: row for row in rank_field(build_counted_field(later))}
        assert (rows[EntryId(5)].values["win_rate"], rows[EntryId(5)].values["left_pool"]) == (10_000, 0)

    def test_byes_of_a_pool_never_raise_a_rate(self) -> None:
        found = build_snapshot(POOLS_OF_FOUR_AND_THREE, leaves={}, stage=POOLS, slots=SLOTS, scheduled_bye=Bye.WIN)
        rates = {row.entry: row.values["win_rate"] for row in rank_field(build_counted_field(found))}
        assert rates == {1: 10_000, 2: 6_666, 3: 3_333, 4: 0, 5: 10_000, 6: 5_000, 7: 0}

    def test_older_version_counts_rounds_after_a_withdrawal_as_matches(self) -> None:
        found = build_snapshot(POOLS_OF_FOUR_AND_THREE, leaves={5: 2}, stage=POOLS, slots=SLOTS)
        later = replace(found, tables=tuple(each for each in found.tables if each.a != (EntryId(5),) or each.b))
        before = replace(later, basis=replace(later.basis, version=7))
        (row,) = [row for row in rank_field(build_counted_field(before)) if row.entry == 5]
        assert row.values["win_rate"] == 6_666
        assert "left_pool" not in row.values


class TestDefaultRules:
    def test_new_event_credits_no_scheduled_bye(self) -> None:
        assert get_default_rules(parse_stage_plan([ROUND_ROBIN])).scheduled_bye == "nothing"

    def test_older_event_keeps_its_bye_rule(self) -> None:
        assert ranking_rules_from_json({"bye": "draw"}).scheduled_bye == "draw"
        assert ranking_rules_from_json({}) == RankingRules()

    def test_rules_survive_a_json_round_trip(self) -> None:
        for rules in (get_default_rules(parse_stage_plan([ROUND_ROBIN])), RankingRules(bye=Bye.NOTHING)):
            assert ranking_rules_from_json(ranking_rules_to_json(rules)) == rules

    @pytest.mark.parametrize("format_key", ["rotation", "swiss_individual", "by_rank", "progressive_individual"])
    def test_individual_formats_give_the_average_for_a_bye(self, format_key: str) -> None:
        rules = get_default_rules(parse_stage_plan([{"format": format_key}]))
        assert (rules.bye, rules.bye_points) == ("average", "own")

    def test_swiss_bye_is_a_win_and_interclub_bye_is_nothing(self) -> None:
        assert [get_default_rules(parse_stage_plan([{"format": key}])).bye for key in ("swiss", "interclub")] == [
            "win",
            "nothing",
        ]
