"""Event files that wait for a club's director, and what was found in each."""

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from clubs.disk_quota import check_space
from clubs.models import Club
from live.revisions import revision_of
from tournaments.models import Event
from web.temp_files import TempFileStore

MOST_BYTES = 64 * 1024 * 1024
"""Most bytes of a file that a page takes. A tournament of a thousand entries and twelve rounds has 11 MB."""
LARGE = 200_000
"""Number of bytes from which a file is read and imported in the background."""
FILES = TempFileStore(name="brought-files", kept=timedelta(days=7))

TOKEN = re.compile(r"[0-9a-f]{32}")


class FileSummary(TypedDict):
    """Summary of an event file; ``key`` is that of its event, ``club`` and ``short`` say where it was
    played."""

    key: str
    name: str
    held_on: str
    state: str
    lot: int
    club: str
    short: str
    people: Any
    entries: int
    looking: int
    rounds: int
    results: int


class ExaminedFile(FileSummary):
    """An examined file: its ``sum``, ``counts`` of what was computed again, ``differences`` from that, and
    how many ``more`` there are."""

    sum: str
    counts: Any
    differences: list[Mapping[str, Any]]
    more: int
    notes: list[Mapping[str, Any]]


class FileComparison(TypedDict):
    """Differences between a file and its event; ``ranks`` are names with their ranks before and after."""

    differences: list[Mapping[str, Any]]
    more: int
    ranks: list[list[Any]]


class ImportOrder(TypedDict):
    """An order to import a file. ``known`` are pairs of a number and a person, ``copy`` is the key of a
    second event of it, ``by`` an account and its origin."""

    known: list[tuple[int, int]]
    are_guests: bool
    copy: str | None
    instead_of: NotRequired[int | None]
    by: tuple[int | None, str]


@dataclass(frozen=True, slots=True)
class BroughtFile:
    """An uploaded file of a club, by its ``token``: the same bytes are the same file."""

    club_id: int
    token: str

    @property
    def key(self) -> str:
        """Key of the file in jobs."""
        return f"{self.club_id}-{self.token}"

    @property
    def topic(self) -> str:
        """Topic on which the file's jobs are watched."""
        return f"brought:{self.key}"

    @property
    def path(self) -> Path:
        return FILES.folder / f"{self.key}.json"

    @property
    def is_large(self) -> bool:
        return self.path.stat().st_size >= LARGE

    def examination(self) -> ExaminedFile | None:
        """Return what was found in the file; None until it was examined."""
        with suppress(FileNotFoundError):
            found: ExaminedFile = json.loads(self._note("examined").read_bytes())
            return found
        return None

    def keep_examined(self, found: ExaminedFile) -> None:
        write_whole(self._note("examined"), json.dumps(found).encode())

    def comparison(self, state: str) -> FileComparison | None:
        """Return the differences from an event in that ``state_of``; None until they were compared."""
        with suppress(FileNotFoundError):
            found: FileComparison = json.loads(self._note(f"compared-{state}").read_bytes())
            return found
        return None

    def keep_compared(self, state: str, found: FileComparison) -> None:
        write_whole(self._note(f"compared-{state}"), json.dumps(found).encode())

    def order_of(self, name: str) -> ImportOrder:
        """Return the order stored under that name."""
        found: ImportOrder = json.loads(self._note(name).read_bytes())
        return found

    def keep_asked(self, asked: ImportOrder) -> str:
        """Store an order and return its name; equal orders have the same name."""
        content = json.dumps(asked, sort_keys=True).encode()
        name = hashlib.sha256(content).hexdigest()[:32]
        write_whole(self._note(name), content)
        return name

    def remove(self) -> None:
        """Delete the file and what was noted of it. Safe to repeat."""
        for path in FILES.folder.glob(f"{self.key}.*"):
            path.unlink(missing_ok=True)

    def _note(self, name: str) -> Path:
        return FILES.folder / f"{self.key}.{name}.txt"


def state_of(event: Event) -> str:
    """Return a text that changes whenever the event does."""
    return f"{event.pk}-{revision_of(event.topic)}"


def topics_of(club: Club) -> str:
    """Return the common beginning of the topics of all of the club's files."""
    return f"brought:{club.pk}-"


def keep_file(club: Club, content: bytes) -> BroughtFile:
    """Store the file where it waits. Safe to repeat. Refuses: club_disk_full."""
    file = BroughtFile(club.pk, hashlib.sha256(content).hexdigest()[:32])
    if not file.path.is_file():
        check_space(club.pk, len(content))
    write_whole(file.path, content)
    return file


def uploaded_event_file(club: Club, token: str) -> BroughtFile | None:
    """Return the club's waiting file with this token, if there is one."""
    file = BroughtFile(club.pk, token)
    return file if TOKEN.fullmatch(token) and file.path.is_file() else None


def file_by_key(key: str) -> BroughtFile:
    """Return the file of a job."""
    club, _, token = key.partition("-")
    return BroughtFile(int(club), token)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all."""
    part = FILES.open_folder() / f"{path.name}.{secrets.token_hex(8)}.part"
    part.write_bytes(content)
    part.replace(path)
