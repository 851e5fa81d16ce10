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

from api.read_operations import serialize_public_entries
from api.shapes.clubs import NightOut
from api.shapes.events import EntryOut, EventNews
from clubs.calendar import list_recurring_nights
from clubs.models import Club, NewsKind
from engine.visibility import Ranks, Results
from tournaments.models import Event, Seating, Table
from tournaments.rounds.queries.rounds import are_entries_public, get_published_rounds

Part = dict[str, str]
Facts = dict[str, Part]
"""Digests by part and subject. Parts that are not public are absent."""

EVENT, ENTRIES, ROUNDS, RESULTS, STANDINGS, NIGHTS = (
    *("event", "entries", "rounds", "results", "standings", "nights"),
)
SINGLE_SUBJECT = "it"
"""Subject of a part that has only one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    kind: NewsKind
    subject: str


def build_event_facts(event: Event) -> Facts:
    """Return the digests of an event. Five queries at most; none if the event is hidden."""
    if not event.public_page or event.is_arriving:
        return {}
    visible = event.visible
    facts: Facts = {EVENT: {SINGLE_SUBJECT: _compute_digest(EventNews(event).data)}}
    if are_entries_public(event):
        lines = EntryOut(serialize_public_entries(event), many=True).data
        facts[ENTRIES] = {str(line["id"]): _compute_digest(line) for line in lines}
    if visible.draw:
        numbers = [drawn.number for drawn in get_published_rounds(event)]
        facts[ROUNDS] = _digest_rounds(event, numbers)
        facts |= _digest_results(event, [one for one in numbers if visible.get_results(one) is not Results.NOTHING])
    if visible.standings is Ranks.FINAL:
        facts[STANDINGS] = {SINGLE_SUBJECT: str(event.final)}
    return facts


def build_calendar_facts(club: Club) -> Facts:
    """Return the digests of a calendar. Two queries."""
    nights = list_recurring_nights(club)
    return {NIGHTS: {str(night.pk): _compute_digest(NightOut(night).data) for night in nights}}


def iter_news(old_facts: Mapping[str, Part], new_facts: Facts) -> Iterator[News]:
    """Yield the news between two states, in the order of the messages."""
    for part, subjects in new_facts.items():
        old_digests = old_facts.get(part, {})
        name, _, number = part.partition(":")
        changed_subjects = [subject for subject, digest in subjects.items() if digest != old_digests.get(subject, "")]
        if name in (ENTRIES, NIGHTS):
            changed_subjects += [subject for subject in old_digests if subject not in subjects]
        for subject in changed_subjects:
            yield News(kind=_get_kind(name, old_digests), subject=f"{number}/{subject}" if number else subject)


def _get_kind(part: str, old_digests: Part) -> NewsKind:
    if part == STANDINGS:
        return NewsKind.STANDINGS_CORRECTED if old_digests else NewsKind.STANDINGS_FINAL
    return {
        EVENT: NewsKind.NIGHT_CHANGED,
        NIGHTS: NewsKind.NIGHT_CHANGED,
        ENTRIES: NewsKind.ENTRY_CHANGED,
        ROUNDS: NewsKind.ROUND_PUBLISHED,
        RESULTS: NewsKind.TABLE_RESULT,
    }[part]


def _digest_rounds(event: Event, numbers: list[int]) -> Part:
    """Return a digest of the seats of each round."""
    seats: dict[int, list[Any]] = defaultdict(list)
    seatings = Seating.objects.filter(round__event=event, round__number__in=numbers)
    for number, *seat in seatings.order_by("table__number", "side", "place", "entry").values_list(
        "round__number", "table__number", "side", "place", "entry"
    ):
        seats[number].append(seat)
    return {str(number): _compute_digest(seats[number]) for number in numbers}


def _digest_results(event: Event, numbers: list[int]) -> Facts:
    """Return a digest of the result of each table; "" while it has none."""
    facts: Facts = {f"{RESULTS}:{number}": {} for number in numbers}
    tables = Table.objects.filter(round__event=event, round__number__in=numbers)
    for number, table, ruling, is_over, summary in tables.order_by("round__number", "number").values_list(
        "round__number", "number", "ruling", "match__is_over", "match__summary"
    ):
        result = ruling if ruling is not None else summary if is_over else None
        values = None if result is None else [ruling, *(result.get(key) for key in ("points", "games_won", "winner"))]
        facts[f"{RESULTS}:{number}"][str(table)] = "" if values is None else _compute_digest(values)
    return facts


def _compute_digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]
