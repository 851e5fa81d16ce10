"""Ranks of entries that are out, while others play a later stage."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.draws import Entrant, EntryId
from engine.draws.stages import Stage, parse_stage_plan
from engine.ranking import ResultAdjustment, Row, rank_field
from engine.results import EventSnapshot, PlayedTable, build_counted_field, build_ledger, filter_arrived

from .round_texts import build_snapshot

POOLS = {"format": "pools", "settings": {"pools": 2}}
OF_TWO_POOLS = dict(zip(range(1, 7), "AAABBB", strict=True))
TWO_POOLS = """
1>2 / 4>5 / 3 bye / 6 bye
2>3 / 5>6 / 1 bye / 4 bye
1>3 / 4>6 / 2 bye / 5 bye
"""


def play_final(first: EventSnapshot, final: dict[str, Any], slot: str, *rounds: str) -> EventSnapshot:
    """Add rounds of a second stage, for which the entries qualified in the order of their ranks."""
    end = max(each.round for each in first.tables)
    played = build_snapshot("\n".join(rounds), leaves={}, stage={"format": "swiss"})
    (stage,) = first.basis.plan
    earlier = {"format": stage.format, "settings": stage.settings, "rounds": stage.rounds}
    plan = parse_stage_plan([earlier, final])
    return replace(
        first,
        basis=replace(first.basis, plan=plan),
        tables=(*first.tables, *(replace(each, round=end + each.round, slot=slot) for each in played.tables)),
        orders={end + 1: tuple(row.entry for row in rank(first))},
    )


def rank(snapshot: EventSnapshot) -> tuple[Row, ...]:
    return rank_field(build_counted_field(snapshot))


def get_pool_places(snapshot: EventSnapshot) -> dict[int, int | None]:
    return {row.entry: row.values["pool_place"] for row in rank(snapshot)}


def test_pools_of_the_same_letter_in_two_stages_are_ranked_apart() -> None:
    pools = build_snapshot(TWO_POOLS, leaves={}, stage=POOLS, slots=OF_TWO_POOLS)
    next_pool = {"format": "pools", "takes": "pool_top", "count": 1, "carried": "none"}
    assert get_pool_places(play_final(pools, next_pool, "2:A", "1>4")) == {1: 1, 4: 2, 2: 2, 5: 2, 3: 3, 6: 3}


def test_penalty_in_the_final_changes_no_place_in_a_pool() -> None:
    pools = build_snapshot(TWO_POOLS, leaves={}, stage=POOLS, slots=OF_TWO_POOLS)
    final = play_final(pools, {"format": "swiss", "takes": "pool_top", "count": 1}, "2:", "1>4")
    penalty = ResultAdjustment(entry=EntryId(1), metric="match_wins", amount=-2, round=4)
    places = get_pool_places(replace(final, adjustments=(penalty,)))
    assert [places[entry] for entry in (2, 3, 5, 6)] == [2, 3, 2, 3]


@pytest.mark.parametrize("carried", ["all", "among", "none"])
@pytest.mark.parametrize(
    ("order", "dropped"),
    [
        (("match_wins", "buchholz"), 0),
        (("match_wins", "sonneborn_berger"), 0),
        (("progressive",), 0),
        (("difference",), 1),
    ],
)
def test_final_changes_no_metric_of_those_that_are_out(carried: str, order: Sequence[str], dropped: int) -> None:
    rounds = """
    1>5 / 2>6 / 3>7 / 4>8
    1>2 / 3>4 / 5>8 / 7>6
    2>3 / 1>4 / 8>7 / 6>5
    """
    swiss = build_snapshot(
        rounds, leaves={}, stage={"format": "swiss", "rounds": 3}, order=tuple(order), dropped=dropped
    )
    final = {"format": "round_robin", "takes": "top", "count": 4, "carried": carried}

    def list_values(snapshot: EventSnapshot) -> list[tuple[Any, ...]]:
        return [(row.entry, *(row.values[key] for key in order)) for row in rank(snapshot)[4:]]

    upsets = play_final(swiss, final, "2:", "4>1 / 3>2")
    favourites = play_final(swiss, final, "2:", "1>4 / 2>3", "1>3", "1>2")
    assert list_values(swiss) == list_values(upsets) == list_values(favourites)


def test_entry_that_comes_once_its_last_stage_is_over_has_no_rank() -> None:
    swiss = build_snapshot("1>2 / 3>4\n1>3 / 2>4", leaves={}, stage={"format": "swiss", "rounds": 2})
    final = play_final(swiss, {"format": "round_robin", "takes": "top", "count": 2}, "2:", "1>2")
    assert list_ranked_with_late_entry(final, arrives=3) == [1, 2, 3, 4]


def test_entry_that_comes_once_a_bracket_has_begun_has_no_rank() -> None:
    slots = {1: "W1-1", 2: "W1-2"}
    knockout = build_snapshot("1>4 / 2>3", leaves={}, stage={"format": "knockout"}, slots=slots)
    assert list_ranked_with_late_entry(knockout, arrives=2) == [1, 2, 3, 4]
    assert list_ranked_with_late_entry(play_first_final(knockout), arrives=2) == [1, 2, 3, 4]


def play_first_final(knockout: EventSnapshot) -> EventSnapshot:
    final = build_snapshot("1>2", leaves={}, stage={"format": "knockout"}, slots={1: "W2-1"}).tables
    return replace(knockout, tables=(*knockout.tables, *(replace(each, round=2) for each in final)))


def list_ranked_with_late_entry(snapshot: EventSnapshot, *, arrives: int) -> list[int]:
    late = replace(snapshot, entrants=(*snapshot.entrants, Entrant(id=EntryId(9), number=9, arrives=arrives)))
    return [row.entry for row in rank_field(filter_arrived(late, build_counted_field(late)))]


def test_entry_that_comes_back_once_a_stage_is_over_is_ranked_where_it_played() -> None:
    swiss = build_snapshot("1>2 / 3>4\n1>3 / 2>4", leaves={}, stage={"format": "swiss", "rounds": 2})
    final = play_final(swiss, {"format": "round_robin", "takes": "ranked"}, "2:", "1>2", "1>3", "2>3")
    assert [(row.entry, row.values["stage"]) for row in rank(come_back(final, EntryId(4), 3, 4))][-1] == (4, 1)
    assert [(row.entry, row.values["stage"]) for row in rank(come_back(final, EntryId(4), 3, 4, 5))][-1] == (4, 2)


def test_entry_that_comes_back_once_a_bracket_has_begun_is_ranked_where_it_played() -> None:
    swiss = build_snapshot("1>2 / 3>4\n1>3 / 2>4", leaves={}, stage={"format": "swiss", "rounds": 2})
    final = play_final(swiss, {"format": "knockout", "takes": "ranked"}, "2:W1-2", "2>3", "1>2")
    assert [(row.entry, row.values["stage"]) for row in rank(come_back(final, EntryId(4), 3))][-1] == (4, 2)


def come_back(snapshot: EventSnapshot, entry: EntryId, *missed: int) -> EventSnapshot:
    entrants = (replace(each, withdrawn=frozenset(missed if each.id == entry else ())) for each in snapshot.entrants)
    return replace(snapshot, entrants=tuple(entrants))


def test_missed_round_belongs_to_the_stage_that_the_entry_plays() -> None:
    swiss = build_snapshot("1>2 / 3>4\n1>3 / 2>4", leaves={}, stage={"format": "swiss", "rounds": 2})
    finals = play_final(swiss, {"format": "swiss", "takes": "top", "count": 2}, "2:", "1>2", "1>2")
    group = Stage(format="swiss", takes="ranked", first=3, beside=True)
    tables = (*finals.tables, PlayedTable(round=4, a=(EntryId(3),), slot="3:"))
    finals = replace(finals, basis=replace(finals.basis, plan=(*finals.basis.plan, group)), tables=tables)
    away = replace(finals, entrants=tuple(replace(each, absent=frozenset({3})) for each in finals.entrants))
    assert [(each.round, each.stage) for each in build_ledger(away)[EntryId(3)]] == [(1, 0), (2, 0), (4, 2), (3, 2)]
    assert build_ledger(away)[EntryId(4)][-1].stage == 1
