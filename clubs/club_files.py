"""Files of a whole club that its owners take away. A room above writes them (``operations.backup``)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from jobs.models import Job
from jobs.queries import jobs_of
from web.temp_files import KeptFiles

from .models import Club

KIND = "club_file"
"""Of the job that writes one; its key is the club's id, and its result says ``file``, the name."""

FILES = KeptFiles(name="club-files", kept=timedelta(days=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubFile:
    """A file that is there to be taken."""

    job_id: int
    path: Path
    size: int
    made_at: datetime


def topic_of(club: Club) -> str:
    """What the page is watched with that offers the file."""
    return f"file:{club.pk}"


def last_job(club: Club) -> Job | None:
    """The one under way, or the last one that ended. One query."""
    return next(iter(jobs_of(topic_of(club))), None)


def club_file_of_job(club: Club, job: Job) -> ClubFile | None:
    """The file that a job wrote for the club, if it is still there."""
    path = FILES.written_by(job)
    if path is None or job.ended_at is None or not path.name.startswith(f"{club.pk}-"):
        return None
    return ClubFile(job_id=job.pk, path=path, size=path.stat().st_size, made_at=job.ended_at)


def new_path(club_id: int) -> Path:
    """Where the next file of the club goes; those before it go away."""
    FILES.put_away(club_id)
    return FILES.new_path(club_id, "zip")
