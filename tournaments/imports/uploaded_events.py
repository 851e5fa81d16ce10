"""Event files that wait for a club's director, and what was found in each."""

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from clubs.disk_quota import check_space
from clubs.models import Club
from live.revisions import get_revision
from tournaments.models import Event
from web.temp_files import TempFileStore

MOST_BYTES = 64 * 1024 * 1024
"""Most bytes of a file that a page takes. A tournament of a thousand entries and twelve rounds has 11 MB."""
LARGE_BYTES = 200_000
"""Number of bytes from which a file is read and imported in the background."""
UPLOAD_STORE = TempFileStore(name="brought-files", lifetime=timedelta(days=7))

TOKEN_PATTERN = re.compile(r"[0-9a-f]{32}")


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
    """Differences between a file and its event; ``ranks`` are names with their ranks before and after, ``money``
    names those of ``fees`` and ``prizes`` that the file has of its own."""

    differences: list[Mapping[str, Any]]
    more: int
    ranks: list[list[Any]]
    money: list[str]


class ImportOrder(TypedDict):
    """An order to import a file. ``known`` are pairs of a number and a person, ``copy`` is the key of a
    second event of it, ``by`` an account and its origin."""

    known: list[tuple[int, int]]
    are_guests: bool
    copy: str | None
    instead_of: NotRequired[int | None]
    by: tuple[int | None, str]


@dataclass(frozen=True, slots=True)
class UploadedEventFile:
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
        return UPLOAD_STORE.folder / f"{self.key}.json"

    @property
    def is_large(self) -> bool:
        return self.path.stat().st_size >= LARGE_BYTES

    def load_examination(self) -> ExaminedFile | None:
        """Return what was found in the file; None until it was examined."""
        with suppress(FileNotFoundError):
            examination: ExaminedFile = json.loads(self._get_note_path("examined").read_bytes())
            return examination
        return None

    def save_examination(self, examination: ExaminedFile) -> None:
        UPLOAD_STORE.write(self._get_note_path("examined"), json.dumps(examination).encode())

    def load_comparison(self, state: str) -> FileComparison | None:
        """Return the differences from an event in this state (``get_event_version``); None if not compared yet."""
        with suppress(FileNotFoundError):
            comparison: FileComparison = json.loads(self._get_note_path(f"compared-{state}").read_bytes())
            return comparison
        return None

    def save_comparison(self, state: str, comparison: FileComparison) -> None:
        UPLOAD_STORE.write(self._get_note_path(f"compared-{state}"), json.dumps(comparison).encode())

    def load_order(self, name: str) -> ImportOrder:
        """Return the order stored under that name."""
        order: ImportOrder = json.loads(self._get_note_path(name).read_bytes())
        return order

    def save_order(self, order: ImportOrder) -> str:
        """Store an order and return its name; equal orders have the same name."""
        content = json.dumps(order, sort_keys=True).encode()
        name = hashlib.sha256(content).hexdigest()[:32]
        UPLOAD_STORE.write(self._get_note_path(name), content)
        return name

    def remove(self) -> None:
        """Delete the file and what was noted of it. Safe to repeat."""
        for path in UPLOAD_STORE.folder.glob(f"{self.key}.*"):
            path.unlink(missing_ok=True)

    def _get_note_path(self, name: str) -> Path:
        return UPLOAD_STORE.folder / f"{self.key}.{name}.txt"


def get_event_version(event: Event) -> str:
    """Return a text that changes whenever the event does."""
    return f"{event.pk}-{get_revision(event.topic)}"


def get_topic_prefix(club: Club) -> str:
    """Return the common beginning of the topics of all of the club's files."""
    return f"brought:{club.pk}-"


def save_file(club: Club, content: bytes) -> UploadedEventFile:
    """Store the file where it waits. Safe to repeat. Refuses: club_disk_full."""
    file = UploadedEventFile(club.pk, hashlib.sha256(content).hexdigest()[:32])
    if not file.path.is_file():
        check_space(club.pk, len(content))
    UPLOAD_STORE.write(file.path, content)
    return file


def find_uploaded_file(club: Club, token: str) -> UploadedEventFile | None:
    """Return the club's waiting file with this token, if there is one."""
    file = UploadedEventFile(club.pk, token)
    return file if TOKEN_PATTERN.fullmatch(token) and file.path.is_file() else None


def get_file_by_key(key: str) -> UploadedEventFile:
    """Return the file of a job."""
    club, _, token = key.partition("-")
    return UploadedEventFile(int(club), token)
