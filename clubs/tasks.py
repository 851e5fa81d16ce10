"""Background tasks for clubs and accounts."""

from datetime import timedelta

from django.urls import reverse

from clubs.services.people_import import IMPORT, import_asked_people, take_back_people
from jobs.queues import Queue
from jobs.registry import job
from jobs.running import JobContext

from .queries import MAILING
from .services.mailed_links import send_link
from .services.pictures import SET_PICTURE, set_asked_picture
from .services.undo import UNDO, take_back_undo, undo_asked_action
from .uploads import READ, read_workbooks, upload_by_key


@job(IMPORT, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=2), take_back=take_back_people)
def import_people_of(running: JobContext) -> dict[str, str]:
    """Import people. ``key`` is that of the course with the request."""
    club = import_asked_people(running.key, running.report)
    return {} if club is None else {"page": reverse("people", args=[club.slug])}


@job(SET_PICTURE, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=2))
def set_picture_of(running: JobContext) -> None:
    """Redraw and set a picture; ``key`` is that of its upload."""
    set_asked_picture(running.key)


@job(UNDO, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=2), take_back=take_back_undo)
def undo_action_of(running: JobContext) -> dict[str, str]:
    """Undo a change. ``key`` is the line's id, and that of the course with the request."""
    club = undo_asked_action(running.key, running.report)
    return {"page": reverse("club-history", args=[club.slug])}


@job(READ, is_shown=True, queue=Queue.LONG, lease=timedelta(minutes=2))
def read_workbooks_of(running: JobContext) -> None:
    """Read the workbooks of an upload; ``key`` is that of the upload."""
    read_workbooks(upload_by_key(running.key))


@job(MAILING, queue=Queue.OUTGOING)
def mail_link(running: JobContext) -> None:
    """Send a mailed link. ``key`` is the link's id."""
    send_link(link_id=int(running.key))
