"""Digests of everything public about an event or a calendar, and the differences between two of them.

All of it is read as the public pages read it. Hidden data has no digest, so a message reveals neither its
content nor that it exists.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from api.reading import public_entry_lines
from api.shapes.clubs import NightOut
from api.shapes.events import EntryOut, EventNews
from clubs.calendar import recurring_nights_of
from clubs.models import Club, NewsKind
from engine.visibility import Ranks, Results
from tournaments.models import Event, Seating, Table
from tournaments.rounds.queries.rounds import are_entries_public, rounds_of

Part = dict[str, str]
Facts = dict[str, Part]
"""Digests by part and subject. Parts that are not public are absent."""

EVENT, ENTRIES, ROUNDS, RESULTS, STANDINGS, NIGHTS = (
    *("event", "entries", "rounds", "results", "standings", "nights"),
)
WHOLE = "it"
"""Subject of a part that has only one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    kind: NewsKind
    subject: str


def webhook_facts(event: Event) -> Facts:
    """Return the digests of an event. Five queries at most; none if the event is hidden."""
    if not event.public_page or event.is_arriving:
        return {}
    seen = event.visible
    facts: Facts = {EVENT: {WHOLE: _digest(EventNews(event).data)}}
    if are_entries_public(event):
        lines = EntryOut(public_entry_lines(event), many=True).data
        facts[ENTRIES] = {str(line["id"]): _digest(line) for line in lines}
    if seen.draw:
        numbers = [drawn.number for drawn in rounds_of(event)]
        facts[ROUNDS] = _rounds(event, numbers)
        facts |= _results(event, [one for one in numbers if seen.results_in(one) is not Results.NOTHING])
    if seen.standings is Ranks.FINAL:
        facts[STANDINGS] = {WHOLE: str(event.final)}
    return facts


def facts_of_calendar(club: Club) -> Facts:
    """Return the digests of a calendar. Two queries."""
    nights = recurring_nights_of(club)
    return {NIGHTS: {str(night.pk): _digest(NightOut(night).data) for night in nights}}


def news_between(before: Mapping[str, Part], now: Facts) -> Iterator[News]:
    """Yield the news between two states, in the order of the messages."""
    for part, subjects in now.items():
        known = before.get(part, {})
        name, _, number = part.partition(":")
        changed = [one for one, digest in subjects.items() if digest != known.get(one, "")]
        if name in (ENTRIES, NIGHTS):
            changed += [one for one in known if one not in subjects]
        for one in changed:
            yield News(kind=_kind(name, known), subject=f"{number}/{one}" if number else one)


def _kind(part: str, known: Part) -> NewsKind:
    if part == STANDINGS:
        return NewsKind.STANDINGS_CORRECTED if known else NewsKind.STANDINGS_FINAL
    return {
        EVENT: NewsKind.NIGHT_CHANGED,
        NIGHTS: NewsKind.NIGHT_CHANGED,
        ENTRIES: NewsKind.ENTRY_CHANGED,
        ROUNDS: NewsKind.ROUND_PUBLISHED,
        RESULTS: NewsKind.TABLE_RESULT,
    }[part]


def _rounds(event: Event, numbers: list[int]) -> Part:
    """Return a digest of the seats of each round."""
    seats: dict[int, list[Any]] = defaultdict(list)
    seated = Seating.objects.filter(round__event=event, round__number__in=numbers)
    for number, *seat in seated.order_by("table__number", "side", "place", "entry").values_list(
        "round__number", "table__number", "side", "place", "entry"
    ):
        seats[number].append(seat)
    return {str(number): _digest(seats[number]) for number in numbers}


def _results(event: Event, numbers: list[int]) -> Facts:
    """Return a digest of the result of each table; "" while it has none."""
    facts: Facts = {f"{RESULTS}:{number}": {} for number in numbers}
    tables = Table.objects.filter(round__event=event, round__number__in=numbers)
    for number, table, ruling, is_over, summary in tables.order_by("round__number", "number").values_list(
        "round__number", "number", "ruling", "match__is_over", "match__summary"
    ):
        result = ruling if ruling is not None else summary if is_over else None
        told = (
            None
            if result is None
            else [ruling, *(result.get(key) for key in ("points", "games_won", "winner"))]
        )
        facts[f"{RESULTS}:{number}"][str(table)] = "" if told is None else _digest(told)
    return facts


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]
