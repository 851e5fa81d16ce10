"""The export of a whole club as a file, for its owners."""

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.club_files import KIND, last_job, topic_of
from clubs.disk_quota import check_space
from jobs.models import Job
from jobs.services import enqueue

from .changes import ClubChange


@transaction.atomic
def take_club_file(*, club_id: int, by: Actor = NOBODY) -> Job:
    """Start the job that writes the club's file, and record who asked. A job in progress is returned instead.
    Safe to repeat. Refuses: club_disk_full."""
    change = ClubChange(club_id, "take_club_file", by)
    known = last_job(change.club)
    if known is not None and (change.is_repeat or known.is_under_way):
        return known
    check_space(club_id)
    change.record()
    return enqueue(kind=KIND, key=str(club_id), topic=topic_of(change.club), club_id=club_id)
