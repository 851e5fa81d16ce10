"""Background tasks across all apps: a club as a file and automatic backups."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from functools import partial
from threading import Event
from typing import Any

from celery import shared_task
from django.db import connections
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs import club_files
from clubs.disk_quota import STORES, check_space
from clubs.models import Club
from jobs.queues import Queue
from jobs.registry import ClubLimit, JobCancelledError, JobContext, job
from operations import club_imports, club_leaving
from operations.backup import automatic, create_backup
from operations.backup.club_import import import_club
from operations.backup.club_removal import remove_club
from operations.backup.rotation import Occasion

REPORT_INTERVAL = 0.5  # seconds between two progress reports


class BackupWriter:
    """A backup being written in its own thread.

    It reads as of one moment, in a transaction in which no progress could be saved.
    """

    def __init__(self, write: Callable[..., object]) -> None:
        self.progress = (0, 0)
        self._write = write
        self._is_stopped = Event()

    def write(self) -> None:
        try:
            self._write(progress=self._report_progress)
        finally:
            connections.close_all()

    def stop(self) -> None:
        self._is_stopped.set()

    def _report_progress(self, done: int, total: int) -> None:
        self.progress = (done, total)
        if self._is_stopped.is_set():
            raise JobCancelledError


@job(
    club_files.KIND,
    name=_("Club export"),
    queue=Queue.LONG,
    lease=timedelta(minutes=2),
    club_limit=ClubLimit(check=check_space),
)
def write_club_file(context: JobContext) -> dict[str, Any]:
    """Write a club to a file; ``key`` is the club's id. The file appears once it is complete and verified."""
    club = Club.objects.get(pk=int(context.key))
    path = club_files.prepare_path(club.pk)
    try:
        _write_in_thread(BackupWriter(partial(create_backup, path, club)), context)
    except JobCancelledError:
        path.unlink(missing_ok=True)
        raise
    return {"file": path.name}


@job(club_imports.KIND, name=_("Importing the club"), queue=Queue.LONG, lease=timedelta(hours=1))
def import_club_file(context: JobContext) -> dict[str, Any]:
    """Import a club's file; ``key`` is its name. One transaction, in which no progress could be saved."""
    path = club_files.IMPORTS.folder / context.key
    club = import_club(path)
    path.unlink(missing_ok=True)
    return {"club": club.pk, "page": reverse("front", args=[club.slug])}


@job(club_leaving.KIND, queue=Queue.LONG, lease=timedelta(hours=1))
def remove_due_club(context: JobContext) -> None:
    """Delete a club whose days on this server are over; ``key`` is its id."""
    club = Club.objects.filter(pk=int(context.key), leaves_at__lte=timezone.now()).first()
    if club is not None:
        remove_club(club)


@job(automatic.KIND, queue=Queue.LONG, goes_first=True, lease=timedelta(minutes=2))
def back_up_installation(context: JobContext) -> None:
    """Back up the installation; ``key`` is the occasion. Each attempt makes a new backup."""
    _write_in_thread(
        BackupWriter(partial(automatic.make_automatic_backup, Occasion(context.key), timezone.now())), context
    )


def _write_in_thread(writer: BackupWriter, context: JobContext) -> None:
    with ThreadPoolExecutor(1) as thread:
        future = thread.submit(writer.write)
        try:
            context.report(*writer.progress)
            while wait([future], timeout=REPORT_INTERVAL).not_done:
                context.report(*writer.progress)
        finally:
            writer.stop()
        future.result()


@shared_task(name="config.sweep_files")
def sweep_files() -> None:
    for files in STORES:
        files.delete_expired_files()
    club_leaving.enqueue_due_removals()


@shared_task(name="config.sweep_copies")
def sweep_copies() -> None:
    automatic.enqueue_due_backup()
