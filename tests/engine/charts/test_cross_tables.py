"""Cross tables: what two had with each other, for the one of the row, and what is still to be played."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.charts import ChartMeeting, CrossTable, MeetingResult, cross_table, pool_tables
from engine.charts.cross_tables import READABLE, round_robin_tables, swiss_tables
from engine.draws import DrawInput, EntryId, PlayedPairing
from rules import Side
from tests.engine.draws.bracket_events import Event, by_chance, favourites, next_round, play, start
from tests.engine.draws.events import met, sat_out
from tests.rules.sheets import law


def ids(*entries: int) -> tuple[EntryId, ...]:
    return tuple(map(EntryId, entries))


def meetings(table: CrossTable, row: int, column: int) -> tuple[ChartMeeting, ...]:
    (found,) = (
        cell.meetings
        for each in table.rows
        if each.entry == row
        for cell in each.cells
        if cell.opponent == column
    )
    return found


def results(table: CrossTable, row: int, column: int) -> list[tuple[int | None, MeetingResult]]:
    return [(meeting.round, meeting.result) for meeting in meetings(table, row, column)]


def round_robin(rounds: int, entrants: int, **settings: Any) -> tuple[DrawInput, CrossTable]:
    event = play("round_robin", start(entrants, **settings), favourites, rounds=rounds)
    (table,) = round_robin_tables(settings, event.after.entrants, event.history)
    return event.after, table


def test_rows_and_columns_are_in_the_order_of_the_standings() -> None:
    table = cross_table(ids(7, 3, 5), ())
    assert [row.entry for row in table.rows] == [7, 3, 5]
    assert [[cell.opponent for cell in row.cells] for row in table.rows] == [[7, 3, 5]] * 3
    assert [[cell.is_own for cell in row.cells].index(True) for row in table.rows] == [0, 1, 2]


def test_what_one_has_won_the_other_has_lost() -> None:
    table = cross_table(ids(1, 2), [replace(met(3, 2, 1), winner=Side.A, table=6)])
    assert meetings(table, 2, 1) == (ChartMeeting(round=3, table=6, result=MeetingResult.WON),)
    assert meetings(table, 1, 2) == (ChartMeeting(round=3, table=6, result=MeetingResult.LOST),)


def test_without_a_winner_a_match_is_drawn_once_its_round_is_closed() -> None:
    history = [met(1, 1, 2), met(2, 1, 2)]
    table = cross_table(ids(1, 2), history, open_rounds=[2])
    assert results(table, 1, 2) == [(1, MeetingResult.DRAWN), (2, MeetingResult.TO_PLAY)]
    assert results(table, 2, 1) == results(table, 1, 2)


def test_a_forfeit_is_won_and_lost_and_says_so() -> None:
    forfeit = replace(met(1, 1, 2), winner=Side.B, is_forfeit=True)
    table = cross_table(ids(1, 2), [forfeit])
    assert meetings(table, 2, 1) == (ChartMeeting(round=1, result=MeetingResult.WON, is_forfeit=True),)


def test_a_forfeit_that_nobody_won_is_lost_by_both() -> None:
    table = cross_table(ids(1, 2), [replace(met(1, 1, 2), is_forfeit=True)])
    assert results(table, 1, 2) == results(table, 2, 1) == [(1, MeetingResult.LOST)]


def test_a_bye_stands_with_who_sat_out() -> None:
    table = cross_table(ids(1, 2, 3), [sat_out(1, 3), sat_out(4, 3), met(1, 1, 2)], rounds_before=2)
    assert [row.byes for row in table.rows] == [(), (), (3, 6)]
    assert table.has_byes


def test_both_legs_of_a_double_round_robin_are_in_one_cell() -> None:
    _, table = round_robin(6, 4, legs=2)
    assert all(
        len(cell.meetings) == 2
        and {meeting.result for meeting in cell.meetings} <= {MeetingResult.WON, MeetingResult.LOST}
        for row in table.rows
        for cell in row.cells
        if not cell.is_own
    )


def test_what_is_still_to_be_played_has_its_round() -> None:
    before, table = round_robin(1, 4)
    coming = {
        (row.entry, cell.opponent, meeting.round)
        for row in table.rows
        for cell in row.cells
        for meeting in cell.meetings
        if meeting.result is MeetingResult.TO_PLAY
    }
    event = Event(after=before)
    for _ in range(2):
        next_round(event, "round_robin", favourites)
    played = {(table.a[0], table.b[0], table.round) for table in event.history if table.round > 1}
    assert coming == played | {(b, a, number) for a, b, number in played}


def test_once_the_schedule_no_longer_holds_what_is_owed_has_no_round() -> None:
    before = start(4)
    (table,) = round_robin_tables({}, before.entrants, [replace(met(1, 1, 2), winner=Side.A)])
    assert results(table, 1, 2) == [(1, MeetingResult.WON)]
    assert results(table, 3, 4) == [(None, MeetingResult.TO_PLAY)]


def test_nobody_waits_for_who_has_left() -> None:
    before = start(4, {4: {"leaves_after": 1}})
    event = play("round_robin", before, favourites, rounds=1)
    (table,) = round_robin_tables({}, before.entrants, event.history)
    assert [len(meetings(table, 4, other)) for other in (1, 2, 3)] == [1, 0, 0]


def test_somebody_alone_in_a_field_has_a_row() -> None:
    (table,) = round_robin_tables({}, start(1).entrants, ())
    assert [row.entry for row in table.rows] == [1]


def test_each_pool_has_its_table_by_the_standings() -> None:
    event = play("pools", start(8, pools=2), favourites, rounds=1)
    order = ids(8, 7, 6, 5, 4, 3, 2, 1)
    tables = pool_tables({"pools": 2}, event.after.entrants, event.history, order)
    assert [table.pool for table in tables] == ["A", "B"]
    for table in tables:
        entries = [row.entry for row in table.rows]
        assert entries == sorted(entries, reverse=True)
        assert len(entries) == 4


def test_who_is_not_in_the_standings_yet_comes_last() -> None:
    tables = pool_tables({"pools": 1}, start(3).entrants, (), ids(3))
    assert [row.entry for row in tables[0].rows] == [3, 1, 2]


def test_of_a_swiss_field_that_nobody_can_look_over_there_is_no_table() -> None:
    assert len(swiss_tables({}, start(READABLE).entrants, ())) == 1
    assert swiss_tables({}, start(READABLE + 1).entrants, ()) == ()


def counted(tables: Sequence[CrossTable], result: MeetingResult) -> int:
    return sum(
        meeting.result is result
        for table in tables
        for row in table.rows
        for cell in row.cells
        for meeting in cell.meetings
    )


@given(st.integers(2, 14), st.sampled_from([1, 2]), st.integers(0, 20), st.integers())
@law
def test_all_that_is_played_and_to_be_played_is_every_meeting_of_the_pools(
    entrants: int, legs: int, rounds: int, seed: int
) -> None:
    settings: dict[str, Any] = {"pools": 2, "legs": legs}
    event = play("pools", start(entrants, **settings), by_chance(seed), rounds=rounds)
    tables = pool_tables(settings, event.after.entrants, event.history)
    played: list[PlayedPairing] = [table for table in event.history if table.b]
    assert counted(tables, MeetingResult.WON) == counted(tables, MeetingResult.LOST) == len(played)
    owed = sum(legs * len(table.rows) * (len(table.rows) - 1) // 2 for table in tables) - len(played)
    assert counted(tables, MeetingResult.TO_PLAY) == 2 * owed
