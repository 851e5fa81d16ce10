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
from typing import Any

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

    def examined(self) -> dict[str, Any] | None:
        """What was found in it; None until somebody has looked."""
        with suppress(FileNotFoundError):
            found: dict[str, Any] = json.loads(self._note("examined").read_bytes())
            return found
        return None

    def keep_examined(self, found: Mapping[str, Any]) -> None:
        write_whole(self._note("examined"), json.dumps(found).encode())

    def compared(self, state: str) -> dict[str, Any] | None:
        """What the file says otherwise than an event in that ``state_of``; None until they were compared."""
        with suppress(FileNotFoundError):
            found: dict[str, Any] = json.loads(self._note(f"compared-{state}").read_bytes())
            return found
        return None

    def keep_compared(self, state: str, found: Mapping[str, Any]) -> None:
        write_whole(self._note(f"compared-{state}"), json.dumps(found).encode())

    def asked(self, name: str) -> dict[str, Any]:
        """What was asked to be made of it, under that name."""
        found: dict[str, Any] = json.loads(self._note(name).read_bytes())
        return found

    def keep_asked(self, asked: Mapping[str, Any]) -> str:
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
    part = FILES.opened() / f"{path.name}.{secrets.token_hex(8)}.part"
    part.write_bytes(content)
    part.replace(path)
