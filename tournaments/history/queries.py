"""What was done to an event."""

from typing import Any

from django.db.models import Q, QuerySet

from tournaments.models import Action, Event
from versioning import has_value

RENAMED = "rename_event"
_NOTHING: dict[str, Any] = {"rows": [], "lineups": {}, "rulings": []}
WROTE_NOTHING = Q(changes={}) | has_value(Action, "changes", _NOTHING)
"""As ``services.changes`` keeps it, before there were versions and since. The whole value is compared, its
names in that order: SQLite compares the text, which may be long, and need not read it as JSON."""


def renamings_of(event: Event) -> int:
    """How often its name or day was changed, or changed back. One query."""
    return event.actions.filter(Q(kind=RENAMED) | Q(undoes__kind=RENAMED)).count()


def actions_of(event: Event) -> QuerySet[Action]:
    """The lines of its history, newest first, each with who did it, what undid it, and whether it wrote
    anything (``has_changes``): what that was is large, and no page shows it. One query."""
    return (
        event.actions.select_related("account", "undone_by")
        .defer("changes", "undone_by__changes")
        .annotate(has_changes=~WROTE_NOTHING)
        .order_by("-pk")
    )
