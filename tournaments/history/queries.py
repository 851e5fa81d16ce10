"""Queries about an event's history."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.models import HIDDEN, Action, Entry, Event
from versioning import has_value

_NOTHING: dict[str, Any] = {"rows": [], "lineups": {}, "rulings": []}
PAYMENTS = frozenset({"pay_fee", "pay_family", "record_fee"})
"""Kinds of changes for payments that a helper notes at the door, and can undo there."""
ORDERS = "order_entries"
"""Kind of the change that reorders the starting list."""

WROTE_NOTHING = Q(changes={}) | has_value(Action, "changes", _NOTHING)
"""Matches a change that wrote nothing, in the form that ``services.changes`` stored before there were
versions and since. The whole value is compared, with its names in that order: SQLite compares the text, which
may be long, and need not read it as JSON."""


def actions_seen(event: Event) -> QuerySet[Action]:
    """Select the changes that everybody may notice, newest first: no drafts, and no results that are
    hidden."""
    return event.actions.filter(**{f"details__{HIDDEN}__isnull": True})


def actions_of(event: Event) -> QuerySet[Action]:
    """Select the lines of the history, newest first. Each has its author, its undo, and whether it wrote
    anything (``has_changes``): the content itself is large, and no page shows it. One query."""
    return (
        event.actions.select_related("account", "undone_by")
        .defer("changes", "undone_by__changes")
        .annotate(has_changes=~WROTE_NOTHING)
        .order_by("-pk")
    )


Moves = tuple[tuple[int, Mapping[int, int]], ...]
"""Changes that reordered a starting list, newest first: the key of each, and the entries' numbers before it.
The numbers are by the keys of the entries."""


class NumbersThen:
    """Starting numbers of entries at any time in the past. A line of the history names entries by the numbers
    of its moment, and until the start the list can be reordered."""

    def __init__(self, entries: Iterable[Entry], moves: Moves) -> None:
        self.now = {entry.pk: entry.number for entry in entries}
        self._moves = moves
        self._before: dict[int, Mapping[int, int]] = {}

    def at(self, line: int) -> Mapping[int, int]:
        """Return the keys of the entries by their numbers at this line."""
        return self.before(self.moves_since(line))

    def moves_since(self, line: int) -> int:
        """Return how often the list was reordered after that line."""
        return sum(moved_at > line for moved_at, _ in self._moves)

    def before(self, moves: int) -> Mapping[int, int]:
        """Return the keys of the entries by their numbers before the last ``moves`` reorderings. An entry
        added later never takes the number of another."""
        if moves not in self._before:
            then: dict[int, int] = {}
            for _, numbers in self._moves[:moves]:
                then |= numbers
            stayed = {number: key for key, number in self.now.items() if key not in then}
            moved = {number: key for key, number in then.items() if key in self.now}
            self._before[moves] = stayed | moved
        return self._before[moves]


def numbers_then(event: Event, entries: Iterable[Entry], *, since: int = 0) -> NumbersThen:
    """Load what lines from the key ``since`` on need; nothing is fetched for earlier ones. One query."""
    return NumbersThen(entries, moves_in([event.pk], since=since).get(event.pk, ()))


def moves_in(events: Iterable[int], *, since: int = 0) -> dict[int, Moves]:
    """Return the reorderings after this line, by the keys of these events. One query."""
    found: defaultdict[int, list[tuple[int, Mapping[int, int]]]] = defaultdict(list)
    lines = Action.objects.filter(Q(kind=ORDERS) | Q(details__of=ORDERS), event__in=list(events))
    lines = lines.filter(pk__gt=since)
    for event, pk, changes in lines.order_by("-pk").values_list("event", "pk", "changes"):
        rows = changes.get("rows", [])
        found[event].append((pk, {key: before["number"] for kind, key, before, _ in rows if kind == "entry"}))
    return {event: tuple(moves) for event, moves in found.items()}
