"""Temporary files for download or preview.

They contain names and telephones: their names cannot be guessed, nobody else on the computer can read their
folder, and they are deleted after a time. Each name begins with the club's id, also while the file is being
written: when the club erases a person, its files can be deleted.
"""

import secrets
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from shutil import rmtree

from django.conf import settings
from django.utils import timezone

from jobs.models import Job, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class TempFileStore:
    """Temporary files of one kind, in the folder ``name`` of the data folder, for ``lifetime``."""

    name: str
    lifetime: timedelta

    @property
    def folder(self) -> Path:
        """Their folder, which exists once something was written."""
        return Path(settings.DATA_DIR) / self.name

    def open_folder(self) -> Path:
        """Return the folder, and create it if necessary."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.folder

    def build_path(self, club_id: int, extension: str) -> Path:
        """Return the path of the club's next file."""
        return self.open_folder() / f"{club_id}-{secrets.token_hex(16)}.{extension}"

    def write(self, path: Path, content: bytes) -> None:
        """Write a file of the folder completely or not at all."""
        part = self.open_folder() / f"{path.name}.{secrets.token_hex(8)}.part"
        part.write_bytes(content)
        part.replace(path)

    def find_job_file(self, job: Job) -> Path | None:
        """Return the file that a job wrote, by ``file`` in its result. None if it does not
        exist yet, or is expired."""
        name = (job.result or {}).get("file", "")
        if job.status != Status.DONE or job.ended_at is None or not name or Path(name).name != name:
            return None
        path = self.folder / name
        return path if timezone.now() - job.ended_at <= self.lifetime and path.is_file() else None

    def list_club_files(self, club_id: int) -> list[Path]:
        """Return all of the club's files, complete or not."""
        return [each for each in self.folder.glob("*") if each.name.removeprefix(".").startswith(f"{club_id}-")]

    def delete_club_files(self, club_id: int) -> None:
        """Delete all of the club's files, complete or not. Safe to repeat."""
        for path in self.list_club_files(club_id):
            _remove(path)

    def delete_expired_files(self) -> None:
        """Delete expired files, including those that a killed worker left. Safe to repeat."""
        oldest = (timezone.now() - self.lifetime).timestamp()
        for path in self.folder.glob("*"):
            with suppress(FileNotFoundError):  # another worker deletes them, too
                if path.stat().st_mtime < oldest:
                    _remove(path)


def measure_file_sizes(stores: Iterable[TempFileStore], club_id: int | None = None) -> Counter[int]:
    """Return how many bytes the files of each club have, complete or not; or those of this one alone."""
    used = Counter[int]()
    for store in stores:
        for path in store.folder.glob("*"):
            club = path.name.removeprefix(".").partition("-")[0]
            if club.isdecimal() and club_id in (None, int(club)):
                with suppress(FileNotFoundError):
                    used[int(club)] += path.stat().st_size
    return used


def _remove(path: Path) -> None:
    if path.is_dir():
        rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
