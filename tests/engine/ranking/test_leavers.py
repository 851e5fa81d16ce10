"""Somebody leaves a round robin or a pool: what their matches, and the byes that are left, are worth."""

from dataclasses import replace
from typing import Any

import pytest

from engine.draws import Entrant, EntryId
from engine.draws.stages import stage_plan
from engine.ranking import (
    AcrossPools,
    Bye,
    OutcomeKind,
    RankingRules,
    rank_field,
    ranking_rules_from_json,
    ranking_rules_to_json,
)
from engine.results import EventRules, EventSnapshot, PlayedTable, counted_field, ledger_of, usual_rules

from .played import places

ANNUL = {"leavers": "annul"}


def known(
    lines: str,
    *,
    leaves: dict[int, int],
    stage: dict[str, Any],
    slots: dict[int, str] | None = None,
    **rules: Any,
) -> EventSnapshot:
    """After these rounds, as ``played`` writes them: ``1>2`` 1 beat 2, ``3 bye`` 3 had no opponent."""
    sat = []
    for number, line in enumerate(lines.strip().splitlines(), start=1):
        for table, match in enumerate(line.split("/"), start=1):
            a, _, b = match.strip().removesuffix(" bye").partition(">")
            slot = f"1:{(slots or {}).get(int(a), '')}"
            won = {"winner": "A", "games_won": [1, 0], "points": [20, 10]} if b else None
            sat.append(
                PlayedTable(
                    round=number,
                    table=table,
                    slot=slot,
                    a=(EntryId(int(a)),),
                    b=(EntryId(int(b)),) if b else (),
                    outcome=won,
                )
            )
    numbers = sorted({int(entry) for each in sat for entry in (*each.a, *each.b)})
    plan = stage_plan([stage])
    return EventSnapshot(
        basis=EventRules(plan=plan, rules=replace(usual_rules(plan), **rules), games_to_win=1),
        entrants=tuple(
            Entrant(id=EntryId(number), number=number, leaves_after=leaves.get(number)) for number in numbers
        ),
        sat=tuple(sat),
    )


def wins(of: EventSnapshot) -> dict[int, int | None]:
    return {row.entry: row.values["match_wins"] for row in rank_field(counted_field(of))}


ROUND_ROBIN = {"format": "round_robin"}
FIVE = """
5>2 / 3>4 / 1 bye
5>3 / 1>2 / 4 bye
1>3 / 2>4
1>4 / 2>3
"""
"""5 leaves after round 2 and has beaten 2 and 3; 4 loses every match."""


class TestByes:
    def test_a_pair_that_lost_every_match_is_credited_no_win(self) -> None:
        assert wins(known(FIVE, leaves={5: 2}, stage=ROUND_ROBIN)) == {1: 3, 2: 2, 3: 1, 4: 0, 5: 2}

    def test_of_a_schedule_are_a_kind_of_their_own(self) -> None:
        of_first = ledger_of(known(FIVE, leaves={}, stage=ROUND_ROBIN))[EntryId(1)]
        assert [result.kind for result in of_first if not result.opponents] == [OutcomeKind.SCHEDULED_BYE]

    def test_count_what_the_event_says(self) -> None:
        assert wins(known(FIVE, leaves={}, stage=ROUND_ROBIN, scheduled_bye="win"))[4] == 1

    def test_of_an_older_version_are_byes_like_any_other(self) -> None:
        before = known(FIVE, leaves={}, stage=ROUND_ROBIN)
        before = replace(before, basis=replace(before.basis, version=6))
        assert wins(before)[4] == 1

    def test_of_other_formats_stay_as_they_are(self) -> None:
        assert wins(known(FIVE, leaves={}, stage={"format": "swiss"}))[4] == 1


class TestResults:
    def test_stay_unless_the_stage_annuls_them(self) -> None:
        assert wins(known(FIVE, leaves={5: 2}, stage=ROUND_ROBIN))[5] == 2

    def test_are_annulled_for_both_sides_if_less_than_half_was_played(self) -> None:
        early = FIVE.strip().replace("5>3 / ", "5 bye / 3 bye / ")
        found = known(early, leaves={5: 2}, stage={**ROUND_ROBIN, "settings": ANNUL})
        assert wins(found) == {1: 3, 2: 2, 3: 1, 4: 0, 5: 0}
        (annulled,) = [each for each in ledger_of(found)[EntryId(2)] if each.kind is OutcomeKind.ANNULLED]
        assert annulled.opponents == (5,)

    def test_stand_once_half_was_played(self) -> None:
        assert wins(known(FIVE, leaves={5: 2}, stage={**ROUND_ROBIN, "settings": ANNUL}))[5] == 2

    def test_stand_while_somebody_is_only_going_to_leave(self) -> None:
        early = "5>2 / 3>4 / 1 bye"
        assert wins(known(early, leaves={5: 2}, stage={**ROUND_ROBIN, "settings": ANNUL}))[5] == 1

    def test_count_twice_as_many_matches_for_half_where_everybody_meets_twice(self) -> None:
        settings = {**ANNUL, "legs": 2}
        assert wins(known(FIVE, leaves={5: 2}, stage={**ROUND_ROBIN, "settings": settings}))[5] == 0


