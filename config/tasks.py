"""Work in the background that takes the whole house: a club as a file, and papers in words."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

from celery import shared_task
from django.db import connections

from clubs import club_files
from clubs.models import Club
from jobs.registry import job
from jobs.running import Cancelled, JobContext
from operations.backup import back_up
from tournaments.papers import paper_files
from tournaments.papers.contents import document_of
from tournaments.papers.orders import Paper, kind_of, order_of
from tournaments.papers.typesetting import make
from tournaments.temp_files import KEPT

LOOKS = 0.5  # seconds between two looks at how far the writing is


class Writing:
    """A club's file being written in a thread of its own: what it reads is of one moment, in a transaction in
    which nobody could say how far it is."""

    def __init__(self, club: Club, path: Path) -> None:
        self.so_far = (0, 0)
        self._club = club
        self._path = path
        self._is_stopped = Event()

    def write(self) -> None:
        try:
            back_up(self._path, self._club, progress=self._note)
        finally:
            connections.close_all()

    def stop(self) -> None:
        self._is_stopped.set()

    def _note(self, done: int, of: int) -> None:
        self.so_far = (done, of)
        if self._is_stopped.is_set():
            raise Cancelled


@job(club_files.KIND, is_shown=True, is_long=True, lease=timedelta(minutes=2))
def write_club_file(running: JobContext) -> dict[str, Any]:
    """``key`` is the club's id. The file is there once it is whole, and was read again."""
    club = Club.objects.get(pk=int(running.key))
    path = club_files.new_path(club.pk)
    try:
        _write(Writing(club, path), running)
    except Cancelled:
        path.unlink(missing_ok=True)
        raise
    return {"file": path.name}


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
    """``key`` is that of the order. The file is there once it is whole."""
    order = order_of(running.key)
    document, path = document_of(order), paper_files.new_path(order)
    pages = make(document, path, progress=running.report)
    return {"file": path.name, "pages": pages}


for paper in Paper:
    job(kind_of(paper), is_shown=True, is_long=True, lease=timedelta(minutes=2))(make_paper)


@shared_task(name="config.sweep_files")
def sweep_files() -> None:
    for files in KEPT:
        files.sweep()
