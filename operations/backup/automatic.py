"""Automatic backups: as each night begins, after it, and every day.

They are in the data folder under ``backups``, and also in a second folder if one is set.
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

from errors import Refusal
from jobs.delays import AHEAD
from jobs.models import ENDED, UNDER_WAY, Job, Status
from jobs.services import enqueue
from operations.data_dir import FULL
from scoring.services import note_damage
from tournaments.models import Action, Round

from .encrypted import encrypt
from .rotation import ENCRYPTED, Occasion, copies_in, made_at, name_of_copy, remove_abandoned, rotate
from .writer import Progress, back_up, ignore_progress

KIND, TOPIC = "automatic_backup", "installation"
"""Kind and topic of the backup job; its key is the occasion."""

DAY = timedelta(days=1)
OLD = timedelta(days=2)
"""Age of the last backup from which the desk shows a warning."""
REST = timedelta(minutes=10)
"""Minimum pause between two backups: nights that begin meanwhile are in the next one."""
RECENT = 50
"""Number of drawn first rounds that are searched: a draft may wait for a while until it is published."""
SHARE = 20
"""Pause after a backup, as a multiple of its duration: a regional server has other work, too."""
LONGEST_REST = timedelta(hours=6)
"""Longest pause, even if a backup seems to have taken years because the clock was changed meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyState:
    """State of the backups: when the last complete one was made, and the failure of the last try."""

    made_at: datetime | None
    failed: Job | None
    is_old: bool

    @property
    def is_worth_a_word(self) -> bool:
        return self.failed is not None or self.is_old


def backup_folder() -> Path:
    return Path(settings.DATA_DIR) / "backups"


def copy_state(now: datetime) -> CopyState:
    """Return the state of the backups. One query. In an installation that never tried one, no backup is
    old."""
    tries = Job.objects.filter(topic=TOPIC, kind=KIND, status__in=ENDED).order_by("-ended_at")[:20]
    ended = list(tries)
    done = next((job for job in ended if job.status == Status.DONE), None)
    failed = ended[0] if ended and ended[0].status == Status.FAILED else None
    newest = newest_copy()  # if only the second folder failed, or the job was deleted by now
    in_the_folder = made_at(newest) if newest else None
    last = done.ended_at if done else in_the_folder
    return CopyState(made_at=last, failed=failed, is_old=last is not None and is_old(last, now))


def is_old(made: datetime, now: datetime) -> bool:
    """Check whether a backup is old, or dated in the future by this computer's clock."""
    return abs(now - made) > OLD


def enqueue_due_copy() -> Occasion | None:
    """Start a backup if one is due, and return its occasion. Safe to repeat."""
    occasion = due_occasion(timezone.now()) if settings.AUTOMATIC_BACKUPS else None
    if occasion is not None:
        enqueue(kind=KIND, key=occasion, topic=TOPIC)
    return occasion


def due_occasion(now: datetime) -> Occasion | None:
    """Return the occasion for which a backup is due; None while one is running or was made just now."""
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
    """Check whether the second folder lacks the newest backup, such as after a USB stick was plugged in or
    changed."""
    newest, second = newest_copy(), settings.SECOND_BACKUP_FOLDER
    if newest is None or not second or not Path(second).is_dir():
        return False
    return made_at(newest) not in map(made_at, copies_in(Path(second)))


def _has_ended(*, since: datetime) -> bool:
    last = Action.objects.filter(kind="end_event").order_by("-pk").first()
    return last is not None and last.created_at > since


def _has_begun(*, since: datetime) -> bool:
    """Check whether an event's first round was published. Only recently drawn ones are searched: rounds are
    many."""
    drawn = Round.objects.filter(number=1).order_by("-pk")[:RECENT]
    return any(each.published_at and each.published_at > since for each in drawn)


def make_copy(occasion: Occasion, at: datetime, *, progress: Progress = ignore_progress) -> Path:
    """Make a backup of everything in the data folder and the second folder, and delete old ones.

    The logs are checked first: while one is damaged, no older backup is deleted, as it may have the hand.

    Refuses: backup_disk_full, backup_not_written; or, with the copy in the data folder there all the same,
    second_folder_missing, second_folder_not_written.
    """
    folder = backup_folder()
    path = folder / name_of_copy(occasion, at)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        remove_abandoned(folder)  # first: they may be what fills the disk
        is_damaged = bool(note_damage())
        if not path.exists():
            back_up(path, progress=progress)
        if not is_damaged:
            rotate(folder, just_made=path.name)
    except OSError as error:
        refusal = Refusal("backup_not_written", folder=str(folder), reason=_reason(error))
        raise full_disk(folder, error) or refusal from None
    if settings.SECOND_BACKUP_FOLDER:
        _copy_to_second_folder(path, Path(settings.SECOND_BACKUP_FOLDER), is_damaged=is_damaged)
    return path


def _copy_to_second_folder(path: Path, folder: Path, *, is_damaged: bool) -> None:
    """Copy a backup to the second folder, completely or not at all.

    It has a temporary name until complete, so a stick pulled out midway holds no partial backup.
    """
    if not folder.is_dir():  # not created: without the stick, that would be a folder on this disk
        raise Refusal("second_folder_missing", folder=str(folder))
    passphrase = settings.BACKUP_PASSPHRASE
    name = path.with_suffix(ENCRYPTED).name if passphrase else path.name
    try:
        remove_abandoned(folder)
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
        if not is_damaged:
            rotate(folder, just_made=name)
    except OSError as error:
        refusal = Refusal("second_folder_not_written", folder=str(folder), reason=_reason(error))
        raise full_disk(folder, error) or refusal from None


def full_disk(folder: Path, error: OSError) -> Refusal | None:
    """Return the refusal that the disk of this folder is full, if the error says so."""
    return Refusal("backup_disk_full", folder=str(folder)) if error.errno in FULL else None


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def newest_copy() -> Path | None:
    """Return the newest backup in the data folder.

    One dated in the future was made while the clock was wrong: it counts only if there is no other.
    """
    by_now = timezone.now() + AHEAD
    return max(
        copies_in(backup_folder()), key=lambda copy: (made_at(copy) <= by_now, made_at(copy)), default=None
    )
