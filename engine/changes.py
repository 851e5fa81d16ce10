"""Changes since something was made from results, and what it would be now. Plain Python.

A draw, final standings, a prize and a season keep the data that they were made from. ``Changes`` is the
answer for all of them: None while one is still valid, else why it is not, and what it would be now.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from errors import Refusal

from .results import EventSnapshot, draw_by, draw_input_of, snapshot_from_json, snapshot_to_json
from .standings import PlainCount, PlainRow

Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The entry numbers at a table, side A first; a bye has an empty second side."""

Plain = Mapping[str, Any]

SETTINGS = ("stages", "ranking", "is_seeded", "games_to_win", "phases", "sections")
ENTRANT_DETAILS = ("section", "table", "side", "team")
MOST_REDRAWN = 400
"""The most entries of a round that is drawn again for display, which takes some tenths of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankMove:
    """A change of rank of an entry, by number; None where the entry is not ranked."""

    entry: int
    before: int | None
    after: int | None


class ChangedTable(NamedTuple):
    """A table whose result changed: ``table`` is 0 for a bye."""

    round: int
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Reasons why something is no longer valid, and what it would be now.

    The reasons are results at ``tables``; the ``order`` of the standings; ``settings`` of the event or of an
    entry; entries, by number, that are drawn and ``away``, or present and ``left_out``; ``nights`` of a
    season, by event id.

    What it would be now: ``pairings`` that the draw does not have, and changed ``ranks`` of standings and
    prizes.
    """

    tables: tuple[ChangedTable, ...] = ()
    order: bool = False
    settings: bool = False
    away: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    nights: tuple[int, ...] = ()
    pairings: tuple[Sides, ...] = ()
    ranks: tuple[RankMove, ...] = ()

    @property
    def concerns_reasons(self) -> bool:
        """Whether the reasons that the draw gives may be false now."""
        return bool(self.tables) or self.order or self.settings


def changes_of_draw(then: Plain, now: EventSnapshot, *, seed: int) -> Changes | None:
    """Compare the data that a round was drawn from (``snapshot_to_json``) with ``now``, the round before it
    being the last. Entries that came or left since are ignored.

    A different order alone is no change if it gives the same tables, as in a bracket.
    """
    source, both = _source_of(now, seed), set(then["order"])
    both &= set(source["order"])
    coming = len(source["earlier"]) + 1
    changes = Changes(
        tables=_changed_tables(then["earlier"], source["earlier"]),
        order=_among(then["order"], both) != _among(source["order"], both),
        settings=any(then.get(name) != source.get(name) for name in SETTINGS)
        or _draw_details(then, both, coming) != _draw_details(source, both, coming)
        or ("apart" in then and _kept_apart(then, both, coming) != _kept_apart(source, both, coming)),
    )
    if changes == Changes(order=True):
        before, after = (_draw_from(each, now, seed) for each in (then, source))
        return None if before and set(before) == set(after) else changes
    return changes if changes.concerns_reasons else None


def redraw_pairings(now: EventSnapshot, seed: int, drawn: Collection[Sides]) -> tuple[Sides, ...]:
    """Return the tables and byes that the round would have now, except those ``drawn``; empty if nothing can
    be drawn, or if the field is too large to draw again."""
    known = {frozenset(map(frozenset, sides)) for sides in drawn}
    return tuple(
        sides
        for sides in _draw_from(_source_of(now, seed), now, seed)
        if frozenset(map(frozenset, sides)) not in known
    )


def _source_of(now: EventSnapshot, seed: int) -> dict[str, Any]:
    try:
        order = [each.id for each in draw_input_of(now, seed=seed).entrants]
    except Refusal:  # no entrants are left
        order = [each.id for each in now.entrants]
    source: dict[str, Any] = json.loads(json.dumps(snapshot_to_json(now, order)))
    return source


def _among(numbers: Iterable[int], those: Collection[int]) -> list[int]:
    return [each for each in numbers if each in those]


def _draw_from(source: Plain, now: EventSnapshot, seed: int) -> tuple[Sides, ...]:
    """Draw the round and return its tables and byes by number; empty if nothing can be drawn, or if the field
    is too large."""
    if len(now.entrants) > MOST_REDRAWN:
        return ()
    numbers = now.numbers
    orders = {
        number: [numbers[entry] for entry in those if entry in numbers]
        for number, those in now.orders.items()
    }
    return _draw_again(json.dumps([source, orders]), seed)


