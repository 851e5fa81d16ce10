"""Cross tables: everybody against everybody, as played and as still to be played."""

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
"""So many rows and columns can be looked over."""

_Met = Mapping[tuple[EntryId, EntryId], Sequence[ChartMeeting]]


def cross_table(
    order: Sequence[EntryId],
    history: Sequence[PlayedPairing],
    *,
    open_rounds: Collection[int] = (),
    rounds_before: int = 0,
) -> CrossTable:
    """What these had with each other, in this order; rounds are those of the event.

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
    """The cross table of each pool with what is still to play; who is not in ``order`` comes last.

    Refuses: what the settings refuse.
    """
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
    """The same of a round robin: one table, also of several sections, unless they have met."""
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
    """Who has met whom so far, in a field that one can still look over; of a larger one, none."""
    if len(entrants) > READABLE:
        return ()
    entries = _put_in_order(order, [entrant.id for entrant in entrants])
    return (cross_table(entries, history, open_rounds=open_rounds, rounds_before=rounds_before),)


TABLES = {"pools": pool_tables, "round_robin": round_robin_tables, "swiss": swiss_tables}
"""By format, how its cross tables are made; the others have none."""


def _put_in_order(order: Sequence[EntryId], entries: Sequence[EntryId]) -> list[EntryId]:
    return [entry for entry in dict.fromkeys((*order, *entries)) if entry in entries]


def _meetings_of(
    history: Sequence[PlayedPairing], open_rounds: Collection[int], rounds_before: int
) -> defaultdict[tuple[EntryId, EntryId], list[ChartMeeting]]:
    """By row and column, what the two had with each other, first meeting first."""
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
    """For this side. A forfeit without a winner is lost by both."""
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
    """The table of a schedule, with its matches that are still to be played."""
    met = dict(met)
    for one, other, number in _meetings_due(schedule, draw_input):
        coming = ChartMeeting(
            round=None if number is None else number + rounds_before, result=MeetingResult.TO_PLAY
        )
        for row, column in ((one, other), (other, one)):
            met[row, column] = (*met.get((row, column), ()), coming)
    return _table(order, draw_input.history, met, rounds_before, pool=schedule.slot)


def _meetings_due(schedule: Schedule, draw_input: DrawInput) -> Iterator[tuple[EntryId, EntryId, int | None]]:
    """Who has yet to meet, once for each meeting, and in which round, where the schedule still tells.

    Nobody waits for those who have left.
    """
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
