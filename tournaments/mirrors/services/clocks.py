"""Difference between the clocks of two linked installations. The laptop measures it; the round's clock is
corrected by it, so that it ends at the same moment at both."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from live.revisions import raise_revision
from tournaments.models import Event, Pairing, PublicSite, Round

SLOW = timedelta(seconds=10)
"""An answer that took longer says nothing about the clock."""
JITTER = 2
"""Difference in seconds that is not a change."""


def seconds_ahead(at: datetime, *, asked_at: datetime, answered_at: datetime) -> int | None:
    """Return how many seconds the clock is ahead that said ``at`` between a question and its answer; None if
    they are too far apart."""
    took = answered_at - asked_at
    is_clear = timedelta() <= took <= SLOW
    return round((at - (asked_at + took / 2)).total_seconds()) if is_clear else None


@transaction.atomic
def note_clock(other: Pairing | PublicSite, ahead: int | None) -> None:
    """Note how many seconds the clock of the other installation is ahead. Rounds that it leads are corrected
    by the change. Safe to repeat. No query without a change."""
    before = other.clock_ahead
    if ahead is None or (before is not None and abs(ahead - before) <= JITTER):
        return
    changed = type(other).objects.filter(pk=other.pk, clock_ahead=before).update(clock_ahead=ahead)
    if changed:
        shift = ahead - (before or 0)
        pairing = other if isinstance(other, Pairing) else None
        led_there = Event.objects.filter(
            club=other.club_id,
            mirror__isnull=False,
            mirror__pairing=pairing,
            terms__mirrored_at__isnull=False,
        )
        rounds = Round.objects.filter(event__in=led_there)
        rounds.update(clock_shift=F("clock_shift") - shift)
        for name in ("paused_at", "last_hand_at"):
            known = rounds.filter(**{f"{name}__isnull": False})
            known.update(**{name: F(name) - timedelta(seconds=shift)})
        for event in led_there:
            raise_revision(event.topic)
    other.clock_ahead = ahead
