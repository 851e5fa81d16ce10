"""The whole club as a file, for its owners."""

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.club_files import KIND, last_job, topic_of
from jobs.models import Job
from jobs.services import enqueue

from .changes import ClubChange


@transaction.atomic
def take_club_file(*, club_id: int, by: Actor = NOBODY) -> Job:
    """The job that writes the club's file, and a line of the history that says who asked. While one is under
    way, it is that one. Safe to repeat."""
    change = ClubChange(club_id, "take_club_file", by)
    known = last_job(change.club)
    if known is not None and (change.is_repeat or known.is_under_way):
        return known
    change.record()
    return enqueue(kind=KIND, key=str(club_id), topic=topic_of(change.club))
