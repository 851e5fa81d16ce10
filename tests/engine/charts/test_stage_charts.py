"""Charts of an event with several stages: one for each stage, with the round numbers of the event."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.charts import Contradiction, MeetingResult, StageChart, build_charts, find_event_contradictions
from engine.draws import DrawInput, EntryId
from engine.draws.stages import draw_stage, parse_stage_plan
from tests.engine.draws.bracket_events import start
from tests.engine.draws.test_stages import GROUPS, POOLS_THEN_KNOCKOUT, SWISS_THEN_KNOCKOUT, build_next_input

from .events import format_board, list_pairings


def play_rounds(
    plan_data: Sequence[Mapping[str, Any]], entrants: int, rounds: int
) -> tuple[DrawInput, list[list[EntryId]], tuple[StageChart, ...]]:
    """Play this number of rounds, won by the better seed; return the input, standings and charts."""
    plan, before = parse_stage_plan(plan_data), start(entrants)
    standings = [[entrant.id for entrant in before.entrants]] * len(plan)
    for _ in range(rounds):
        before = build_next_input(before, draw_stage(plan, before, standings))
    return before, standings, build_charts(plan, before.entrants, before.history, standings)


def test_a_stage_that_has_not_begun_has_no_chart() -> None:
    _, _, charts = play_rounds(POOLS_THEN_KNOCKOUT, 8, 2)
    assert [(chart.stage, chart.format) for chart in charts] == [(0, "pools")]
    assert build_charts(parse_stage_plan(POOLS_THEN_KNOCKOUT), start(8).entrants, ()) == ()


def test_pools_have_cross_tables_and_the_following_knockout_a_bracket() -> None:
    _, _, (pools, knockout) = play_rounds(POOLS_THEN_KNOCKOUT, 8, 5)
    assert pools.bracket is None
    assert [table.pool for table in pools.tables] == ["A", "B"]
    assert knockout.tables == ()
    assert knockout.bracket is not None
    assert format_board(knockout.bracket) == {"W1-1": ("1!", "3"), "W1-2": ("2!", "4"), "W2-1": ("1!", "2")}
    rounds = [column.round for part in knockout.bracket.parts for column in part.rounds]
    assert rounds == [4, 5]


def test_pool_meetings_show_the_round_of_the_event() -> None:
    before, _, (pools, _) = play_rounds(POOLS_THEN_KNOCKOUT, 8, 4)
    in_pools = {(*table.a, *table.b, table.round) for table in before.history if table.round <= 3}
    shown = {
        (row.entry, cell.opponent, meeting.round)
        for table in pools.tables
        for row in table.rows
        for cell in row.cells
        for meeting in cell.meetings
    }
    assert in_pools <= shown
    assert len(shown) == 2 * len(in_pools)


def list_qualifiers(charts: Sequence[StageChart]) -> list[list[EntryId]]:
    """Return by pool the entries that would qualify at this point, in the order of its table."""
    return [[row.entry for row in table.rows if row.goes_on] for table in charts[0].tables]


def test_first_two_of_each_pool_qualify_unless_withdrawn() -> None:
    before, standings, charts = play_rounds(POOLS_THEN_KNOCKOUT, 8, 1)
    pools = [[row.entry for row in table.rows] for table in charts[0].tables]
    assert list_qualifiers(charts) == [pool[:2] for pool in pools]
    first = pools[0][0]
    entrants = [replace(each, leaves_after=1) if each.id == first else each for each in before.entrants]
    without = build_charts(parse_stage_plan(POOLS_THEN_KNOCKOUT), entrants, before.history, standings)
    assert list_qualifiers(without) == [pools[0][1:3], pools[1][:2]]


def test_pool_without_results_has_no_qualifiers() -> None:
    plan, before = parse_stage_plan(POOLS_THEN_KNOCKOUT), start(8)
    charts = build_charts(plan, before.entrants, list_pairings(draw_stage(plan, before)), open_rounds=[1])
    assert list_qualifiers(charts) == [[], []]


def test_pools_without_a_following_stage_have_no_qualifiers() -> None:
    _, _, charts = play_rounds([{"format": "pools", "settings": {"pools": 2}}], 8, 1)
    assert list_qualifiers(charts) == [[], []]


def test_swiss_stage_has_a_cross_table() -> None:
    before, _, (swiss, _) = play_rounds(SWISS_THEN_KNOCKOUT, 8, 4)
    (table,) = swiss.tables
    won = sum(
        meeting.result is MeetingResult.WON for row in table.rows for cell in row.cells for meeting in cell.meetings
    )
    assert won == sum(bool(entry.b) for entry in before.history if entry.round <= 3)


def test_parallel_stages_each_have_their_own_chart() -> None:
    _, _, charts = play_rounds(GROUPS, 8, 3)
    assert [(chart.format, chart.bracket is not None, len(chart.tables)) for chart in charts] == [
        ("swiss", False, 1),
        ("knockout", True, 0),
        ("round_robin", False, 1),
    ]
    assert {row.entry for row in charts[2].tables[0].rows} == {5, 6, 7, 8}


def test_finished_stage_keeps_its_final_order() -> None:
    before, _, _ = play_rounds(GROUPS, 8, 3)
    ended = [[EntryId(entry) for entry in (3, 1, 2, 4, 8, 7, 6, 5)]]
    swiss, _, group = build_charts(parse_stage_plan(GROUPS), before.entrants, before.history, ended)
    assert [row.entry for row in swiss.tables[0].rows] == ended[0]
    assert [row.entry for row in group.tables[0].rows] == [5, 6, 7, 8]


def test_match_without_a_winner_is_pending_while_its_round_is_open() -> None:
    plan, before = parse_stage_plan(GROUPS), start(8)
    history = list_pairings(draw_stage(plan, before))
    (closed,) = build_charts(plan, before.entrants, history)
    (still,) = build_charts(plan, before.entrants, history, open_rounds=[1])
    outcomes = [
        {meeting.result for row in chart.tables[0].rows for cell in row.cells for meeting in cell.meetings}
        for chart in (closed, still)
    ]
    assert outcomes == [{MeetingResult.DRAWN}, {MeetingResult.PENDING}]


def test_stage_contradictions_use_rounds_and_slots_of_the_event() -> None:
    before, standings, _ = play_rounds(POOLS_THEN_KNOCKOUT, 8, 5)
    plan, history = parse_stage_plan(POOLS_THEN_KNOCKOUT), before.history
    assert find_event_contradictions(plan, before.entrants, history, standings) == ()
    corrected = [
        replace(table, winner=table.winner.other) if table.slot == "2:W1-1" and table.winner is not None else table
        for table in history
    ]
    expected = Contradiction(round=5, table=1, slot="2:W2-1", seated=(EntryId(1),), expected=(EntryId(3),))
    assert find_event_contradictions(plan, before.entrants, corrected, standings) == (expected,)
    assert find_event_contradictions(plan, before.entrants, corrected, standings, manual_slots=["1:W2-1"]) == (
        expected,
    )
    assert find_event_contradictions(plan, before.entrants, corrected, standings, manual_slots=["2:W2-1"]) == ()
