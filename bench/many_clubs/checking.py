"""Whether rows that were copied say what the services would have written."""

from __future__ import annotations

from random import Random

from django.db import transaction

from scoring.models import Match
from scoring.services import rebuild
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.standings.services import standings_of_moment


def differing_nights(count: int, *, seed: int) -> list[int]:
    """Of so many nights that are over, those whose standings, or a match of them, are others once they are
    worked out anew."""
    over = Event.objects.filter(state=EventState.ENDED, standings__isnull=False)
    nights = list(over.order_by("pk").values_list("pk", flat=True))
    chosen = Random(seed).sample(nights, min(count, len(nights)))
    events = Event.objects.filter(pk__in=chosen).select_related("club", "terms", "standings")
    return [event.pk for event in events if _differs(event)]


@transaction.atomic
def _differs(event: Event) -> bool:
    matches = Match.objects.filter(table__round__event=event).values_list("pk", flat=True)
    wrong = [name for match in matches for name in rebuild(match_id=match)]
    return bool(wrong) or standings_of_moment(event)["rows"] != event.standings.rows
