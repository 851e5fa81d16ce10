"""Check copied rows against what the services would write."""

from __future__ import annotations

from random import Random

from django.db import transaction

from scoring.models import Match
from scoring.services.cache_check import rebuild_match
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.standings.services import compute_standings_values


def find_differing_nights(count: int, *, seed: int) -> list[int]:
    """Return ended nights, of ``count`` random ones, whose standings or matches differ when computed again."""
    ended_events = Event.objects.filter(state=EventState.ENDED, standings__isnull=False)
    nights = list(ended_events.order_by("pk").values_list("pk", flat=True))
    chosen = Random(seed).sample(nights, min(count, len(nights)))
    events = Event.objects.filter(pk__in=chosen).select_related("club", "terms", "standings")
    return [event.pk for event in events if _is_different(event)]


@transaction.atomic
def _is_different(event: Event) -> bool:
    matches = Match.objects.filter(table__round__event=event).values_list("pk", flat=True)
    wrong = [name for match in matches for name in rebuild_match(match_id=match)]
    return bool(wrong) or compute_standings_values(event)["rows"] != event.standings.rows
