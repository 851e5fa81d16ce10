"""Difference between the clocks of two linked installations. The laptop measures it; the round's clock is
corrected by it, so that it ends at the same moment at both."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from live.revisions import raise_revision
from tournaments.models import Event, Pairing, PublicSite, Round

MAX_ROUND_TRIP = timedelta(seconds=10)
"""An answer that took longer says nothing about the clock."""
CLOCK_JITTER = 2
"""Difference in seconds that is not a change."""


def measure_offset(remote_time: datetime, *, requested_at: datetime, answered_at: datetime) -> int | None:
    """Return how many seconds the remote clock is ahead, by its ``remote_time`` between a request and the answer;
    None if the answer took too long."""
    round_trip = answered_at - requested_at
    is_reliable = timedelta() <= round_trip <= MAX_ROUND_TRIP
    return round((remote_time - (requested_at + round_trip / 2)).total_seconds()) if is_reliable else None


@transaction.atomic
def record_offset(installation: Pairing | PublicSite, offset: int | None) -> None:
    """Note how many seconds the clock of the other installation is ahead. Rounds that it leads are corrected
    by the change. Safe to repeat. No query without a change."""
    previous = installation.clock_ahead
    if offset is None or (previous is not None and abs(offset - previous) <= CLOCK_JITTER):
        return
    updated_count = (
        type(installation).objects.filter(pk=installation.pk, clock_ahead=previous).update(clock_ahead=offset)
    )
    if updated_count:
        shift = offset - (previous or 0)
        pairing = installation if isinstance(installation, Pairing) else None
        remote_events = Event.objects.filter(
            club=installation.club_id,
            mirror__isnull=False,
            mirror__pairing=pairing,
            terms__mirrored_at__isnull=False,
        )
        rounds = Round.objects.filter(event__in=remote_events)
        rounds.update(clock_shift=F("clock_shift") - shift)
        for name in ("paused_at", "last_hand_at"):
            rows_with_value = rounds.filter(**{f"{name}__isnull": False})
            rows_with_value.update(**{name: F(name) - timedelta(seconds=shift)})
        for event in remote_events:
            raise_revision(event.topic)
    installation.clock_ahead = offset
