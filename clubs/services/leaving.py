"""A club leaves a shared server with its file: deleted after some days, unless an owner keeps it. Its quota there."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club
from errors import Refusal

from .changes import ClubChange

DAYS_TO_LEAVE = 14
MAX_QUOTA = 1_000_000
"""Megabytes."""


@transaction.atomic
def leave_server(*, club_id: int, by: Actor = NOBODY) -> Club:
    """Schedule the deletion of a club. Safe to repeat: the first date stays."""
    change = ClubChange(club_id, "leave_server", by)
    if change.club.leaves_at is None and not change.is_repeat:
        _set_date(change, timezone.now() + timedelta(days=DAYS_TO_LEAVE))
    return change.club


@transaction.atomic
def stay_on_server(*, club_id: int, by: Actor = NOBODY) -> Club:
    """Cancel the deletion of a club. Safe to repeat."""
    change = ClubChange(club_id, "stay_on_server", by)
    if change.club.leaves_at is not None and not change.is_repeat:
        _set_date(change, None)
    return change.club


def _set_date(change: ClubChange, leaves_at: datetime | None) -> None:
    """Set the date outside the recorded rows: an undo must not bring back one that is over."""
    change.club.leaves_at = leaves_at
    change.club.save(update_fields=["leaves_at"])
    change.record()


def set_club_quota(*, club_id: int, megabytes: int | None) -> None:
    """Set how much a club may store; None for the usual quota. Not recorded in its history, which could undo it.

    Refuses: quota_out_of_range."""
    if megabytes is not None and not 0 < megabytes <= MAX_QUOTA:
        raise Refusal("quota_out_of_range", field="quota", most=MAX_QUOTA)
    Club.objects.filter(pk=club_id).update(quota=megabytes)
