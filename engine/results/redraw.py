"""The draw of a round after other results in the rounds before it."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.draws import Draw, EntryId
from errors import Refusal

from .round_draw import build_draw_input, draw_next_round
from .values import EventSnapshot

Meeting = frozenset[frozenset[EntryId]]
"""The two sides of a meeting, in any order; a bye has one side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedrawComparison:
    """A round drawn again. ``tables`` are those that the played round did not have; ``byes`` the entries that
    would sit out; both only as far as the other results are the cause."""

    round: int
    tables: tuple[tuple[tuple[EntryId, ...], tuple[EntryId, ...]], ...]
    byes: tuple[EntryId, ...]


def redraw(before: EventSnapshot, after: EventSnapshot, *, number: int, seed: int) -> RedrawComparison | None:
    """Draw a played round again ``after`` some results changed, and compare it with the draw of those
    ``before``. Late entries and changes by hand therefore do not appear as consequences. None if either
    cannot be drawn."""
    try:
        old_draw, new_draw = (_draw_round(snapshot, number, seed) for snapshot in (before, after))
    except Refusal:
        return None
    played = {
        _get_meeting_key(played_table.a, played_table.b)
        for played_table in before.tables
        if played_table.round == number
    }
    known_pairings = played | {_get_meeting_key(*sides) for sides in _iterate_sides(old_draw)}
    return RedrawComparison(
        round=number,
        tables=tuple(
            (tuple(table.a), tuple(table.b))
            for table in new_draw.tables
            if _get_meeting_key(table.a, table.b) not in known_pairings
        ),
        byes=tuple(bye.entry for bye in new_draw.byes if _get_meeting_key((bye.entry,), ()) not in known_pairings),
    )


def _draw_round(snapshot: EventSnapshot, number: int, seed: int) -> Draw:
    earlier = snapshot.truncate(number - 1)
    return draw_next_round(earlier, build_draw_input(earlier, seed=seed))


def _iterate_sides(draw: Draw) -> Iterable[tuple[Iterable[EntryId], Iterable[EntryId]]]:
    yield from ((table.a, table.b) for table in draw.tables)
    yield from (((bye.entry,), ()) for bye in draw.byes)


def _get_meeting_key(a: Iterable[EntryId], b: Iterable[EntryId]) -> Meeting:
    return frozenset(frozenset(side) for side in (a, b) if side)
