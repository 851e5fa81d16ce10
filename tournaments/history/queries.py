"""What was done to an event."""

from typing import Any

from django.db.models import Q, QuerySet

from tournaments.models import HIDDEN, Action, Event
from versioning import has_value

TOLD_TO_AGENDAS = ("rename_event", "announce_event")
_NOTHING: dict[str, Any] = {"rows": [], "lineups": {}, "rulings": []}
WROTE_NOTHING = Q(changes={}) | has_value(Action, "changes", _NOTHING)
"""As ``services.changes`` keeps it, before there were versions and since. The whole value is compared, its
names in that order: SQLite compares the text, which may be long, and need not read it as JSON."""


def agenda_changes_of(event: Event) -> int:
    """How often its name, day, hour or place was changed, or changed back. One query."""
    told = Q(kind__in=TOLD_TO_AGENDAS) | Q(undoes__kind__in=TOLD_TO_AGENDAS)
    return event.actions.filter(told).count()


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
