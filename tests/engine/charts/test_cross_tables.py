"""Cross tables: results from the side of the row's entry, and matches still to be played."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.charts import ChartMeeting, CrossTable, MeetingResult, build_cross_table, build_pool_tables
from engine.charts.cross_tables import MAX_READABLE_ENTRIES, build_round_robin_tables, build_swiss_tables
from engine.draws import DrawInput, EntryId, PlayedPairing
from rules import Side
from tests.engine.draws.bracket_events import Event, favourite_wins, play, play_next_round, random_result, start
from tests.engine.draws.events import build_bye, build_pairing
from tests.rules.sheets import property_settings


def make_ids(*entries: int) -> tuple[EntryId, ...]:
    return tuple(map(EntryId, entries))


def get_meetings(table: CrossTable, row: int, column: int) -> tuple[ChartMeeting, ...]:
    (found,) = (
        cell.meetings for each in table.rows if each.entry == row for cell in each.cells if cell.opponent == column
    )
    return found


def list_results(table: CrossTable, row: int, column: int) -> list[tuple[int | None, MeetingResult]]:
    return [(meeting.round, meeting.result) for meeting in get_meetings(table, row, column)]


def round_robin(rounds: int, entrants: int, **settings: Any) -> tuple[DrawInput, CrossTable]:
    event = play("round_robin", start(entrants, **settings), favourite_wins, rounds=rounds)
    (table,) = build_round_robin_tables(settings, event.draw_input.entrants, event.history)
    return event.draw_input, table


def test_rows_and_columns_follow_the_standings() -> None:
    table = build_cross_table(make_ids(7, 3, 5), ())
    assert [row.entry for row in table.rows] == [7, 3, 5]
    assert [[cell.opponent for cell in row.cells] for row in table.rows] == [[7, 3, 5]] * 3
    assert [[cell.is_own for cell in row.cells].index(True) for row in table.rows] == [0, 1, 2]


def test_win_of_one_entry_is_the_loss_of_the_other() -> None:
    table = build_cross_table(make_ids(1, 2), [replace(build_pairing(3, 2, 1), winner=Side.A, table=6)])
    assert get_meetings(table, 2, 1) == (ChartMeeting(round=3, table=6, result=MeetingResult.WON),)
    assert get_meetings(table, 1, 2) == (ChartMeeting(round=3, table=6, result=MeetingResult.LOST),)


def test_match_without_a_winner_is_drawn_once_its_round_is_closed() -> None:
    history = [build_pairing(1, 1, 2), build_pairing(2, 1, 2)]
    table = build_cross_table(make_ids(1, 2), history, open_rounds=[2])
    assert list_results(table, 1, 2) == [(1, MeetingResult.DRAWN), (2, MeetingResult.PENDING)]
    assert list_results(table, 2, 1) == list_results(table, 1, 2)


def test_forfeit_is_marked_in_the_result() -> None:
    forfeit = replace(build_pairing(1, 1, 2), winner=Side.B, is_forfeit=True)
    table = build_cross_table(make_ids(1, 2), [forfeit])
    assert get_meetings(table, 2, 1) == (ChartMeeting(round=1, result=MeetingResult.WON, is_forfeit=True),)


def test_forfeit_without_a_winner_is_lost_by_both() -> None:
    table = build_cross_table(make_ids(1, 2), [replace(build_pairing(1, 1, 2), is_forfeit=True)])
    assert list_results(table, 1, 2) == list_results(table, 2, 1) == [(1, MeetingResult.LOST)]


def test_bye_is_listed_in_the_row_of_its_entry() -> None:
    table = build_cross_table(
        make_ids(1, 2, 3), [build_bye(1, 3), build_bye(4, 3), build_pairing(1, 1, 2)], round_offset=2
    )
    assert [row.byes for row in table.rows] == [(), (), (3, 6)]
    assert table.has_byes


def test_both_legs_of_a_double_round_robin_share_a_cell() -> None:
    _, table = round_robin(6, 4, legs=2)
    assert all(
        len(cell.meetings) == 2
        and {meeting.result for meeting in cell.meetings} <= {MeetingResult.WON, MeetingResult.LOST}
        for row in table.rows
        for cell in row.cells
        if not cell.is_own
    )


def test_pending_match_shows_its_scheduled_round() -> None:
    before, table = round_robin(1, 4)
    coming = {
        (row.entry, cell.opponent, meeting.round)
        for row in table.rows
        for cell in row.cells
        for meeting in cell.meetings
        if meeting.result is MeetingResult.PENDING
    }
    event = Event(draw_input=before)
    for _ in range(2):
        play_next_round(event, "round_robin", favourite_wins)
    played = {(table.a[0], table.b[0], table.round) for table in event.history if table.round > 1}
    assert coming == played | {(b, a, number) for a, b, number in played}


def test_pending_match_has_no_round_once_the_schedule_is_broken() -> None:
    before = start(4)
    (table,) = build_round_robin_tables({}, before.entrants, [replace(build_pairing(1, 1, 2), winner=Side.A)])
    assert list_results(table, 1, 2) == [(1, MeetingResult.WON)]
    assert list_results(table, 3, 4) == [(None, MeetingResult.PENDING)]


def test_withdrawn_entry_has_no_pending_matches() -> None:
    before = start(4, {4: {"leaves_after": 1}})
    event = play("round_robin", before, favourite_wins, rounds=1)
    (table,) = build_round_robin_tables({}, before.entrants, event.history)
    assert [len(get_meetings(table, 4, other)) for other in (1, 2, 3)] == [1, 0, 0]


def test_single_entry_has_a_row() -> None:
    (table,) = build_round_robin_tables({}, start(1).entrants, ())
    assert [row.entry for row in table.rows] == [1]


def test_each_pool_has_a_table_in_standings_order() -> None:
    event = play("pools", start(8, pools=2), favourite_wins, rounds=1)
    order = make_ids(8, 7, 6, 5, 4, 3, 2, 1)
    tables = build_pool_tables({"pools": 2}, event.draw_input.entrants, event.history, order)
    assert [table.pool for table in tables] == ["A", "B"]
    for table in tables:
        entries = [row.entry for row in table.rows]
        assert entries == sorted(entries, reverse=True)
        assert len(entries) == 4


def test_entry_missing_from_the_standings_comes_last() -> None:
    tables = build_pool_tables({"pools": 1}, start(3).entrants, (), make_ids(3))
    assert [row.entry for row in tables[0].rows] == [3, 1, 2]


def test_swiss_field_too_large_to_read_has_no_cross_table() -> None:
    assert len(build_swiss_tables({}, start(MAX_READABLE_ENTRIES).entrants, ())) == 1
    assert build_swiss_tables({}, start(MAX_READABLE_ENTRIES + 1).entrants, ()) == ()


def count_results(tables: Sequence[CrossTable], result: MeetingResult) -> int:
    return sum(
        meeting.result is result
        for table in tables
        for row in table.rows
        for cell in row.cells
        for meeting in cell.meetings
    )


@given(st.integers(2, 14), st.sampled_from([1, 2]), st.integers(0, 20), st.integers())
@property_settings
def test_played_and_pending_results_cover_every_meeting_of_the_pools(
    entrants: int, legs: int, rounds: int, seed: int
) -> None:
    settings: dict[str, Any] = {"pools": 2, "legs": legs}
    event = play("pools", start(entrants, **settings), random_result(seed), rounds=rounds)
    tables = build_pool_tables(settings, event.draw_input.entrants, event.history)
    played: list[PlayedPairing] = [table for table in event.history if table.b]
    assert count_results(tables, MeetingResult.WON) == count_results(tables, MeetingResult.LOST) == len(played)
    owed = sum(legs * len(table.rows) * (len(table.rows) - 1) // 2 for table in tables) - len(played)
    assert count_results(tables, MeetingResult.PENDING) == 2 * owed
