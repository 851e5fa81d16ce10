"""The export of a whole club as a file, for its owners."""

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.club_files import KIND, find_last_job, get_file_topic
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
