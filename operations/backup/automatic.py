"""Automatic backups: as each night begins, after it, and every day.

They are in the data folder under ``backups``, and also in a second folder if one is set.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from errors import Refusal
from jobs.delays import is_ahead
from jobs.models import ACTIVE_STATUSES, ENDED_STATUSES, Job, Status
from jobs.pieces import Progress, ignore_progress
from jobs.services import enqueue
from operations.data_dir import DISK_FULL_ERRORS
from scoring.services.log_repair import detect_damage
from tournaments.models import Action, Round

from .encryption import encrypt_file
from .rotation import (
    ENCRYPTED_SUFFIX,
    Occasion,
    build_backup_name,
    get_backup_time,
    list_backups,
    remove_abandoned,
    rotate_backups,
)
from .writer import create_backup

KIND, TOPIC = "automatic_backup", "installation"
"""Kind and topic of the backup job; its key is the occasion."""

DAY = timedelta(days=1)
MAX_AGE = timedelta(days=2)
"""Age of the last backup from which the desk shows a warning."""
MIN_PAUSE = timedelta(minutes=10)
"""Minimum pause between two backups: nights that begin meanwhile are in the next one."""
MAX_ROUNDS_SEARCHED = 50
"""Number of drawn first rounds that are searched: a draft may wait for a while until it is published."""
PAUSE_FACTOR = 20
"""Pause after a backup, as a multiple of its duration: a regional server has other work, too."""
MAX_PAUSE = timedelta(hours=6)
"""Longest pause, even if a backup seems to have taken years because the clock was changed meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupState:
    """State of the backups: when the last complete one was made, and the failure of the last try."""

    made_at: datetime | None
    failed: Job | None
    is_old: bool

    @property
    def needs_attention(self) -> bool:
        return self.failed is not None or self.is_old


def backup_folder() -> Path:
    return Path(settings.DATA_DIR) / "backups"


def get_backup_state(now: datetime) -> BackupState:
    """Return the state of the backups. One query. In an installation that never tried one, no backup is
    old."""
    latest_jobs = Job.objects.filter(topic=TOPIC, kind=KIND, status__in=ENDED_STATUSES).order_by("-ended_at")[:20]
    jobs = list(latest_jobs)
    finished_job = next((job for job in jobs if job.status == Status.DONE), None)
    failed_job = jobs[0] if jobs and jobs[0].status == Status.FAILED else None
    newest = find_newest_backup()  # if only the second folder failed, or the job was deleted by now
    folder_time = get_backup_time(newest) if newest else None
    last_time = finished_job.ended_at if finished_job else folder_time
    return BackupState(made_at=last_time, failed=failed_job, is_old=last_time is not None and is_old(last_time, now))


def is_old(moment: datetime, now: datetime) -> bool:
    """Check whether a backup is old, or dated in the future by this computer's clock."""
    return abs(now - moment) > MAX_AGE


def enqueue_due_backup() -> Occasion | None:
    """Start a backup if one is due, and return its occasion. Safe to repeat."""
    occasion = find_due_occasion(timezone.now()) if settings.AUTOMATIC_BACKUPS else None
    if occasion is not None:
        enqueue(kind=KIND, key=occasion, topic=TOPIC)
    return occasion


def find_due_occasion(now: datetime) -> Occasion | None:
    """Return the occasion for which a backup is due; None while one is running or was made just now."""
    jobs = Job.objects.filter(topic=TOPIC, kind=KIND)
    if jobs.filter(status__in=ACTIVE_STATUSES).exists():
        return None
    last_job = jobs.filter(status__in=ENDED_STATUSES).order_by("-ended_at").first()
    if last_job is None or last_job.started_at is None or last_job.ended_at is None or last_job.ended_at > now:
        return Occasion.DAILY
    if now - last_job.ended_at < min(
        max(MIN_PAUSE, PAUSE_FACTOR * (last_job.ended_at - last_job.started_at)), MAX_PAUSE
    ):
        return None
    is_missing = last_job.status != Status.DONE or now - last_job.ended_at > DAY or _is_second_folder_behind()
    return _find_occasion_since(last_job.started_at, is_missing=is_missing)


