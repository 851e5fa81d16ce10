"""Choice of the automatic backups to keep, by their names alone."""

import re
import time
from collections.abc import Hashable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from glob import escape
from pathlib import Path

KEPT_NEWEST, KEPT_DAYS, KEPT_WEEKS = 10, 14, 53
"""Number of backups kept: the newest ones, and the last one of each of so many days and weeks.

Only days and weeks with backups count, whatever the clock says: a computer set to a wrong year deletes
nothing.
"""


class Occasion(StrEnum):
    """Reason for an automatic backup."""

    BEFORE_NIGHT = "before-night"
    AFTER_NIGHT = "after-night"
    DAILY = "daily"


ABANDONED_SECONDS = 3600
"""Seconds without a write after which an unfinished file is abandoned: its worker was killed."""

ZIP_SUFFIX, ENCRYPTED_SUFFIX = ".zip", ".zip.encrypted"
_MOMENT = "%Y-%m-%d-%H%M%S"
_NAME = re.compile(rf"(\d{{4}}-\d\d-\d\d-\d{{6}})-(?:{'|'.join(Occasion)})\.zip(?:\.encrypted)?")


def build_backup_name(occasion: Occasion, moment: datetime) -> str:
    return f"{moment.astimezone(UTC):{_MOMENT}}-{occasion}{ZIP_SUFFIX}"


def list_backups(folder: Path) -> list[Path]:
    """Return the automatic backups, the newest first. Other files in the folder are ignored."""
    if not folder.is_dir():
        return []
    paths = (path for path in folder.iterdir() if _NAME.fullmatch(path.name))
    return sorted(paths, key=lambda path: path.name, reverse=True)


def get_backup_time(path: Path) -> datetime:
    """Return when the backup was made, by its name."""
    match = _NAME.fullmatch(path.name)
    assert match, path
    return datetime.strptime(match[1], _MOMENT).replace(tzinfo=UTC)


def rotate_backups(folder: Path, *, newest_name: str = "") -> None:
    """Delete the backups that are neither among the newest nor the last of a day or week.

    The backup ``newest_name`` stays, even if this computer's date is wrong. Safe to repeat.
    """
    copies = list_backups(folder)
    retained = select_retained(map(get_backup_time, copies))
    for copy in copies:
        if get_backup_time(copy) not in retained and copy.name != newest_name:
            copy.unlink(missing_ok=True)
    remove_abandoned(folder)


def remove_abandoned(folder: Path, name: str = "") -> None:
    """Delete unfinished automatic backups, or those of that ``name``, whose writer was killed. Safe to
    repeat."""
    for path in folder.glob(f".{escape(name)}*"):
        is_named = path.name.startswith(f".{name}.") if name else _NAME.match(path.name, 1)
        with suppress(FileNotFoundError):
            if is_named and time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
                path.unlink()


def select_retained(moments: Iterable[datetime]) -> set[datetime]:
    ordered = sorted(moments, reverse=True)
    daily: dict[Hashable, datetime] = {}
    weekly: dict[Hashable, datetime] = {}
    for moment in ordered:
        daily.setdefault(moment.date(), moment)
        weekly.setdefault(moment.isocalendar()[:2], moment)
    return {*ordered[:KEPT_NEWEST], *list(daily.values())[:KEPT_DAYS], *list(weekly.values())[:KEPT_WEEKS]}
