"""What has changed since something was made from results, and what it would be now. Plain Python.

A draw, final standings, a prize and a season keep what they were made from. ``Changes`` is the answer for all
of them: None while one is still valid, else why it is not, and what it would be now.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from rules import Refusal

from .results import EventSnapshot, draw_by, draw_input_of, snapshot_from_json, snapshot_to_json
from .standings import PlainCount, PlainRow

Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers at a table, side A first; without a second side, a bye."""

Plain = Mapping[str, Any]

SETTINGS = ("stages", "ranking", "is_seeded", "games_to_win", "sections")
ENTRANT_DETAILS = ("section", "table", "side", "team")
MOST_REDRAWN = 400
"""Entries of a round that is drawn again to show it, which takes some tenths of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankMove:
    """An entry, by number, whose rank would be another one; None: it is not ranked, or would not be."""

    entry: int
    before: int | None
    after: int | None


class ChangedTable(NamedTuple):
    """Where a result changed: ``table`` is 0 for a bye."""

    round: int
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Why something is no longer valid: results at ``tables``; the ``order`` of the standings; ``settings``
    of the event or of an entry; entries, by number, that are drawn and ``away``, or present and ``left_out``;
    ``nights`` of a season, by event id.

    What it would be now: ``pairings`` of a draw that it does not have, ``ranks`` of standings and prizes.
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
        """Whether the reasons of a draw may be false now."""
        return bool(self.tables) or self.order or self.settings


def changes_of_draw(then: Plain, now: EventSnapshot, *, seed: int) -> Changes | None:
    """Between what a round was drawn from (``snapshot_to_json``) and what it would be drawn from ``now``,
    with the round before it as the last. Who came or left since is not looked at.

    Another order alone changes nothing where it gives the same tables, as in a bracket.
    """
    source, both = _source_of(now, seed), set(then["order"])
    both &= set(source["order"])
    coming = len(source["earlier"]) + 1
    changes = Changes(
        tables=_changed_tables(then["earlier"], source["earlier"]),
        order=_among(then["order"], both) != _among(source["order"], both),
        settings=any(then[name] != source[name] for name in SETTINGS)
        or _draw_details(then, both, coming) != _draw_details(source, both, coming)
        or ("apart" in then and _kept_apart(then, both, coming) != _kept_apart(source, both, coming)),
    )
    if changes == Changes(order=True):
        before, after = (_draw_from(each, now, seed) for each in (then, source))
        return None if before and set(before) == set(after) else changes
    return changes if changes.concerns_reasons else None


def redraw_pairings(now: EventSnapshot, seed: int, drawn: Collection[Sides]) -> tuple[Sides, ...]:
    """The tables and byes that the round would have now, but for those ``drawn``; none where nothing can be
    drawn, or where that takes long."""
    known = {frozenset(map(frozenset, sides)) for sides in drawn}
    return tuple(
        sides
        for sides in _draw_from(_source_of(now, seed), now, seed)
        if frozenset(map(frozenset, sides)) not in known
    )


def _source_of(now: EventSnapshot, seed: int) -> dict[str, Any]:
    try:
        order = [each.id for each in draw_input_of(now, seed=seed).entrants]
    except Refusal:  # nobody is left to be drawn
        order = [each.id for each in now.entrants]
    source: dict[str, Any] = json.loads(json.dumps(snapshot_to_json(now, order)))
    return source


def _among(numbers: Iterable[int], those: Collection[int]) -> list[int]:
    return [each for each in numbers if each in those]


def _draw_from(source: Plain, now: EventSnapshot, seed: int) -> tuple[Sides, ...]:
    """The tables and byes by number; none where nothing can be drawn, or where that takes long."""
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
    """A desk asks for the same round every few seconds."""
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
    """Between two standings, by their rows and by the matches that these are made of. The tables are not in
    them."""
    then, now = list(then), list(now)
    if then == now and _matches_in(counted_then) == _matches_in(counted_now):
        return None
    before, after = ({row["entry"]: row["rank"] for row in rows} for rows in (then, now))
    return Changes(order=list(before) != list(after), ranks=moves_between(before, after))


def moves_between(before: Mapping[int, int], after: Mapping[int, int]) -> tuple[RankMove, ...]:
    """Whose rank differs, by number, in the order of the new ranks."""
    return tuple(
        RankMove(entry=entry, before=before.get(entry), after=after.get(entry))
        for entry in dict.fromkeys((*after, *before))
        if before.get(entry) != after.get(entry)
    )


def changed_nights(
    then: Iterable[Mapping[str, list[list[int]]]], now: Iterable[Mapping[str, list[list[int]]]]
) -> tuple[int, ...]:
    """The nights, by event id, that bring a line another score (``scores_to_json``). Lines that came or went
    follow membership, and not results."""
    changed = set()
    for before, after in zip(then, now, strict=True):
        for line in before.keys() & after.keys():
            changed |= {event for event, *_ in set(map(tuple, before[line])) ^ set(map(tuple, after[line]))}
    return tuple(sorted(changed))


def _matches_in(counted: Mapping[str, PlainCount]) -> dict[str, list[list[Any]]]:
    """What no version of the program counts otherwise: the matches, and not the words for missed rounds."""
    names = ("round", "outcome", "opponents", "partners", "games", "points")
    matches = {
        entry: [[each.get(name) for name in names] for each in count["rounds"] if each.get("opponents")]
        for entry, count in counted.items()
    }
    return {entry: those for entry, those in matches.items() if those}


def _changed_tables(then: list[Any], now: list[Any]) -> tuple[ChangedTable, ...]:
    """The tables that differ between two lists of rounds."""
    before, after = (
        {(number, json.dumps(sat)) for number, those in enumerate(rounds, start=1) for sat in those}
        for rounds in (then, now)
    )
    return tuple(sorted({ChangedTable(number, json.loads(sat)[0]) for number, sat in before ^ after}))


def _draw_details(plain: Plain, numbers: Collection[int], coming: int) -> dict[int, list[Any]]:
    """By number, the details that these entrants are drawn by in the ``coming`` round: also the bye that they
    ask for, and the rounds that they have missed."""
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
    """Which of these entrants share something in the ``coming`` round."""
    groups = (
        [kind, [each for each in those if each in numbers], rounds]
        for kind, those, rounds in plain.get("apart", ())
        if rounds is None or rounds >= coming
    )
    return sorted((group for group in groups if len(group[1]) > 1), key=str)
