"""Changes since something was made from results, and what it would be now. Plain Python.

A draw, final standings, a prize and a season keep the data that they were made from. ``Changes`` is the
answer for all of them: None while one is still valid, else why it is not, and what it would be now.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from errors import Refusal

from .draws import Draw
from .ranking import METRICS
from .results import EventSnapshot, build_draw_input, draw_next_round, snapshot_from_json, snapshot_to_json
from .standings import CountJson, StandingsRowJson

Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The entry numbers at a table, side A first; a bye has an empty second side."""

JsonObject = Mapping[str, Any]

SETTINGS = ("stages", "ranking", "is_seeded", "games_to_win", "phases", "sections")
ENTRANT_DETAILS = ("section", "table", "side", "team")
MAX_REDRAWN_ENTRIES = 400
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


def compare_draw(stored: JsonObject, now: EventSnapshot, *, seed: int) -> Changes | None:
    """Compare the data that a round was drawn from (``snapshot_to_json``) with ``now``, the round before it
    being the last. Entries that came or left since are ignored.

    A different order alone is no change if it gives the same tables, as in a bracket; nor are other results if
    they give the same tables for the same reasons, as in a schedule.
    """
    source, common_entries = _build_source(now, seed), set(stored["order"])
    common_entries &= set(source["order"])
    next_round = len(source["earlier"]) + 1
    changes = Changes(
        tables=_find_changed_tables(stored["earlier"], source["earlier"]),
        order=_filter_numbers(stored["order"], common_entries) != _filter_numbers(source["order"], common_entries),
        settings=any(stored.get(name) != source.get(name) for name in SETTINGS)
        or _get_draw_details(stored, common_entries, next_round)
        != _get_draw_details(source, common_entries, next_round)
        or (
            "apart" in stored
            and _get_separated_groups(stored, common_entries, next_round)
            != _get_separated_groups(source, common_entries, next_round)
        ),
    )
    if changes.settings or not changes.concerns_reasons:
        return changes if changes.settings else None
    stored_draw, current_draw = (_draw_source(each, now, seed) for each in (stored, source))
    if stored_draw is None or current_draw is None:
        return changes
    if changes.tables:
        return None if stored_draw == current_draw else changes
    return None if set(_list_pairings(stored_draw)) == set(_list_pairings(current_draw)) else changes


def redraw_pairings(now: EventSnapshot, seed: int, drawn_pairings: Collection[Sides]) -> tuple[Sides, ...]:
    """Return the tables and byes of the round as it would be drawn now, without ``drawn_pairings``.

    Empty if nothing can be drawn, or if the field is too large to draw again.
    """
    known_pairings = {frozenset(map(frozenset, sides)) for sides in drawn_pairings}
    draw = _draw_source(_build_source(now, seed), now, seed)
    return tuple(
        sides
        for sides in (_list_pairings(draw) if draw is not None else ())
        if frozenset(map(frozenset, sides)) not in known_pairings
    )


def _build_source(now: EventSnapshot, seed: int) -> dict[str, Any]:
    try:
        order = [each.id for each in build_draw_input(now, seed=seed).entrants]
    except Refusal:  # no entrants are left
        order = [each.id for each in now.entrants]
    source: dict[str, Any] = json.loads(json.dumps(snapshot_to_json(now, order)))
    return source


def _filter_numbers(numbers: Iterable[int], allowed: Collection[int]) -> list[int]:
    return [each for each in numbers if each in allowed]


def _draw_source(source: JsonObject, now: EventSnapshot, seed: int) -> Draw | None:
    """Draw the round, with the numbers of the entries for ids; None if nothing can be drawn, or if the field is
    too large."""
    if len(now.entrants) > MAX_REDRAWN_ENTRIES:
        return None
    numbers = now.numbers
    orders = {
        number: [numbers[entry] for entry in entries if entry in numbers] for number, entries in now.orders.items()
    }
    return _draw_again(json.dumps([source, orders]), seed)


@lru_cache(maxsize=16)
def _draw_again(source: str, seed: int) -> Draw | None:
    """Draw the round again, with a cache: a desk asks for the same round every few seconds."""
    source_data, orders = json.loads(source)
    try:
        snapshot = snapshot_from_json(source_data, {int(number): entries for number, entries in orders.items()})
        draw = draw_next_round(snapshot, build_draw_input(snapshot, seed=seed, order=source_data["order"]))
    except Refusal:
        return None
    return draw if draw.tables or draw.byes else None


