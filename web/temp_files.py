"""Files that wait to be taken away or looked at. They hold names and telephones: nobody guesses what one is
called, nobody else on the computer reads their folder, and after a time they are gone. Each is called by the
number of its club first, also while it is being written: whoever the club forgets is in none of them.
"""

import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from shutil import rmtree

from django.conf import settings
from django.utils import timezone

from jobs.models import Job, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFiles:
    """The files of one kind: in the folder of that ``name`` in the data folder, for as long as ``kept``."""

    name: str
    kept: timedelta

    @property
    def folder(self) -> Path:
        """Where they lie; it is there once something was to be written."""
        return Path(settings.DATA_DIR) / self.name

    def open_folder(self) -> Path:
        """The folder, to write in."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.folder

    def new_path(self, club_id: int, ending: str) -> Path:
        """Where the club's next one goes."""
        return self.open_folder() / f"{club_id}-{secrets.token_hex(16)}.{ending}"

    def written_by(self, job: Job) -> Path | None:
        """The file that a job wrote, whose result says ``file``, its name; None until it is there, and once
        its time is over."""
        name = (job.result or {}).get("file", "")
        if job.status != Status.DONE or job.ended_at is None or not name or Path(name).name != name:
            return None
        path = self.folder / name
        return path if timezone.now() - job.ended_at <= self.kept and path.is_file() else None

    def put_away(self, club_id: int) -> None:
        """Whatever lies there of the club goes, half written or whole. Safe to repeat."""
        for path in self.folder.glob("*"):
            if path.name.removeprefix(".").startswith(f"{club_id}-"):
                _remove(path)

    def sweep(self) -> None:
        """What has lain there for its time goes, and what a killed worker had begun. Safe to repeat."""
        oldest = (timezone.now() - self.kept).timestamp()
        for path in self.folder.glob("*"):
            with suppress(FileNotFoundError):  # another worker sweeps too
                if path.stat().st_mtime < oldest:
                    _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
