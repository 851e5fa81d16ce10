"""The standings, computed from the counted results and kept for whoever reads them."""

from django.db import transaction
from django.utils import timezone

from live.revisions import raise_revision
from tournaments import selectors
from tournaments.draws import EntryId
from tournaments.models import Standings
from tournaments.standings import plain_row

from .locking import locked_event


@transaction.atomic
def refresh_standings(*, event_id: int) -> Standings:
    """Recomputes an event's standings from its matches. Safe to repeat."""
    event = locked_event(event_id)
    numbers = {
        EntryId(pk): number
        for pk, number in event.entries.filter(is_waiting=False).values_list("pk", "number")
    }
    rows = selectors.ranked(event, numbers)
    standings, _ = Standings.objects.update_or_create(
        event=event,
        defaults={"rows": [plain_row(row, numbers) for row in rows], "computed_at": timezone.now()},
    )
    raise_revision(event.topic)
    return standings
