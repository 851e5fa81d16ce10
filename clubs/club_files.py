"""Files of a whole club that its owners take away: where they lie, for how long, and how they are named.

They hold names and telephones. Nobody guesses what one is called, nobody else on the computer reads the
folder, and after a day they are gone. A room above writes them (``config.backup``).
"""

import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from jobs.models import Job, Status
from jobs.selectors import jobs_of

from .models import Club

KIND = "club_file"
"""Of the job that writes one; its key is the club's id, and its result says ``file``, the name."""

KEPT = timedelta(days=1)
_NAME = re.compile(r"(?P<club>[0-9]+)-[0-9a-f]{32}\.zip")


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


def file_of(club: Club, job: Job) -> ClubFile | None:
    """The file that a job wrote for the club, if it is still there."""
    name = (job.result or {}).get("file", "")
    named = _NAME.fullmatch(name)
    if job.status != Status.DONE or job.ended_at is None or named is None or int(named["club"]) != club.pk:
        return None
    path = _folder() / name
    if timezone.now() - job.ended_at > KEPT or not path.is_file():
        return None
    return ClubFile(job_id=job.pk, path=path, size=path.stat().st_size, made_at=job.ended_at)


def new_path(club_id: int) -> Path:
    """Where the next file of the club goes; those before it go away."""
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for before in folder.glob(f"{club_id}-*.zip"):
        before.unlink(missing_ok=True)
    return folder / f"{club_id}-{secrets.token_hex(16)}.zip"


def sweep_files() -> None:
    """What has lain there for a day goes, and what a killed worker had begun. Safe to repeat."""
    oldest = (timezone.now() - KEPT).timestamp()
    for path in _folder().glob("*"):
        with suppress(FileNotFoundError):  # another worker sweeps too
            if path.stat().st_mtime < oldest:
                path.unlink()


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "club-files"
