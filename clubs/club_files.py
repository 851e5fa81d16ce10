"""Export files of a whole club for its owners. ``operations.backup`` writes them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from jobs.models import Job
from jobs.queries import list_jobs
from web.temp_files import TempFileStore

from .models import Club

KIND = "club_file"
"""The kind of job that writes a file; its key is the club's id, and its result names the ``file``."""

FILES = TempFileStore(name="club-files", lifetime=timedelta(days=1))
IMPORTS = TempFileStore(name="club-imports", lifetime=timedelta(days=1))
"""Files of other clubs that wait until the owners of this one import them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubFile:
    """A file that is ready for download."""

    job_id: int
    path: Path
    size: int
    made_at: datetime


def get_file_topic(club: Club) -> str:
    """Return the topic of the page that offers the file."""
    return f"file:{club.pk}"


def find_last_job(club: Club) -> Job | None:
    """Return the job in progress, or else the last one that ended. One query."""
    return next(iter(list_jobs(get_file_topic(club))), None)


def find_club_file(club: Club, job: Job) -> ClubFile | None:
    """Return the file that a job wrote for the club, if it still exists."""
    path = FILES.find_job_file(job)
    if path is None or job.ended_at is None or not path.name.startswith(f"{club.pk}-"):
        return None
    return ClubFile(job_id=job.pk, path=path, size=path.stat().st_size, made_at=job.ended_at)


def prepare_path(club_id: int) -> Path:
    """Return the path for the club's next file, and delete the earlier ones."""
    FILES.delete_club_files(club_id)
    return FILES.build_path(club_id, "zip")
