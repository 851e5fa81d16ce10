"""Event files that wait in a club for its director to look at them, and what was found in each."""

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

from clubs.models import Club
from live.revisions import revision_of
from tournaments.models import Event
from web.temp_files import KeptFiles

MOST_BYTES = 64 * 1024 * 1024
"""Of a file that a page takes; a tournament of a thousand entries and twelve rounds has 11 MB."""
LARGE = 200_000
"""From so many bytes on, a file is read, and written, in the background."""
FILES = KeptFiles(name="brought-files", kept=timedelta(days=7))

TOKEN = re.compile(r"[0-9a-f]{32}")


class FileSummary(TypedDict):
    """What an event file is a file of; ``key`` is that of its event, ``club`` and ``short`` where it was."""

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
    """And what was found in it: its ``sum``, how much was ``counts`` again, and ``differences`` of what was
    found, with how many ``more`` there are."""

    sum: str
    counts: Any
    differences: list[Mapping[str, Any]]
    more: int
    notes: list[Mapping[str, Any]]


class FileComparison(TypedDict):
    """What a file says otherwise than its event: ``ranks`` are the names, and the ranks before and after."""

    differences: list[Mapping[str, Any]]
    more: int
    ranks: list[list[Any]]


class ImportOrder(TypedDict):
    """What somebody wants to be made of a file: ``known`` are pairs of a number and a person, ``copy`` the
    key of a second event of it, ``by`` an account and where it was."""

    known: list[tuple[int, int]]
    are_guests: bool
    copy: str | None
    instead_of: NotRequired[int | None]
    by: tuple[int | None, str]


@dataclass(frozen=True, slots=True)
class BroughtFile:
    """A file that was brought to a club, by its ``token``: the same bytes are the same file."""

    club_id: int
    token: str

    @property
    def key(self) -> str:
        """By which a job knows it."""
        return f"{self.club_id}-{self.token}"

    @property
    def topic(self) -> str:
        """What its jobs are watched with."""
        return f"brought:{self.key}"

    @property
    def path(self) -> Path:
        return FILES.folder / f"{self.key}.json"

    @property
    def is_large(self) -> bool:
        return self.path.stat().st_size >= LARGE

    def examination(self) -> ExaminedFile | None:
        """What was found in it; None until somebody has looked."""
        with suppress(FileNotFoundError):
            found: ExaminedFile = json.loads(self._note("examined").read_bytes())
            return found
        return None

    def keep_examined(self, found: ExaminedFile) -> None:
        write_whole(self._note("examined"), json.dumps(found).encode())

    def comparison(self, state: str) -> FileComparison | None:
        """What the file says otherwise than an event in that ``state_of``; None until they were compared."""
        with suppress(FileNotFoundError):
            found: FileComparison = json.loads(self._note(f"compared-{state}").read_bytes())
            return found
        return None

    def keep_compared(self, state: str, found: FileComparison) -> None:
        write_whole(self._note(f"compared-{state}"), json.dumps(found).encode())

    def order_of(self, name: str) -> ImportOrder:
        """What was asked to be made of it, under that name."""
        found: ImportOrder = json.loads(self._note(name).read_bytes())
        return found

    def keep_asked(self, asked: ImportOrder) -> str:
        """The name under which it is kept: the same wish has the same name."""
        content = json.dumps(asked, sort_keys=True).encode()
        name = hashlib.sha256(content).hexdigest()[:32]
        write_whole(self._note(name), content)
        return name

    def _note(self, name: str) -> Path:
        return FILES.folder / f"{self.key}.{name}.txt"


def state_of(event: Event) -> str:
    """By which one knows that the event has not changed since."""
    return f"{event.pk}-{revision_of(event.topic)}"


def topics_of(club: Club) -> str:
    """What the topics of all of the club's files begin with."""
    return f"brought:{club.pk}-"


def keep_file(club: Club, content: bytes) -> BroughtFile:
    """The file, where it waits. Safe to repeat."""
    file = BroughtFile(club.pk, hashlib.sha256(content).hexdigest()[:32])
    write_whole(file.path, content)
    return file


def uploaded_event_file(club: Club, token: str) -> BroughtFile | None:
    """The file of the club that waits under this token, if there is one."""
    file = BroughtFile(club.pk, token)
    return file if TOKEN.fullmatch(token) and file.path.is_file() else None


def file_by_key(key: str) -> BroughtFile:
    """The file that a job is about."""
    club, _, token = key.partition("-")
    return BroughtFile(int(club), token)


def write_whole(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    part = FILES.open_folder() / f"{path.name}.{secrets.token_hex(8)}.part"
    part.write_bytes(content)
    part.replace(path)
