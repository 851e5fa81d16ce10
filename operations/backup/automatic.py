"""Copies that the program makes by itself: as each night begins, after it, and every day.

They lie in the data folder under ``backups``; and, where a second folder is named, there too.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from jobs.lateness import AHEAD
from jobs.models import ENDED, UNDER_WAY, Job, Status
from jobs.services import enqueue
from operations.data_dir import FULL
from rules import Refusal
from tournaments.models import Action, Round

from .encrypted import encrypt
from .rotation import ENCRYPTED, Occasion, copies_in, made_at, name_of_copy, rotate
from .writing import Progress, back_up, ignore_progress

KIND, TOPIC = "automatic_backup", "installation"
"""Of the job that makes one; its key is the occasion."""

DAY = timedelta(days=1)
OLD = timedelta(days=2)
"""Then the last copy is worth a word at the desk."""
REST = timedelta(minutes=10)
"""Between two of them: what begins meanwhile is in the next one."""
RECENT = 50
"""So many first rounds are drawn and wait for a while until they are published."""
SHARE = 20
"""So many times as long as the last one took, nothing is copied: a region's server does other things, too."""
LONGEST_REST = timedelta(hours=6)
"""Also where one seems to have taken years, since the clock was set meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyState:
    """How it stands with the copies: when the last one was whole, and what the last try failed with."""

    made_at: datetime | None
    failed: Job | None
    is_old: bool

    @property
    def is_worth_a_word(self) -> bool:
        return self.failed is not None or self.is_old


def backup_folder() -> Path:
    return Path(settings.DATA_DIR) / "backups"


def copy_state(now: datetime) -> CopyState:
    """One query. No copy is old in an installation in which none was ever tried."""
    tries = Job.objects.filter(topic=TOPIC, kind=KIND, status__in=ENDED).order_by("-ended_at")[:20]
    ended = list(tries)
    done = next((job for job in ended if job.status == Status.DONE), None)
    failed = ended[0] if ended and ended[0].status == Status.FAILED else None
    newest = newest_copy()  # if only the second folder failed, or of longer ago than jobs are kept
    in_the_folder = made_at(newest) if newest else None
    last = done.ended_at if done else in_the_folder
    return CopyState(made_at=last, failed=failed, is_old=last is not None and is_old(last, now))


def is_old(made: datetime, now: datetime) -> bool:
    """Also one that the clock of this computer says is yet to be made."""
    return abs(now - made) > OLD


def enqueue_due_copy() -> Occasion | None:
    """Has a copy made if it is time for one; says for what. Safe to repeat."""
    occasion = due_occasion(timezone.now()) if settings.AUTOMATIC_BACKUPS else None
    if occasion is not None:
        enqueue(kind=KIND, key=occasion, topic=TOPIC)
    return occasion


def due_occasion(now: datetime) -> Occasion | None:
    """What a copy is to be made for now; nothing, while one is being made or was just now."""
    tries = Job.objects.filter(topic=TOPIC, kind=KIND)
    if tries.filter(status__in=UNDER_WAY).exists():
        return None
    last = tries.filter(status__in=ENDED).order_by("-ended_at").first()
    if last is None or last.started_at is None or last.ended_at is None or last.ended_at > now:
        return Occasion.DAILY
    if now - last.ended_at < min(max(REST, SHARE * (last.ended_at - last.started_at)), LONGEST_REST):
        return None
    is_missing = last.status != Status.DONE or now - last.ended_at > DAY or _second_folder_lacks_newest()
    return _due_since(last.started_at, is_missing=is_missing)


def _due_since(since: datetime, *, is_missing: bool) -> Occasion | None:
    if _has_ended(since=since):
        return Occasion.AFTER_NIGHT
    if _has_begun(since=since):
        return Occasion.BEFORE_NIGHT
    return Occasion.DAILY if is_missing else None


def _second_folder_lacks_newest() -> bool:
    """Whether a stick was put in since the last copy was made, or another one than before."""
    newest, second = newest_copy(), settings.SECOND_BACKUP_FOLDER
    if newest is None or not second or not Path(second).is_dir():
        return False
    return made_at(newest) not in map(made_at, copies_in(Path(second)))


def _has_ended(*, since: datetime) -> bool:
    last = Action.objects.filter(kind="end_event").order_by("-pk").first()
    return last is not None and last.created_at > since


def _has_begun(*, since: datetime) -> bool:
    """Whether an event's first round was published. Among the last ones to be drawn: rounds are many."""
    drawn = Round.objects.filter(number=1).order_by("-pk")[:RECENT]
    return any(each.published_at and each.published_at > since for each in drawn)


def make_copy(occasion: Occasion, at: datetime, *, progress: Progress = ignore_progress) -> Path:
    """A new backup of everything in the data folder, and in the second folder; old ones go.

    Refuses: backup_disk_full, backup_not_written; or, with the copy in the data folder there all the same,
    second_folder_missing, second_folder_not_written.
    """
    folder = backup_folder()
    path = folder / name_of_copy(occasion, at)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if not path.exists():
            back_up(path, progress=progress)
        rotate(folder, just_made=path.name)
    except OSError as error:
        refusal = Refusal("backup_not_written", folder=str(folder), reason=_reason(error))
        raise full_disk(folder, error) or refusal from None
    if settings.SECOND_BACKUP_FOLDER:
        _copy_to_second_folder(path, Path(settings.SECOND_BACKUP_FOLDER))
    return path


def _copy_to_second_folder(path: Path, folder: Path) -> None:
    """Whole or not at all, as the first: what a stick lost in the midst of it has another name."""
    if not folder.is_dir():  # and is not made: a stick that is not in would be a folder of this disk
        raise Refusal("second_folder_missing", folder=str(folder))
    passphrase = settings.BACKUP_PASSPHRASE
    name = path.with_suffix(ENCRYPTED).name if passphrase else path.name
    try:
        descriptor, made = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
        os.close(descriptor)
        unfinished = Path(made)
        try:
            if passphrase:
                encrypt(path, unfinished, passphrase)
            else:
                shutil.copyfile(path, unfinished)
            with unfinished.open("rb+") as file:
                os.fsync(file.fileno())
            unfinished.replace(folder / name)
        finally:
            unfinished.unlink(missing_ok=True)
        rotate(folder, just_made=name)
    except OSError as error:
        refusal = Refusal("second_folder_not_written", folder=str(folder), reason=_reason(error))
        raise full_disk(folder, error) or refusal from None


def full_disk(folder: Path, error: OSError) -> Refusal | None:
    """That the disk of this folder is full, if that is what the error says."""
    return Refusal("backup_disk_full", folder=str(folder)) if error.errno in FULL else None


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def newest_copy() -> Path | None:
    """Of those in the data folder. One that bears a day yet to come was made while the clock was wrong: it is
    the newest only where there is no other."""
    by_now = timezone.now() + AHEAD
    return max(
        copies_in(backup_folder()), key=lambda copy: (made_at(copy) <= by_now, made_at(copy)), default=None
    )
