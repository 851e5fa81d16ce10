"""Queries about an event's history."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.models import HIDDEN, Action, Entry, Event
from versioning import build_value_filter

_EMPTY_CHANGES: dict[str, Any] = {"rows": [], "lineups": {}, "rulings": []}
PAYMENT_KINDS = frozenset({"pay_fee", "pay_family", "record_fee"})
"""Kinds of changes for payments that a helper notes at the door, and can undo there."""
REORDER_KIND = "order_entries"
"""Kind of the change that reorders the starting list."""

IS_EMPTY_CHANGE = Q(changes={}) | build_value_filter(Action, "changes", _EMPTY_CHANGES)
"""Matches a change that wrote nothing, in the form that ``services.changes`` stored before there were
versions and since. The whole value is compared, with its names in that order: SQLite compares the text, which
may be long, and need not read it as JSON."""


def actions_seen(event: Event) -> QuerySet[Action]:
    """Select the changes that everybody may notice, newest first: no drafts, and no results that are
    hidden."""
    return event.actions.filter(**{f"details__{HIDDEN}__isnull": True})


def get_actions(event: Event) -> QuerySet[Action]:
    """Select the lines of the history, newest first. Each has its author, its undo, and whether it wrote
    anything (``has_changes``): the content itself is large, and no page shows it. One query."""
    return (
        event.actions.select_related("account", "undone_by")
        .defer("changes", "undone_by__changes")
        .annotate(has_changes=~IS_EMPTY_CHANGE)
        .order_by("-pk")
    )


Reorderings = tuple[tuple[int, Mapping[int, int]], ...]
"""Changes that reordered a starting list, newest first: the key of each, and the entries' numbers before it.
The numbers are by the keys of the entries."""


class NumberHistory:
    """Starting numbers of entries at any time in the past. A line of the history names entries by the numbers
    of its moment, and until the start the list can be reordered."""

    def __init__(self, entries: Iterable[Entry], moves: Reorderings) -> None:
        self.now = {entry.pk: entry.number for entry in entries}
        self._moves = moves
        self._before: dict[int, Mapping[int, int]] = {}

    def at(self, action_id: int) -> Mapping[int, int]:
        """Return the keys of the entries by their numbers at this line."""
        return self.before(self.count_reorderings_since(action_id))

    def count_reorderings_since(self, action_id: int) -> int:
        """Return how often the list was reordered after that line."""
        return sum(reordering_id > action_id for reordering_id, _ in self._moves)

    def before(self, reordering_count: int) -> Mapping[int, int]:
        """Return the keys of the entries by their numbers before the last ``reordering_count`` reorderings. An entry
        added later never takes the number of another."""
        if reordering_count not in self._before:
            earlier_numbers: dict[int, int] = {}
            for _, numbers in self._moves[:reordering_count]:
                earlier_numbers |= numbers
            unmoved = {number: key for key, number in self.now.items() if key not in earlier_numbers}
            renumbered = {number: key for key, number in earlier_numbers.items() if key in self.now}
            self._before[reordering_count] = unmoved | renumbered
        return self._before[reordering_count]


def read_number_history(event: Event, entries: Iterable[Entry], *, first_action_id: int = 0) -> NumberHistory:
    """Load what lines from the key ``first_action_id`` on need; nothing is fetched for earlier ones. One query."""
    return NumberHistory(entries, read_reorderings([event.pk], first_action_id=first_action_id).get(event.pk, ()))


def read_reorderings(events: Iterable[int], *, first_action_id: int = 0) -> dict[int, Reorderings]:
    """Return the reorderings after this line, by the keys of these events. One query."""
    moves_by_event: defaultdict[int, list[tuple[int, Mapping[int, int]]]] = defaultdict(list)
    lines = Action.objects.filter(Q(kind=REORDER_KIND) | Q(details__of=REORDER_KIND), event__in=list(events))
    lines = lines.filter(pk__gt=first_action_id)
    for event, pk, changes in lines.order_by("-pk").values_list("event", "pk", "changes"):
        rows = changes.get("rows", [])
        moves_by_event[event].append(
            (pk, {key: previous["number"] for kind, key, previous, _ in rows if kind == "entry"})
        )
    return {event: tuple(moves) for event, moves in moves_by_event.items()}