def _list_pairings(draw: Draw) -> tuple[Sides, ...]:
    """Return the tables and byes of a draw by number."""
    return (*((table.a, table.b) for table in draw.tables), *(((bye.entry,), ()) for bye in draw.byes))


def compare_standings(
    stored: Iterable[StandingsRowJson],
    current: Iterable[StandingsRowJson],
    stored_counts: Mapping[str, CountJson],
    current_counts: Mapping[str, CountJson],
) -> Changes | None:
    """Compare two standings by their rows and by the matches counted in them. Tables are not compared, nor metrics
    that older versions did not store."""
    stored, current = list(stored), list(current)
    if stored == _drop_new_metrics(current, stored) and _list_matches(stored_counts) == _list_matches(current_counts):
        return None
    stored_ranks, current_ranks = ({row["entry"]: row["rank"] for row in rows} for rows in (stored, current))
    return Changes(order=list(stored_ranks) != list(current_ranks), ranks=find_rank_moves(stored_ranks, current_ranks))


def _drop_new_metrics(rows: Sequence[StandingsRowJson], stored: Sequence[StandingsRowJson]) -> list[StandingsRowJson]:
    new = METRICS.keys() - {key for row in stored for key in row}
    return [{key: value for key, value in row.items() if key not in new} for row in rows]


def find_rank_moves(before: Mapping[int, int], after: Mapping[int, int]) -> tuple[RankMove, ...]:
    """Return the entries whose rank differs, by number, in the order of the new ranks."""
    return tuple(
        RankMove(entry=entry, before=before.get(entry), after=after.get(entry))
        for entry in dict.fromkeys((*after, *before))
        if before.get(entry) != after.get(entry)
    )


def find_changed_nights(
    stored: Iterable[Mapping[str, list[list[int]]]], current: Iterable[Mapping[str, list[list[int]]]]
) -> tuple[int, ...]:
    """Return the nights, by event id, whose score changed for some line (``scores_to_json``). Lines that were
    added or removed are ignored: they follow membership, not results."""
    changed_events = set()
    for stored_scores, current_scores in zip(stored, current, strict=True):
        for line in stored_scores.keys() & current_scores.keys():
            changed_events |= {
                event for event, *_ in set(map(tuple, stored_scores[line])) ^ set(map(tuple, current_scores[line]))
            }
    return tuple(sorted(changed_events))


def _list_matches(counts: Mapping[str, CountJson]) -> dict[str, list[list[Any]]]:
    """Return the counted matches, without missed rounds: every version of the program counts these alike."""
    names = ("round", "outcome", "opponents", "partners", "games", "points")
    matches = {
        entry: [[each.get(name) for name in names] for each in count["rounds"] if each.get("opponents")]
        for entry, count in counts.items()
    }
    return {entry: rounds for entry, rounds in matches.items() if rounds}


def _find_changed_tables(stored: list[Any], current: list[Any]) -> tuple[ChangedTable, ...]:
    """Return the tables that differ between two lists of rounds."""
    before, after = (
        {(number, json.dumps(table)) for number, tables in enumerate(rounds, start=1) for table in tables}
        for rounds in (stored, current)
    )
    return tuple(sorted({ChangedTable(number, json.loads(table)[0]) for number, table in before ^ after}))


def _get_draw_details(source: JsonObject, numbers: Collection[int], next_round: int) -> dict[int, list[Any]]:
    """Return the details of these entrants, by number, that affect the draw of round ``next_round``.

    They include requested byes and missed rounds.
    """
    found = {
        each["number"]: [
            *(each.get(name) for name in ENTRANT_DETAILS),
            next_round in each.get("byes_asked", ()),
            sorted({*each.get("absent", ()), *each.get("withdrawn", ())} & set(range(next_round))),
        ]
        for each in source["entrants"]
        if each["number"] in numbers
    }
    return {number: details for number, details in found.items() if any(details)}


def _get_separated_groups(source: JsonObject, numbers: Collection[int], next_round: int) -> list[list[Any]]:
    """Return the groups of these entrants that are kept apart in round ``next_round``."""
    groups = (
        [kind, [each for each in members if each in numbers], rounds]
        for kind, members, rounds in source.get("apart", ())
        if rounds is None or rounds >= next_round
    )
    return sorted((group for group in groups if len(group[1]) > 1), key=str)
