"""Who would have met in a round, had the results before it been others."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.draws import Draw, EntryId
from rules import Refusal

from .drawing import draw_by, draw_input_of
from .values import EventSnapshot

Meeting = frozenset[frozenset[EntryId]]
"""Two sides, whichever sits first; one side alone sits out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedrawComparison:
    """A round drawn again. ``tables`` are both sides of those that are at no table of the round as it was
    played; ``byes`` who would sit out; both only where the other results are why."""

    round: int
    tables: tuple[tuple[tuple[EntryId, ...], tuple[EntryId, ...]], ...]
    byes: tuple[EntryId, ...]


def redraw(before: EventSnapshot, after: EventSnapshot, *, number: int, seed: int) -> RedrawComparison | None:
    """What the lot of a played round would draw ``after`` some results became others, beside what it draws
    of those ``before``: so who came late and what was changed by hand is told as no consequence of them. None
    where no round can be drawn of either."""
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