def _find_occasion_since(moment: datetime, *, is_missing: bool) -> Occasion | None:
    if _has_night_ended(moment=moment):
        return Occasion.AFTER_NIGHT
    if _has_night_begun(moment=moment):
        return Occasion.BEFORE_NIGHT
    return Occasion.DAILY if is_missing else None


def _is_second_folder_behind() -> bool:
    """Check whether the second folder lacks the newest backup, such as after a USB stick was plugged in or
    changed."""
    newest, second = find_newest_backup(), settings.SECOND_BACKUP_FOLDER
    if newest is None or not second or not Path(second).is_dir():
        return False
    return get_backup_time(newest) not in map(get_backup_time, list_backups(Path(second)))


def _has_night_ended(*, moment: datetime) -> bool:
    last_action = Action.objects.filter(kind="end_event").order_by("-pk").first()
    return last_action is not None and last_action.created_at > moment


def _has_night_begun(*, moment: datetime) -> bool:
    """Check whether an event's first round was published. Only recently drawn ones are searched: rounds are
    many."""
    first_rounds = Round.objects.filter(number=1).order_by("-pk")[:MAX_ROUNDS_SEARCHED]
    return any(first_round.published_at and first_round.published_at > moment for first_round in first_rounds)


def make_automatic_backup(occasion: Occasion, moment: datetime, *, progress: Progress = ignore_progress) -> Path:
    """Make a backup of everything in the data folder and the second folder, and delete old ones.

    The logs are checked first: while one is damaged, no older backup is deleted, as it may have the hand.

    Refuses: backup_disk_full, backup_not_written; or, with the copy in the data folder there all the same,
    second_folder_missing, second_folder_not_written.
    """
    folder = backup_folder()
    path = folder / build_backup_name(occasion, moment)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        remove_abandoned(folder)  # first: they may be what fills the disk
        is_damaged = bool(detect_damage())
        if not path.exists():
            create_backup(path, progress=progress)
        if not is_damaged:
            rotate_backups(folder, newest_name=path.name)
    except OSError as error:
        refusal = Refusal("backup_not_written", folder=str(folder), reason=_format_reason(error))
        raise find_full_disk_refusal(folder, error) or refusal from None
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
    name = path.with_suffix(ENCRYPTED_SUFFIX).name if passphrase else path.name
    try:
        remove_abandoned(folder)
        descriptor, temporary_name = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
        os.close(descriptor)
        temporary_file = Path(temporary_name)
        try:
            if passphrase:
                encrypt_file(path, temporary_file, passphrase)
            else:
                shutil.copyfile(path, temporary_file)
            with temporary_file.open("rb+") as file:
                os.fsync(file.fileno())
            temporary_file.replace(folder / name)
        finally:
            temporary_file.unlink(missing_ok=True)
        if not is_damaged:
            rotate_backups(folder, newest_name=name)
    except OSError as error:
        refusal = Refusal("second_folder_not_written", folder=str(folder), reason=_format_reason(error))
        raise find_full_disk_refusal(folder, error) or refusal from None


def find_full_disk_refusal(folder: Path, error: OSError) -> Refusal | None:
    """Return the refusal that the disk of this folder is full, if the error says so."""
    return Refusal("backup_disk_full", folder=str(folder)) if error.errno in DISK_FULL_ERRORS else None


def _format_reason(error: OSError) -> str:
    return error.strerror or str(error)


def find_newest_backup() -> Path | None:
    """Return the newest backup in the data folder.

    One dated in the future was made while the clock was wrong: it counts only if there is no other.
    """
    now = timezone.now()
    return max(
        list_backups(backup_folder()),
        key=lambda copy: (not is_ahead(get_backup_time(copy), now), get_backup_time(copy)),
        default=None,
    )
