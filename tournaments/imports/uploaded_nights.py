"""Recorded nights that wait until a club's director has seen their effects."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import date

from clubs.disk_quota import check_space
from clubs.models import Club

from .recorded_nights import Files, Layouts, layouts_from_json, layouts_to_json, texts_of
from .uploaded_events import FILES, TOKEN, write_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtNight:
    """An uploaded night: its files, which are readable, the layouts of its lists, and the name and date
    typed with them, if any."""

    name: str
    held_on: date | None
    files: Files
    layouts: Layouts = field(default_factory=dict)


def keep_night(club: Club, night: BroughtNight) -> str:
    """Store the night and return its token; equal nights have the same token. Refuses: club_disk_full."""
    plain = {
        "name": night.name,
        "held_on": night.held_on and night.held_on.isoformat(),
        "files": texts_of(night.files),
        "layouts": layouts_to_json(night.layouts),
    }
    content = json.dumps(plain, sort_keys=True).encode()
    token = hashlib.sha256(content).hexdigest()[:32]
    path = FILES.folder / _file_name(club, token)
    if not path.is_file():
        check_space(club.pk, len(content))
    write_whole(path, content)
    return token


def night_of(club: Club, token: str) -> BroughtNight | None:
    """Return the club's waiting night with this token, if there is one."""
    path = FILES.folder / _file_name(club, token)
    if not TOKEN.fullmatch(token) or not path.is_file():
        return None
    plain = json.loads(path.read_bytes())
    return BroughtNight(
        name=plain["name"],
        held_on=plain["held_on"] and date.fromisoformat(plain["held_on"]),
        files={name: text.encode() for name, text in plain["files"].items()},
        layouts=layouts_from_json(plain.get("layouts", {})),
    )


def _file_name(club: Club, token: str) -> str:
    return f"{club.pk}-{token}.night.txt"
