"""Stages: possible plans, qualification, carried results, and whole events of several formats."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Draw, DrawInput, EntryId, LockedTable, PlayedPairing, ReasonCode
from engine.draws.stages.drawing import (
    StageRound,
    build_stage_history,
    draw_stage,
    list_round_stages,
    list_stage_entrants,
)
from engine.draws.stages.lengths import count_plan_rounds
from engine.draws.stages.plans import StagePlan, parse_stage_plan
from errors import Refusal
from rules import Side
from tests.rules.sheets import property_settings

from .bracket_events import fields_with_absentees, start

SWISS_THEN_KNOCKOUT = ({"format": "swiss", "rounds": 3}, {"format": "knockout", "takes": "top", "count": 4})
POOLS_THEN_KNOCKOUT = (
    {"format": "pools", "settings": {"pools": 2}},
    {"format": "knockout", "takes": "pool_top", "count": 2, "settings": {"separate": ["pool"]}},
)
GROUPS = (
    {"format": "swiss", "rounds": 2},
    {"format": "knockout", "takes": "ranked", "last": 4},
    {"format": "round_robin", "takes": "ranked", "first": 5, "beside": True, "carried": "none"},
)


def make_ids(*entries: int) -> tuple[EntryId, ...]:
    return tuple(map(EntryId, entries))


def build_next_input(before: DrawInput, drawn: Draw, chance: Random | None = None) -> DrawInput:
    """Return the input of the next round, won by the better seed or at random."""
    tables = []
    for table in drawn.tables:
        wins = table.a < table.b if chance is None else chance.random() < 1 / 2
        winner = Side.A if wins else Side.B
        tables.append(
            PlayedPairing(round=drawn.round, table=table.number, slot=table.slot, a=table.a, b=table.b, winner=winner)
        )
    byes = [PlayedPairing(round=drawn.round, a=(bye.entry,), slot=bye.slot) for bye in drawn.byes]
    return replace(before, round=before.round + 1, history=(*before.history, *tables, *byes))


def play(
    plan: StagePlan, before: DrawInput, *, rounds: int = 12, chance: Random | None = None
) -> tuple[DrawInput, list[Draw]]:
    draws = []
    standings = [[entrant.id for entrant in before.entrants]] * len(plan)
    for _ in range(rounds):
        drawn = draw_stage(plan, before, standings)
        draws.append(drawn)
        before = build_next_input(before, drawn, chance)
    return before, draws


def list_slots(drawn: Draw) -> list[str]:
    return [table.slot for table in drawn.tables]


def list_meetings(drawn: Draw) -> set[tuple[int, int]]:
    return {(min(*table.a, *table.b), max(*table.a, *table.b)) for table in drawn.tables}


@pytest.mark.parametrize(
    ("stages_json", "code", "name"),
    [
        ([], "stages_missing", "stages"),
        ([{}], "no_such_choice", "stages.0.format"),
        ([{"format": "tombola"}], "no_such_choice", "stages.0.format"),
        ([{"format": "swiss", "colour": "red"}], "no_such_setting", "stages.0.colour"),
        ([{"format": "swiss", "rounds": 0}], "number_too_small", "stages.0.rounds"),
        ([{"format": "swiss", "rounds": "3"}], "not_a_number", "stages.0.rounds"),
        ([{"format": "swiss", "carried": "half"}], "no_such_choice", "stages.0.carried"),
        ([{"format": "knockout", "settings": "all"}], "not_an_object", "stages.0.settings"),
        ([{"format": "knockout", "settings": {"places": 5}}], "no_such_choice", "stages.0.settings.places"),
        ([{"format": "knockout", "takes": "top", "count": 8}], "nothing_before", "stages.0.takes"),
        ([{"format": "knockout", "beside": True}], "nothing_before", "stages.0.beside"),
        ([{"format": "swiss"}, {"format": "knockout"}], "rounds_missing", "stages.0.rounds"),
        ([{"format": "rotation"}, {"format": "swiss_individual"}], "rounds_missing", "stages.0.rounds"),
        (
            [{"format": "swiss", "rounds": 3}, {"format": "knockout", "takes": "top"}],
            "count_missing",
            "stages.1.count",
        ),
        (
            [{"format": "swiss", "rounds": 3}, {"format": "knockout", "takes": "pool_top", "count": 2}],
            "no_pools_before",
            "stages.1.takes",
        ),
        (
            [
                {"format": "swiss", "rounds": 3},
                {"format": "knockout", "takes": "ranked", "first": 5, "last": 4},
            ],
            "range_empty",
            "stages.1.last",
        ),
        (
            [*GROUPS[:2], {"format": "knockout", "takes": "ranked", "first": 4, "beside": True}],
            "ranked_twice",
            "stages.2.first",
        ),
        (
            [{"format": "swiss", "rounds": 3}, {"format": "progressive_individual"}],
            "sides_differ",
            "stages.1.format",
        ),
        (
            [*POOLS_THEN_KNOCKOUT, {"format": "knockout", "takes": "ranked", "first": 5, "beside": True}],
            "takes_differ",
            "stages.2.takes",
        ),
    ],
)
def test_impossible_plan_is_refused_at_its_field(
    stages_json: Sequence[Mapping[str, Any]], code: str, name: str
) -> None:
    with pytest.raises(Refusal) as caught:
        parse_stage_plan(stages_json)
    assert (caught.value.code, caught.value.field) == (code, name)


@pytest.mark.parametrize("key", FORMATS)
def test_every_format_can_be_the_only_stage(key: str) -> None:
    assert parse_stage_plan([{"format": key}])[0].format == key


def test_event_rounds_map_to_stage_rounds() -> None:
    plan = parse_stage_plan([*SWISS_THEN_KNOCKOUT])
    assert list_round_stages(plan, 3, ()) == (StageRound(stage=0, round=3, round_offset=0),)
    assert list_round_stages(plan, 4, ()) == (StageRound(stage=1, round=1, round_offset=3),)
    assert list_round_stages(plan, 5, ()) == (StageRound(stage=1, round=2, round_offset=3),)


def test_stage_start_is_read_from_history() -> None:
    plan = parse_stage_plan([{"format": "knockout"}, {"format": "swiss", "rounds": 2}])
    history = (
        PlayedPairing(round=1, a=make_ids(1), b=make_ids(2), slot="1:W1-1"),
        PlayedPairing(round=3, a=make_ids(1), b=make_ids(2), slot="2:"),
    )
    assert list_round_stages(plan, 2, history[:1]) == (StageRound(stage=0, round=2, round_offset=0),)
    assert list_round_stages(plan, 4, history) == (StageRound(stage=1, round=2, round_offset=2),)
    assert list_round_stages(plan, 5, history) == ()


def test_top_of_the_standings_qualifies_by_rank() -> None:
    plan = parse_stage_plan([*SWISS_THEN_KNOCKOUT])
    assert list_stage_entrants(plan, 1, make_ids(7, 5, 3, 1, 2), {}) == make_ids(7, 5, 3, 1)


def test_all_pool_winners_qualify_before_all_seconds() -> None:
    plan = parse_stage_plan([*POOLS_THEN_KNOCKOUT])
    pools = dict(zip(make_ids(1, 2, 3, 4, 5, 6), "AABABB", strict=True))
    assert list_stage_entrants(plan, 1, make_ids(1, 2, 3, 4, 5, 6), pools) == make_ids(1, 3, 2, 5)


def test_groups_are_filled_by_rank() -> None:
    plan = parse_stage_plan([*GROUPS])
    assert list_stage_entrants(plan, 1, make_ids(6, 5, 4, 3, 2, 1), {}) == make_ids(6, 5, 4, 3)
    assert list_stage_entrants(plan, 2, make_ids(6, 5, 4, 3, 2, 1), {}) == make_ids(2, 1)


@pytest.mark.parametrize(
    ("carried", "rounds"), [("all", {(1, 2): 0, (1, 9): -1}), ("among", {(1, 2): 0}), ("none", {})]
)
def test_carried_results_count_before_round_one(carried: str, rounds: dict[tuple[int, int], int]) -> None:
    plan = parse_stage_plan([{"format": "swiss", "rounds": 2}, {"format": "swiss", "carried": carried}])
    history = (
        PlayedPairing(round=1, a=make_ids(1), b=make_ids(9), slot="1:"),
        PlayedPairing(round=2, a=make_ids(1), b=make_ids(2), slot="1:"),
        PlayedPairing(round=3, a=make_ids(2), b=make_ids(1), slot="2:"),
    )
    here = StageRound(stage=1, round=2, round_offset=2)
    stage_history = build_stage_history(plan, here, history, make_ids(1, 2))
    assert {(*table.a, *table.b): table.round for table in stage_history} == {**rounds, (2, 1): 1}


def test_swiss_leads_to_a_knockout_of_its_best() -> None:
    _, draws = play(parse_stage_plan([*SWISS_THEN_KNOCKOUT]), start(9))
    assert [drawn.format for drawn in draws[:5]] == ["swiss"] * 3 + ["knockout"] * 2
    assert list_meetings(draws[3]) == {(1, 4), (2, 3)}
    assert list_slots(draws[4]) == ["2:W2-1"]
    assert not any(drawn.tables or drawn.byes for drawn in draws[5:])


def test_entry_seated_for_a_qualifier_continues_in_the_bracket() -> None:
    plan, standings = parse_stage_plan([*SWISS_THEN_KNOCKOUT]), [[*make_ids(*range(1, 10))]] * 2
    before, _ = play(plan, start(9), rounds=3)
    semifinals = draw_stage(plan, before, standings)
    tables = [
        replace(
            table,
            a=make_ids(9) if table.a == make_ids(1) else table.a,
            b=make_ids(9) if table.b == make_ids(1) else table.b,
        )
        for table in semifinals.tables
    ]
    before = build_next_input(before, replace(semifinals, tables=tuple(tables)))
    won = replace(
        before,
        history=tuple(
            replace(table, winner=Side.A if 9 in table.a else Side.B) if 9 in (*table.a, *table.b) else table
            for table in before.history
        ),
    )
    assert list_meetings(draw_stage(plan, won, standings)) == {(2, 9)}


def test_knockout_after_pools_separates_pool_mates() -> None:
    _, draws = play(parse_stage_plan([*POOLS_THEN_KNOCKOUT]), start(8))
    knockout = [drawn for drawn in draws if drawn.format == "knockout" and drawn.tables]
    pool_of = {entry: table.slot for drawn in draws[:3] for table in drawn.tables for entry in (*table.a, *table.b)}
    assert list_slots(draws[0]) == ["1:A", "1:A", "1:B", "1:B"]
    assert sorted(entry for pair in list_meetings(knockout[0]) for entry in pair) == [1, 2, 3, 4]
    assert all(pool_of[EntryId(one)] != pool_of[EntryId(other)] for one, other in list_meetings(knockout[0]))


def test_stage_without_a_round_count_uses_that_of_its_format() -> None:
    plan = parse_stage_plan([{"format": "mitchell"}, {"format": "double_elimination"}, {"format": "swiss"}])
    _, draws = play(plan, start(4), rounds=10)
    formats = [drawn.format for drawn in draws]
    assert formats == ["mitchell"] * 2 + ["double_elimination"] * 4 + ["swiss"] * 4


@pytest.mark.parametrize("key", ["round_robin", "mitchell", "knockout", "pools"])
@pytest.mark.parametrize("entries", [2, 5, 8])
def test_announced_rounds_equal_drawn_rounds(key: str, entries: int) -> None:
    plan = parse_stage_plan([{"format": key, "rounds": 11}])
    _, draws = play(plan, start(entries))
    assert count_plan_rounds(plan, entries) == sum(bool(drawn.tables) for drawn in draws)


@pytest.mark.parametrize(("pools", "count", "rounds"), [(4, 1, 1 + 2), (3, 3, 3 + 4)])
def test_announced_rounds_after_pools_cover_the_knockout(pools: int, count: int, rounds: int) -> None:
    stages_json: list[dict[str, Any]] = [
        {"format": "pools", "settings": {"pools": pools}},
        {"format": "knockout", "takes": "pool_top", "count": count},
    ]
    entries = pools * (count + 1)
    plan = parse_stage_plan(stages_json)
    _, draws = play(plan, start(entries), rounds=rounds)
    assert count_plan_rounds(plan, entries) == rounds
    assert all(drawn.tables for drawn in draws)


def test_parallel_groups_share_rounds_but_no_table() -> None:
    _, draws = play(parse_stage_plan([*GROUPS]), start(8))
    first, second, third = draws[2:5]
    assert list_slots(first) == ["2:W1-1", "2:W1-2", "3:", "3:"]
    assert list_slots(second) == ["2:W2-1", "3:", "3:"]
    assert list_slots(third) == ["3:", "3:"]
    assert [table.number for table in first.tables] == [1, 2, 3, 4]
    assert not draws[5].tables


def test_carried_meeting_is_not_replayed_in_the_round_robin() -> None:
    plan = parse_stage_plan(
        [{"format": "round_robin", "rounds": 1}, {"format": "round_robin", "takes": "top", "count": 4}]
    )
    _, draws = play(plan, start(6))
    met = [pair for drawn in draws for pair in list_meetings(drawn) if max(pair) <= 4]
    assert sorted(met) == [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]


def test_withdrawn_entry_is_replaced_by_the_next_qualifier() -> None:
    plan = parse_stage_plan([*SWISS_THEN_KNOCKOUT])
    _, draws = play(plan, start(6, {2: {"leaves_after": 3}}))
    assert list_meetings(draws[3]) == {(1, 5), (3, 4)}


def test_pools_after_pools_mix_entries_of_all_pools() -> None:
    pools = {"format": "pools", "settings": {"pools": 2}}
    _, draws = play(parse_stage_plan([pools, pools | {"takes": "pool_top", "count": 2}]), start(8), rounds=5)
    pool_of = {entry: table.slot for table in draws[0].tables for entry in (*table.a, *table.b)}
    assert [list_slots(drawn) for drawn in draws[3:]] == [["2:A", "2:B"], []]
    assert all(pool_of[EntryId(one)] != pool_of[EntryId(other)] for one, other in list_meetings(draws[3]))


@pytest.mark.parametrize(
    "late", [{"withdrawn": {4}}, {"arrives": 5}, {"arrives": 4}], ids=["came back", "arrived late", "arrived for it"]
)
@pytest.mark.parametrize("draw_format", ["round_robin", "knockout"])
def test_entry_that_comes_during_a_stage_takes_nobodys_place(draw_format: str, late: dict[str, Any]) -> None:
    plan = parse_stage_plan(
        [
            {"format": "swiss", "rounds": 3},
            {"format": draw_format, "takes": "top", "count": 4},
            {"format": "round_robin", "takes": "ranked", "first": 5, "beside": True},
        ]
    )
    _, draws = play(plan, start(8, {2: late}), rounds=5)
    members = [
        {
            entry
            for drawn in draws[3:]
            for table in drawn.tables
            if table.slot.startswith(stage)
            for entry in (*table.a, *table.b)
        }
        for stage in ("2:", "3:")
    ]
    assert members == [{1, 3, 4, 5}, {2, 6, 7, 8}]


def test_entry_that_comes_back_has_no_place_in_a_begun_bracket() -> None:
    _, draws = play(parse_stage_plan([{"format": "knockout"}]), start(5, {2: {"withdrawn": {1}}}), rounds=3)
    assert [list_meetings(drawn) for drawn in draws] == [{(1, 5), (3, 4)}, {(1, 3)}, set()]


def test_later_stage_counts_absences_in_event_rounds() -> None:
    _, draws = play(parse_stage_plan([*SWISS_THEN_KNOCKOUT]), start(6, {1: {"absent": {4}}}))
    assert [(bye.entry, bye.slot) for bye in draws[3].byes] == [(4, "2:W1-1")]


def test_reasons_name_rounds_of_the_event() -> None:
    _, draws = play(parse_stage_plan([{"format": "swiss", "rounds": 1}, {"format": "knockout"}]), start(2))
    rounds = [
        reason.details["rounds"]
        for table in draws[1].tables
        for reason in table.reasons
        if reason.code is ReasonCode.MET_BEFORE
    ]
    assert rounds == [(1,)]


def test_missing_winner_refusal_names_the_event_slot() -> None:
    plan = parse_stage_plan([*SWISS_THEN_KNOCKOUT])
    before, _ = play(plan, start(8), rounds=4)
    undecided = tuple(replace(t, winner=None) if t.slot == "2:W1-1" else t for t in before.history)
    with pytest.raises(Refusal) as caught:
        draw_stage(plan, replace(before, history=undecided), [make_ids(*range(1, 9))])
    assert (caught.value.code, caught.value.details) == ("winner_missing", {"slot": "2:W1-1"})


def test_qualifiers_are_known_once_the_previous_standings_are() -> None:
    plan = parse_stage_plan([*SWISS_THEN_KNOCKOUT])
    before, _ = play(plan, start(8), rounds=3)
    drawn = draw_stage(plan, before, [make_ids(8, 7, 6, 5, 4, 3, 2, 1)])
    assert {entry for table in drawn.tables for entry in (*table.a, *table.b)} == {8, 7, 6, 5}


def test_locked_table_is_drawn_once_by_the_stage_of_its_entries() -> None:
    before, _ = play(parse_stage_plan([*GROUPS]), start(8), rounds=2)
    locked = (
        LockedTable(number=3, a=make_ids(1), b=make_ids(4)),
        LockedTable(number=1, a=make_ids(5), b=make_ids(6)),
        LockedTable(number=9, a=make_ids(20), b=make_ids(21)),
    )
    drawn = draw_stage(parse_stage_plan([*GROUPS]), replace(before, locked=locked), [make_ids(*range(1, 9))] * 3)
    assert {table.number: table.slot for table in drawn.tables if table.number in (1, 3, 9)} == {
        1: "3:",
        3: "2:W1-1",
        9: "",
    }
    numbers = [table.number for table in drawn.tables]
    assert sorted(set(numbers)) == sorted(numbers)


def draw_parallel_groups(fixed: Mapping[int, int], locked: tuple[LockedTable, ...] = ()) -> Draw:
    """Draw the first round of groups A (1 to 4) and B (5 to 8), with some fixed tables."""
    before, _ = play(parse_stage_plan([*GROUPS]), start(8), rounds=2)
    entrants = tuple(replace(entrant, table=fixed.get(entrant.id)) for entrant in before.entrants)
    before = replace(before, entrants=entrants, locked=locked)
    return draw_stage(parse_stage_plan([*GROUPS]), before, [make_ids(*range(1, 9))] * 3)


def list_seated_by_table(drawn: Draw) -> dict[int, list[int]]:
    return {table.number: sorted((*table.a, *table.b)) for table in drawn.tables}


def test_fixed_table_is_reserved_before_the_other_group_is_seated() -> None:
    assert list_seated_by_table(draw_parallel_groups({5: 1})) == {1: [5, 8], 2: [1, 4], 3: [2, 3], 4: [6, 7]}


def test_first_of_two_groups_gets_a_contested_fixed_table() -> None:
    locked = (LockedTable(number=2, a=make_ids(6), b=make_ids(7)),)
    drawn = draw_parallel_groups({1: 1, 5: 1}, locked)
    assert list_seated_by_table(drawn) == {1: [1, 4], 2: [6, 7], 3: [2, 3], 4: [5, 8]}
    assert not [
        table.number
        for table in drawn.tables
        if table.number != 1 and ReasonCode.FIXED_TABLE in {reason.code for reason in table.reasons}
    ]


@st.composite
def plans(draw: st.DrawFn) -> StagePlan:
    """Generate a plan of two or three stages of one to three rounds, with formats for one kind of entries."""
    side = draw(st.sampled_from([1, 1, 2]))
    keys = [key for key, draw_format in FORMATS.items() if draw_format.side == side]
    takes = [
        {"takes": "all"},
        {"takes": "top", "count": draw(st.integers(1, 9))},
        {"takes": "ranked", "first": draw(st.integers(1, 3)), "last": draw(st.integers(3, 12))},
    ]
    stages = [{"format": draw(st.sampled_from(keys)), "rounds": draw(st.integers(1, 3))}]
    stages += [
        {
            "format": draw(st.sampled_from(keys)),
            "rounds": draw(st.integers(1, 3)),
            "carried": draw(st.sampled_from(["all", "among", "none"])),
            **draw(st.sampled_from(takes)),
        }
        for _ in range(draw(st.integers(1, 2)))
    ]
    return parse_stage_plan(stages)


@pytest.mark.slow
@given(plans(), fields_with_absentees(most=16), st.integers(0, 1000))
@property_settings
def test_every_chain_of_formats_plays_to_its_end(plan: StagePlan, before: DrawInput, seed: int) -> None:
    entrants = {entrant.id: entrant for entrant in before.entrants}
    _, draws = play(plan, before, rounds=10, chance=Random(seed))
    for number, drawn in enumerate(draws, start=1):
        assert drawn.round == number
        seated = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        assert len(set(seated)) == len(seated)
        assert all(entrants[entry].is_present(number) for entry in seated)
    assert not draws[-1].tables
