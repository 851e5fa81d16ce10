"""Cross tables: all entries against each other, with matches played and still to be played."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, product, zip_longest
from typing import Any

from engine.draws import FORMATS, DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.formats.pools import PoolSettings, build_pools
from engine.draws.formats.round_robin import RoundRobinSettings, build_round_robin
from engine.draws.history import History
from engine.draws.rounds import sort_by_number
from engine.draws.schedules.round_schedule import Schedule
from engine.draws.stages import build_section_fields
from rules import Side

from .shapes import build_next_input
from .values import ChartMeeting, CrossRow, CrossTable, CrossTableCell, MeetingResult

MAX_READABLE_ENTRIES = 40
"""The most entries of a cross table that can still be read."""

_Meetings = Mapping[tuple[EntryId, EntryId], Sequence[ChartMeeting]]


def build_cross_table(
    order: Sequence[EntryId],
    history: Sequence[PlayedPairing],
    *,
    open_rounds: Collection[int] = (),
    round_offset: int = 0,
) -> CrossTable:
    """Return the cross table of these entries, in this order; rounds are those of the event.

    A match without a winner is still to be played if its round is in ``open_rounds`` (of the event), and drawn
    otherwise. ``round_offset`` is the number of rounds before the first round of ``history``.
    """
    return _build_table(order, history, _collect_meetings(history, open_rounds, round_offset), round_offset)


def build_pool_tables(
    settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    order: Sequence[EntryId] = (),
    *,
    open_rounds: Collection[int] = (),
    round_offset: int = 0,
) -> tuple[CrossTable, ...]:
    """Return the cross table of each pool, with its matches still to be played; entries missing from
    ``order`` come last. Refuses: what the settings refuse."""
    draw_input = build_next_input(settings, entrants, history)
    legs = PoolSettings.parse(settings).legs
    met = _collect_meetings(history, open_rounds, round_offset)
    return tuple(
        _build_scheduled_table(
            _sort_entries(order, entries),
            build_round_robin(entries, legs=legs, slot=name),
            draw_input,
            met,
            round_offset,
        )
        for name, entries in build_pools(draw_input).items()
    )


def build_round_robin_tables(
    settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    order: Sequence[EntryId] = (),
    *,
    open_rounds: Collection[int] = (),
    round_offset: int = 0,
) -> tuple[CrossTable, ...]:
    """Return the cross table of a round robin, with its matches still to be played. Several sections share
    one table."""
    legs = RoundRobinSettings.parse(settings).legs
    entries = [entrant.id for entrant in sort_by_number(entrants)]
    met = _collect_meetings(history, open_rounds, round_offset)
    draw_input = build_next_input(settings, entrants, history)
    sections_by_entry = {entrant.id: entrant.section for entrant in entrants}
    is_across_sections = any(sections_by_entry.get(one) != sections_by_entry.get(other) for one, other in met)
    fields = (draw_input,) if is_across_sections else build_section_fields(FORMATS["round_robin"], draw_input)
    schedules = [
        build_round_robin([entrant.id for entrant in sort_by_number(field.entrants)], legs=legs) for field in fields
    ]
    rounds = zip_longest(*(each.rounds for each in schedules), fillvalue=())
    schedule = Schedule(rounds=tuple(tuple(chain(*meetings)) for meetings in rounds))
    return (_build_scheduled_table(_sort_entries(order, entries), schedule, draw_input, met, round_offset),)


def build_swiss_tables(
    _settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    order: Sequence[EntryId] = (),
    *,
    open_rounds: Collection[int] = (),
    round_offset: int = 0,
) -> tuple[CrossTable, ...]:
    """Return the cross table of a Swiss as played so far; empty if the field is too large to read."""
    if len(entrants) > MAX_READABLE_ENTRIES:
        return ()
    entries = _sort_entries(order, [entrant.id for entrant in entrants])
    return (build_cross_table(entries, history, open_rounds=open_rounds, round_offset=round_offset),)


TABLES = {"pools": build_pool_tables, "round_robin": build_round_robin_tables, "swiss": build_swiss_tables}
"""The function that makes the cross tables, by format; other formats have none."""


def _sort_entries(order: Sequence[EntryId], entries: Sequence[EntryId]) -> list[EntryId]:
    return [entry for entry in dict.fromkeys((*order, *entries)) if entry in entries]


def _collect_meetings(
    history: Sequence[PlayedPairing], open_rounds: Collection[int], round_offset: int
) -> defaultdict[tuple[EntryId, EntryId], list[ChartMeeting]]:
    """Return the meetings by row and column, the first meeting first."""
    met: defaultdict[tuple[EntryId, EntryId], list[ChartMeeting]] = defaultdict(list)
    for table in sorted(history, key=lambda table: table.round):
        number = table.round + round_offset
        for side, row, column in ((Side.A, table.a, table.b), (Side.B, table.b, table.a)):
            meeting = ChartMeeting(
                round=number,
                table=table.table or None,
                result=_get_result(table, side, is_open=number in open_rounds),
                is_forfeit=table.is_forfeit,
            )
            for one, other in product(row, column):
                met[one, other].append(meeting)
    return met


def _get_result(table: PlayedPairing, side: Side, *, is_open: bool) -> MeetingResult:
    """Return the result of a match for this side. A forfeit without a winner is lost by both."""
    if table.winner is not None:
        return MeetingResult.WON if table.winner is side else MeetingResult.LOST
    if table.is_forfeit:
        return MeetingResult.LOST
    return MeetingResult.PENDING if is_open else MeetingResult.DRAWN


def _build_scheduled_table(
    order: Sequence[EntryId],
    schedule: Schedule,
    draw_input: DrawInput,
    meetings: _Meetings,
    round_offset: int,
) -> CrossTable:
    """Return the cross table of a schedule, with its matches still to be played."""
    meetings = dict(meetings)
    for one, other, number in _list_due_meetings(schedule, draw_input):
        pending_meeting = ChartMeeting(
            round=None if number is None else number + round_offset, result=MeetingResult.PENDING
        )
        for row, column in ((one, other), (other, one)):
            meetings[row, column] = (*meetings.get((row, column), ()), pending_meeting)
    return _build_table(order, draw_input.history, meetings, round_offset, pool=schedule.slot)


def _list_due_meetings(schedule: Schedule, draw_input: DrawInput) -> Iterator[tuple[EntryId, EntryId, int | None]]:
    """Return the meetings still to be played, each once, with their round if the schedule still holds.
    Meetings with entries who have left are not due."""
    departed = {entrant.id for entrant in draw_input.entrants if entrant.has_left(draw_input.round)}
    history = History(draw_input.history)
    met = {pair: history.get_rounds_met(*pair) for pair in schedule.meeting_rounds}
    holds = all(set(rounds) <= set(schedule.meeting_rounds[pair]) for pair, rounds in met.items())
    for pair, rounds in schedule.meeting_rounds.items():
        one, other = pair
        if pair.isdisjoint(departed):
            for number in rounds[len(met[pair]) :]:
                yield (one, other, number if holds and number >= draw_input.round else None)


def _build_table(
    order: Sequence[EntryId], history: Sequence[PlayedPairing], meetings: _Meetings, round_offset: int, pool: str = ""
) -> CrossTable:
    byes: defaultdict[EntryId, set[int]] = defaultdict(set)
    for table in history:
        if not table.b:
            for entry in table.a:
                byes[entry].add(table.round + round_offset)
    return CrossTable(
        pool=pool,
        rows=tuple(
            CrossRow(
                entry=row,
                byes=tuple(sorted(byes[row])),
                cells=tuple(
                    CrossTableCell(
                        opponent=column, meetings=tuple(meetings.get((row, column), ())), is_own=row == column
                    )
                    for column in order
                ),
            )
            for row in order
        ),
    )
