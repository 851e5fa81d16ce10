"""The draw of a round after other results in the rounds before it."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.draws import Draw, EntryId
from errors import Refusal

from .round_draw import draw_by, draw_input_of
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
        then, now = (_drawn_of(known, number, seed) for known in (before, after))
    except Refusal:
        return None
    played = {_meeting(sat.a, sat.b) for sat in before.sat if sat.round == number}
    known_ones = played | {_meeting(*sides) for sides in _sides(then)}
    return RedrawComparison(
        round=number,
        tables=tuple(
            (tuple(table.a), tuple(table.b))
            for table in now.tables
            if _meeting(table.a, table.b) not in known_ones
        ),
        byes=tuple(bye.entry for bye in now.byes if _meeting((bye.entry,), ()) not in known_ones),
    )


def _drawn_of(known: EventSnapshot, number: int, seed: int) -> Draw:
    earlier = known.until(number - 1)
    return draw_by(earlier, draw_input_of(earlier, seed=seed))


def _sides(draw: Draw) -> Iterable[tuple[Iterable[EntryId], Iterable[EntryId]]]:
    yield from ((table.a, table.b) for table in draw.tables)
    yield from (((bye.entry,), ()) for bye in draw.byes)


def _meeting(a: Iterable[EntryId], b: Iterable[EntryId]) -> Meeting:
    return frozenset(frozenset(side) for side in (a, b) if side)
