"""What was done to an event."""

from django.db.models import QuerySet

from tournaments.models import Action, Event


def actions_of(event: Event) -> QuerySet[Action]:
    """The lines of its history, newest first, each with who did it and what undid it. One query."""
    return event.actions.select_related("account", "undone_by").order_by("-pk")
