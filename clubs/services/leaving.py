"""The end of a club's time on this server: its file, and its removal."""

from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from clubs.audit.log import NOBODY, Actor
from clubs.club_files import KIND, find_last_job, get_file_topic
from clubs.emails import mail_owners
from clubs.models import Club
from clubs.queries import MAILING_DEPARTURE
from errors import Refusal
from jobs.models import Job
from jobs.services import enqueue

from .changes import ClubChange


@transaction.atomic
def start_club_file(*, club_id: int, by: Actor = NOBODY) -> Job:
    """Start the job that writes the club's file, and record who asked. A job in progress is returned instead.
    Safe to repeat. Refuses: club_disk_full."""
    change = ClubChange(club_id, "take_club_file", by)
    last = find_last_job(change.club)
    if last is not None and (change.is_repeat or last.is_under_way):
        return last
    change.record()
    return enqueue(kind=KIND, key=str(club_id), topic=get_file_topic(change.club), club_id=club_id)


DAYS_TO_LEAVE = 14
MAX_QUOTA = 1_000_000
"""Megabytes."""


@transaction.atomic
def leave_server(*, club_id: int, by: Actor = NOBODY) -> Club:
    """Schedule the deletion of a club, and tell its owners by e-mail. Safe to repeat: the first date stays."""
    change = ClubChange(club_id, "leave_server", by)
    if change.club.leaves_at is None and not change.is_repeat:
        _set_date(change, timezone.now() + timedelta(days=DAYS_TO_LEAVE))
        enqueue(kind=MAILING_DEPARTURE, key=str(club_id))
    return change.club


@transaction.atomic
def stay_on_server(*, club_id: int, by: Actor = NOBODY) -> Club:
    """Cancel the deletion of a club. Safe to repeat."""
    change = ClubChange(club_id, "stay_on_server", by)
    if change.club.leaves_at is not None and not change.is_repeat:
        _set_date(change, None)
    return change.club


def mail_departure(*, club_id: int) -> None:
    """Write to the owners who chose to delete their club, and until when they can keep it."""
    club = Club.objects.filter(pk=club_id).exclude(leaves_at=None).first()
    if club is None:
        return
    action = club.actions.filter(kind="leave_server").select_related("account").latest("pk")

    def get_subject() -> str:
        return gettext("%(club)s leaves this server") % {"club": club.name}

    page = reverse("leave-server", args=[club.slug])
    mail_owners(club, template="clubs/departure_mail.txt", get_subject=get_subject, page=page, account=action.account)


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