POOLS = {"format": "pools", "settings": {"pools": 2}}
SLOTS = dict.fromkeys((1, 2, 3, 4), "A") | dict.fromkeys((5, 6, 7), "B")
FOUR_AND_THREE = """
1>4 / 2>3 / 5>6 / 7 bye
1>3 / 2>4 / 5>7 / 6 bye
1>2 / 3>4 / 6>7 / 5 bye
"""
"""Pool A has four, and its second has won two of three; pool B three, and its first has won both."""


class TestPoolsOfDifferentSizes:
    def found(self, across: str) -> list[tuple[int, int, str | None]]:
        rules = {
            "across_pools": AcrossPools(across),
            "order": ("match_wins", "head_to_head", "difference", "lots"),
        }
        return places(
            rank_field(counted_field(known(FOUR_AND_THREE, leaves={}, stage=POOLS, slots=SLOTS, **rules)))
        )

    @pytest.mark.parametrize("across", ["rates", "without_last"])
    def test_are_compared_by_place_in_the_pool(self, across: str) -> None:
        firsts, seconds, thirds = self.found(across)[:2], self.found(across)[2:4], self.found(across)[4:6]
        assert [{entry for _, entry, _ in those} for those in (firsts, seconds, thirds)] == [
            {1, 5},
            {2, 6},
            {3, 7},
        ]

    def test_of_the_same_place_compare_matches_won_of_those_played(self) -> None:
        # 2 has won two of three and 6 one of two; 3 one of three and 7 none of two.
        assert self.found("rates")[3:] == [
            (4, 6, "win_rate"),
            (5, 3, "pool_place"),
            (6, 7, "win_rate"),
            (7, 4, "pool_place"),
        ]

    def test_leave_out_the_results_against_the_last_of_the_larger_one(self) -> None:
        found = known(
            FOUR_AND_THREE,
            leaves={},
            stage=POOLS,
            slots=SLOTS,
            across_pools=AcrossPools.WITHOUT_LAST,
            order=("match_wins",),
        )
        rows = {row.entry: row for row in rank_field(counted_field(found))}
        assert [rows[EntryId(entry)].values["match_wins"] for entry in (1, 2, 3, 4)] == [2, 1, 0, 0]
        assert [rows[EntryId(entry)].dropped for entry in (1, 2, 3, 4)] == [(1,), (2,), (3,), ()]
        assert (rows[EntryId(2)].rank, rows[EntryId(6)].rank) == (3, 3)

    def test_compare_what_they_have_in_all_where_the_event_says_so(self) -> None:
        assert [entry for _, entry, _ in self.found("totals")][:3] == [1, 2, 5] or self.found("totals")[0][
            1
        ] == 1
        assert {entry for _, entry, _ in self.found("totals")[:3]} == {1, 2, 5}

    def test_a_place_is_that_of_the_pool_as_if_it_were_alone(self) -> None:
        found = known(FOUR_AND_THREE, leaves={}, stage=POOLS, slots=SLOTS)
        places_in_pool = {row.entry: row.values["pool_place"] for row in rank_field(counted_field(found))}
        assert places_in_pool == {1: 1, 2: 2, 3: 3, 4: 4, 5: 1, 6: 2, 7: 3}


class TestUsualRules:
    def test_of_a_new_event_credit_no_bye_of_a_schedule(self) -> None:
        assert usual_rules(stage_plan([ROUND_ROBIN])).scheduled_bye == "nothing"

    def test_of_older_events_are_as_they_were(self) -> None:
        assert ranking_rules_from_json({"bye": "draw"}).scheduled_bye == "draw"
        assert ranking_rules_from_json({}) == RankingRules()

    def test_are_read_again_as_they_were_written(self) -> None:
        for rules in (usual_rules(stage_plan([ROUND_ROBIN])), RankingRules(bye=Bye.NOTHING)):
            assert ranking_rules_from_json(ranking_rules_to_json(rules)) == rules

    @pytest.mark.parametrize(
        "format_key", ["rotation", "swiss_individual", "by_rank", "progressive_individual"]
    )
    def test_give_people_who_play_one_by_one_their_average_for_a_bye(self, format_key: str) -> None:
        rules = usual_rules(stage_plan([{"format": format_key}]))
        assert (rules.bye, rules.bye_points) == ("average", "own")

    def test_give_pairs_a_win_and_a_club_too_many_nothing(self) -> None:
        assert [usual_rules(stage_plan([{"format": key}])).bye for key in ("swiss", "interclub")] == [
            "win",
            "nothing",
        ]
