"""Export files of a whole club for its owners. ``operations.backup`` writes them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from jobs.models import Job
from jobs.queries import jobs_of
from web.temp_files import TempFileStore

from .models import Club

KIND = "club_file"
"""The kind of job that writes a file; its key is the club's id, and its result names the ``file``."""

FILES = TempFileStore(name="club-files", kept=timedelta(days=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubFile:
    """A file that is ready for download."""

    job_id: int
    path: Path
    size: int
    made_at: datetime


def topic_of(club: Club) -> str:
    """Return the topic of the page that offers the file."""
    return f"file:{club.pk}"


def last_job(club: Club) -> Job | None:
    """Return the job in progress, or else the last one that ended. One query."""
    return next(iter(jobs_of(topic_of(club))), None)


def club_file_of_job(club: Club, job: Job) -> ClubFile | None:
    """Return the file that a job wrote for the club, if it still exists."""
    path = FILES.written_by(job)
    if path is None or job.ended_at is None or not path.name.startswith(f"{club.pk}-"):
        return None
    return ClubFile(job_id=job.pk, path=path, size=path.stat().st_size, made_at=job.ended_at)


def new_path(club_id: int) -> Path:
    """Return the path for the club's next file, and delete the earlier ones."""
    FILES.put_away(club_id)
    return FILES.new_path(club_id, "zip")
