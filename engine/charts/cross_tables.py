"""Cross tables: all entries against each other, with matches played and still to be played."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, product, zip_longest
from typing import Any

from engine.draws import FORMATS, DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.formats.pools import PoolSettings, pools_of
from engine.draws.formats.round_robin import RoundRobinSettings, round_robin
from engine.draws.history import History
from engine.draws.rounds import by_number
from engine.draws.schedules.scheduled import Schedule
from engine.draws.stages import fields_of
from rules import Side

from .shapes import after_all
from .values import ChartMeeting, CrossRow, CrossTable, CrossTableCell, MeetingResult

READABLE = 40
"""The most entries of a cross table that can still be read."""

_Met = Mapping[tuple[EntryId, EntryId], Sequence[ChartMeeting]]


def cross_table(
    order: Sequence[EntryId],
    history: Sequence[PlayedPairing],
    *,
    open_rounds: Collection[int] = (),
    rounds_before: int = 0,
) -> CrossTable:
    """Return the cross table of these entries, in this order; rounds are those of the event.

    A match without a winner is still to play in ``open_rounds`` of the event, and drawn in the others;
    ``rounds_before`` are those before the first round of ``history``.
    """
    return _table(order, history, _meetings_of(history, open_rounds, rounds_before), rounds_before)


def pool_tables(
    settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    order: Sequence[EntryId] = (),
    *,
    open_rounds: Collection[int] = (),
    rounds_before: int = 0,
) -> tuple[CrossTable, ...]:
    """Return the cross table of each pool, with its matches still to be played; entries missing from
    ``order`` come last. Refuses: what the settings refuse."""
    draw_input = after_all(settings, entrants, history)
    legs = PoolSettings.of(settings).legs
    met = _meetings_of(history, open_rounds, rounds_before)
    return tuple(
        _scheduled_meetings(
            _put_in_order(order, entries),
            round_robin(entries, legs=legs, slot=name),
            draw_input,
            met,
            rounds_before,
        )
        for name, entries in pools_of(draw_input).items()
    )


def round_robin_tables(
    settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    order: Sequence[EntryId] = (),
    *,
    open_rounds: Collection[int] = (),
    rounds_before: int = 0,
) -> tuple[CrossTable, ...]:
    """Return the cross table of a round robin, with its matches still to be played. Several sections share
    one table."""
    legs = RoundRobinSettings.of(settings).legs
    entries = [entrant.id for entrant in by_number(entrants)]
    met = _meetings_of(history, open_rounds, rounds_before)
    draw_input = after_all(settings, entrants, history)
    section_of = {entrant.id: entrant.section for entrant in entrants}
    have_met = any(section_of.get(one) != section_of.get(other) for one, other in met)
    fields = (draw_input,) if have_met else fields_of(FORMATS["round_robin"], draw_input)
    schedules = [
        round_robin([entrant.id for entrant in by_number(field.entrants)], legs=legs) for field in fields
    ]
    rounds = zip_longest(*(each.rounds for each in schedules), fillvalue=())
    schedule = Schedule(rounds=tuple(tuple(chain(*meetings)) for meetings in rounds))
    return (_scheduled_meetings(_put_in_order(order, entries), schedule, draw_input, met, rounds_before),)


def swiss_tables(
    _settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    order: Sequence[EntryId] = (),
    *,
    open_rounds: Collection[int] = (),
    rounds_before: int = 0,
) -> tuple[CrossTable, ...]:
    """Return the cross table of a Swiss as played so far; empty if the field is too large to read."""
    if len(entrants) > READABLE:
        return ()
    entries = _put_in_order(order, [entrant.id for entrant in entrants])
    return (cross_table(entries, history, open_rounds=open_rounds, rounds_before=rounds_before),)


TABLES = {"pools": pool_tables, "round_robin": round_robin_tables, "swiss": swiss_tables}
"""The function that makes the cross tables, by format; other formats have none."""


def _put_in_order(order: Sequence[EntryId], entries: Sequence[EntryId]) -> list[EntryId]:
    return [entry for entry in dict.fromkeys((*order, *entries)) if entry in entries]


def _meetings_of(
    history: Sequence[PlayedPairing], open_rounds: Collection[int], rounds_before: int
) -> defaultdict[tuple[EntryId, EntryId], list[ChartMeeting]]:
    """Return the meetings by row and column, the first meeting first."""
    met: defaultdict[tuple[EntryId, EntryId], list[ChartMeeting]] = defaultdict(list)
    for table in sorted(history, key=lambda table: table.round):
        number = table.round + rounds_before
        for side, row, column in ((Side.A, table.a, table.b), (Side.B, table.b, table.a)):
            meeting = ChartMeeting(
                round=number,
                table=table.table or None,
                result=_result(table, side, is_open=number in open_rounds),
                is_forfeit=table.is_forfeit,
            )
            for one, other in product(row, column):
                met[one, other].append(meeting)
    return met


def _result(table: PlayedPairing, side: Side, *, is_open: bool) -> MeetingResult:
    """Return the result of a match for this side. A forfeit without a winner is lost by both."""
    if table.winner is not None:
        return MeetingResult.WON if table.winner is side else MeetingResult.LOST
    if table.is_forfeit:
        return MeetingResult.LOST
    return MeetingResult.TO_PLAY if is_open else MeetingResult.DRAWN


def _scheduled_meetings(
    order: Sequence[EntryId],
    schedule: Schedule,
    draw_input: DrawInput,
    met: _Met,
    rounds_before: int,
) -> CrossTable:
    """Return the cross table of a schedule, with its matches still to be played."""
    met = dict(met)
    for one, other, number in _meetings_due(schedule, draw_input):
        coming = ChartMeeting(
            round=None if number is None else number + rounds_before, result=MeetingResult.TO_PLAY
        )
        for row, column in ((one, other), (other, one)):
            met[row, column] = (*met.get((row, column), ()), coming)
    return _table(order, draw_input.history, met, rounds_before, pool=schedule.slot)


def _meetings_due(schedule: Schedule, draw_input: DrawInput) -> Iterator[tuple[EntryId, EntryId, int | None]]:
    """Return the meetings still to be played, each once, with their round if the schedule still holds.
    Meetings with entries who have left are not due."""
    left = {entrant.id for entrant in draw_input.entrants if entrant.has_left(draw_input.round)}
    history = History(draw_input.history)
    met = {pair: history.rounds_met(*pair) for pair in schedule.due}
    holds = all(set(rounds) <= set(schedule.due[pair]) for pair, rounds in met.items())
    for pair, rounds in schedule.due.items():
        one, other = pair
        if pair.isdisjoint(left):
            for number in rounds[len(met[pair]) :]:
                yield (one, other, number if holds and number >= draw_input.round else None)


def _table(
    order: Sequence[EntryId], history: Sequence[PlayedPairing], met: _Met, rounds_before: int, pool: str = ""
) -> CrossTable:
    byes: defaultdict[EntryId, set[int]] = defaultdict(set)
    for table in history:
        if not table.b:
            for entry in table.a:
                byes[entry].add(table.round + rounds_before)
    return CrossTable(
        pool=pool,
        rows=tuple(
            CrossRow(
                entry=row,
                byes=tuple(sorted(byes[row])),
                cells=tuple(
                    CrossTableCell(
                        opponent=column, meetings=tuple(met.get((row, column), ())), is_own=row == column
                    )
                    for column in order
                ),
            )
            for row in order
        ),
    )
