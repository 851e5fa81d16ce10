"""Choice of the automatic backups to keep, by their names alone."""

from __future__ import annotations

import re
import time
from collections.abc import Hashable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from glob import escape
from pathlib import Path

LAST, DAYS, WEEKS = 10, 14, 53
"""Number of backups kept: the newest ones, and the last one of each of so many days and weeks.

Only days and weeks with backups count, whatever the clock says: a computer set to a wrong year deletes
nothing.
"""


class Occasion(StrEnum):
    """Reason for an automatic backup."""

    BEFORE_NIGHT = "before-night"
    AFTER_NIGHT = "after-night"
    DAILY = "daily"


GIVEN_UP = 3600
"""Seconds without a write after which an unfinished file is abandoned: its worker was killed."""

PLAIN, ENCRYPTED = ".zip", ".zip.encrypted"
_MOMENT = "%Y-%m-%d-%H%M%S"
_NAME = re.compile(rf"(\d{{4}}-\d\d-\d\d-\d{{6}})-(?:{'|'.join(Occasion)})\.zip(?:\.encrypted)?")


def name_of_copy(occasion: Occasion, at: datetime) -> str:
    return f"{at.astimezone(UTC):{_MOMENT}}-{occasion}{PLAIN}"


def copies_in(folder: Path) -> list[Path]:
    """Return the automatic backups, the newest first. Other files in the folder are ignored."""
    if not folder.is_dir():
        return []
    found = (path for path in folder.iterdir() if _NAME.fullmatch(path.name))
    return sorted(found, key=lambda path: path.name, reverse=True)


def made_at(copy: Path) -> datetime:
    """Return when the backup was made, by its name."""
    match = _NAME.fullmatch(copy.name)
    assert match, copy
    return datetime.strptime(match[1], _MOMENT).replace(tzinfo=UTC)


def rotate(folder: Path, *, just_made: str = "") -> None:
    """Delete the backups that are neither among the newest nor the last of a day or week.

    The one that was ``just_made`` stays, even if this computer's date is wrong. Safe to repeat.
    """
    copies = copies_in(folder)
    stay = moments_that_stay(map(made_at, copies))
    for copy in copies:
        if made_at(copy) not in stay and copy.name != just_made:
            copy.unlink(missing_ok=True)
    remove_abandoned(folder)


def remove_abandoned(folder: Path, name: str = "") -> None:
    """Delete unfinished automatic backups, or those of that ``name``, whose writer was killed. Safe to
    repeat."""
    for unfinished in folder.glob(f".{escape(name)}*"):
        is_named = unfinished.name.startswith(f".{name}.") if name else _NAME.match(unfinished.name, 1)
        with suppress(FileNotFoundError):
            if is_named and time.time() - unfinished.stat().st_mtime > GIVEN_UP:
                unfinished.unlink()


def moments_that_stay(moments: Iterable[datetime]) -> set[datetime]:
    newest_first = sorted(moments, reverse=True)
    by_day: dict[Hashable, datetime] = {}
    by_week: dict[Hashable, datetime] = {}
    for moment in newest_first:
        by_day.setdefault(moment.date(), moment)
        by_week.setdefault(moment.isocalendar()[:2], moment)
    return {*newest_first[:LAST], *list(by_day.values())[:DAYS], *list(by_week.values())[:WEEKS]}
