"""Recorded nights that wait until a club's director has seen their effects."""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date

from clubs.disk_quota import check_space
from clubs.models import Club

from .recorded_nights.files import Files, read_texts
from .recorded_nights.parser import Layouts, layouts_from_json, layouts_to_json
from .uploaded_events import TOKEN_PATTERN, UPLOAD_STORE


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedNight:
    """An uploaded night: its files, which are readable, the layouts of its lists, and the name and date
    typed with them, if any. Couples on the lines ``as_typed`` do not share a surname."""

    name: str
    held_on: date | None
    files: Files
    layouts: Layouts = field(default_factory=dict)
    as_typed: Collection[int] = frozenset()


def save_night(club: Club, night: UploadedNight) -> str:
    """Store the night and return its token; equal nights have the same token. Refuses: club_disk_full."""
    data = {
        "name": night.name,
        "held_on": night.held_on and night.held_on.isoformat(),
        "files": read_texts(night.files),
        "layouts": layouts_to_json(night.layouts),
        "as_typed": sorted(night.as_typed),
    }
    content = json.dumps(data, sort_keys=True).encode()
    token = hashlib.sha256(content).hexdigest()[:32]
    path = UPLOAD_STORE.folder / _get_file_name(club, token)
    if not path.is_file():
        check_space(club.pk, len(content))
    UPLOAD_STORE.write(path, content)
    return token


def find_uploaded_night(club: Club, token: str) -> UploadedNight | None:
    """Return the club's waiting night with this token, if there is one."""
    path = UPLOAD_STORE.folder / _get_file_name(club, token)
    if not TOKEN_PATTERN.fullmatch(token) or not path.is_file():
        return None
    data = json.loads(path.read_bytes())
    return UploadedNight(
        name=data["name"],
        held_on=data["held_on"] and date.fromisoformat(data["held_on"]),
        files={name: text.encode() for name, text in data["files"].items()},
        layouts=layouts_from_json(data.get("layouts", {})),
        as_typed=frozenset(data.get("as_typed", ())),
    )


def _get_file_name(club: Club, token: str) -> str:
    return f"{club.pk}-{token}.night.txt"
