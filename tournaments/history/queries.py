"""What was done to an event."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.models import HIDDEN, Action, Entry, Event
from versioning import has_value

_NOTHING: dict[str, Any] = {"rows": [], "lineups": {}, "rulings": []}
ORDERS = "order_entries"
"""The kind of change that puts the starting list in another order."""

WROTE_NOTHING = Q(changes={}) | has_value(Action, "changes", _NOTHING)
"""As ``services.changes`` keeps it, before there were versions and since. The whole value is compared, its
names in that order: SQLite compares the text, which may be long, and need not read it as JSON."""


def actions_seen(event: Event) -> QuerySet[Action]:
    """What was done to it that everybody may notice, newest first: no draft, and no result that is kept
    back."""
    return event.actions.filter(**{f"details__{HIDDEN}__isnull": True})


def actions_of(event: Event) -> QuerySet[Action]:
    """The lines of its history, newest first, each with who did it, what undid it, and whether it wrote
    anything (``has_changes``): what that was is large, and no page shows it. One query."""
    return (
        event.actions.select_related("account", "undone_by")
        .defer("changes", "undone_by__changes")
        .annotate(has_changes=~WROTE_NOTHING)
        .order_by("-pk")
    )


Moves = tuple[tuple[int, Mapping[int, int]], ...]
"""The lines that put a starting list in another order, the last one first: the key of each, and the numbers
that the entries had before it, by key."""


class NumbersThen:
    """Who of these entries had which starting number when. A line of the history names entries by the numbers
    of its moment, and until the start the list can be put in another order."""

    def __init__(self, entries: Iterable[Entry], moves: Moves) -> None:
        self.now = {entry.pk: entry.number for entry in entries}
        self._moves = moves
        self._before: dict[int, Mapping[int, int]] = {}

    def at(self, line: int) -> Mapping[int, int]:
        """The keys of the entries by the numbers that they had at the line of this key."""
        return self.before(self.moves_since(line))

    def moves_since(self, line: int) -> int:
        """How often the list was put in another order after that line."""
        return sum(moved_at > line for moved_at, _ in self._moves)

    def before(self, moves: int) -> Mapping[int, int]:
        """The same, before the last so many times. Who was put on the list later has no number of another."""
        if moves not in self._before:
            then: dict[int, int] = {}
            for _, numbers in self._moves[:moves]:
                then |= numbers
            stayed = {number: key for key, number in self.now.items() if key not in then}
            moved = {number: key for key, number in then.items() if key in self.now}
            self._before[moves] = stayed | moved
        return self._before[moves]


def numbers_then(event: Event, entries: Iterable[Entry], *, since: int = 0) -> NumbersThen:
    """For lines from that of the key ``since`` on: of the others nothing is fetched. One query."""
    return NumbersThen(entries, moves_in([event.pk], since=since).get(event.pk, ()))


def moves_in(events: Iterable[int], *, since: int = 0) -> dict[int, Moves]:
    """Of the events of these keys, those whose lists were put in another order after this line. One query."""
    found: defaultdict[int, list[tuple[int, Mapping[int, int]]]] = defaultdict(list)
    lines = Action.objects.filter(Q(kind=ORDERS) | Q(details__of=ORDERS), event__in=list(events))
    lines = lines.filter(pk__gt=since)
    for event, pk, changes in lines.order_by("-pk").values_list("event", "pk", "changes"):
        rows = changes.get("rows", [])
        found[event].append((pk, {key: before["number"] for kind, key, before, _ in rows if kind == "entry"}))
    return {event: tuple(moves) for event, moves in found.items()}