@lru_cache(maxsize=16)
def _draw_again(source: str, seed: int) -> tuple[Sides, ...]:
    """Draw the round again, with a cache: a desk asks for the same round every few seconds."""
    plain, orders = json.loads(source)
    try:
        known = snapshot_from_json(plain, {int(number): those for number, those in orders.items()})
        draw = draw_by(known, draw_input_of(known, seed=seed, order=plain["order"]))
    except Refusal:
        return ()
    return (*((table.a, table.b) for table in draw.tables), *(((bye.entry,), ()) for bye in draw.byes))


def changes_of_standings(
    then: Iterable[PlainRow],
    now: Iterable[PlainRow],
    counted_then: Mapping[str, PlainCount],
    counted_now: Mapping[str, PlainCount],
) -> Changes | None:
    """Compare two standings by their rows and by the matches counted in them. Tables are not compared."""
    then, now = list(then), list(now)
    if then == now and _matches_in(counted_then) == _matches_in(counted_now):
        return None
    before, after = ({row["entry"]: row["rank"] for row in rows} for rows in (then, now))
    return Changes(order=list(before) != list(after), ranks=moves_between(before, after))


def moves_between(before: Mapping[int, int], after: Mapping[int, int]) -> tuple[RankMove, ...]:
    """Return the entries whose rank differs, by number, in the order of the new ranks."""
    return tuple(
        RankMove(entry=entry, before=before.get(entry), after=after.get(entry))
        for entry in dict.fromkeys((*after, *before))
        if before.get(entry) != after.get(entry)
    )


def changed_nights(
    then: Iterable[Mapping[str, list[list[int]]]], now: Iterable[Mapping[str, list[list[int]]]]
) -> tuple[int, ...]:
    """Return the nights, by event id, whose score changed for some line (``scores_to_json``). Lines that were
    added or removed are ignored: they follow membership, not results."""
    changed = set()
    for before, after in zip(then, now, strict=True):
        for line in before.keys() & after.keys():
            changed |= {event for event, *_ in set(map(tuple, before[line])) ^ set(map(tuple, after[line]))}
    return tuple(sorted(changed))


def _matches_in(counted: Mapping[str, PlainCount]) -> dict[str, list[list[Any]]]:
    """Return the counted matches, without missed rounds: every version of the program counts these alike."""
    names = ("round", "outcome", "opponents", "partners", "games", "points")
    matches = {
        entry: [[each.get(name) for name in names] for each in count["rounds"] if each.get("opponents")]
        for entry, count in counted.items()
    }
    return {entry: those for entry, those in matches.items() if those}


def _changed_tables(then: list[Any], now: list[Any]) -> tuple[ChangedTable, ...]:
    """Return the tables that differ between two lists of rounds."""
    before, after = (
        {(number, json.dumps(sat)) for number, those in enumerate(rounds, start=1) for sat in those}
        for rounds in (then, now)
    )
    return tuple(sorted({ChangedTable(number, json.loads(sat)[0]) for number, sat in before ^ after}))


def _draw_details(plain: Plain, numbers: Collection[int], coming: int) -> dict[int, list[Any]]:
    """Return by number the details that the ``coming`` round is drawn by, including requested byes and missed
    rounds."""
    found = {
        each["number"]: [
            *(each.get(name) for name in ENTRANT_DETAILS),
            coming in each.get("byes_asked", ()),
            sorted({*each.get("absent", ()), *each.get("withdrawn", ())} & set(range(coming))),
        ]
        for each in plain["entrants"]
        if each["number"] in numbers
    }
    return {number: details for number, details in found.items() if any(details)}


def _kept_apart(plain: Plain, numbers: Collection[int], coming: int) -> list[list[Any]]:
    """Return the groups of these entrants that are kept apart in the ``coming`` round."""
    groups = (
        [kind, [each for each in those if each in numbers], rounds]
        for kind, those, rounds in plain.get("apart", ())
        if rounds is None or rounds >= coming
    )
    return sorted((group for group in groups if len(group[1]) > 1), key=str)
