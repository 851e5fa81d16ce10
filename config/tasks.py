"""Background tasks across all apps: a club as a file, automatic backups, and papers in words."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from functools import partial
from threading import Event
from typing import Any

from celery import shared_task
from django.db import connections
from django.utils import timezone

from clubs import club_files
from clubs.disk_quota import STORES
from clubs.models import Club
from jobs.queues import Queue
from jobs.registry import job
from jobs.running import Cancelled, JobContext
from operations.backup import automatic, back_up
from operations.backup.rotation import Occasion
from tournaments.papers import paper_files
from tournaments.papers.contents import document_of
from tournaments.papers.orders import Paper, job_kind_of, order_of
from tournaments.papers.typesetting import make

LOOKS = 0.5  # seconds between two progress reports


class Writing:
    """A backup being written in its own thread.

    It reads as of one moment, in a transaction in which no progress could be saved.
    """

    def __init__(self, write: Callable[..., object]) -> None:
        self.so_far = (0, 0)
        self._write = write
        self._is_stopped = Event()

    def write(self) -> None:
        try:
            self._write(progress=self._note)
        finally:
            connections.close_all()

    def stop(self) -> None:
        self._is_stopped.set()

    def _note(self, done: int, of: int) -> None:
        self.so_far = (done, of)
        if self._is_stopped.is_set():
            raise Cancelled


@job(club_files.KIND, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=2))
def write_club_file(running: JobContext) -> dict[str, Any]:
    """Write a club to a file; ``key`` is the club's id. The file appears once it is complete and verified."""
    club = Club.objects.get(pk=int(running.key))
    path = club_files.new_path(club.pk)
    try:
        _write(Writing(partial(back_up, path, club)), running)
    except Cancelled:
        path.unlink(missing_ok=True)
        raise
    return {"file": path.name}


@job(automatic.KIND, queue=Queue.LONG, goes_first=True, lease=timedelta(minutes=2))
def back_up_installation(running: JobContext) -> None:
    """Back up the installation; ``key`` is the occasion. Each attempt makes a new backup."""
    _write(Writing(partial(automatic.make_copy, Occasion(running.key), timezone.now())), running)


def _write(writing: Writing, running: JobContext) -> None:
    with ThreadPoolExecutor(1) as thread:
        written = thread.submit(writing.write)
        try:
            running.report(*writing.so_far)
            while wait([written], timeout=LOOKS).not_done:
                running.report(*writing.so_far)
        finally:
            writing.stop()
        written.result()


def make_paper(running: JobContext) -> dict[str, Any]:
    """Make a paper; ``key`` is that of the order. The file appears once it is complete."""
    order = order_of(running.key)
    source = paper_files.current_source(order)
    document, path = document_of(order), paper_files.new_path(order)
    pages = make(document, path, progress=running.report)
    return {"file": path.name, "pages": pages, "source": source, "digest": document.digest}


for paper in Paper:
    job(job_kind_of(paper), is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=2))(make_paper)


@shared_task(name="config.sweep_files")
def sweep_files() -> None:
    for files in STORES:
        files.sweep()


@shared_task(name="config.sweep_copies")
def sweep_copies() -> None:
    automatic.enqueue_due_copy()
