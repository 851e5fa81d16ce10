"""Background tasks for clubs and accounts."""

from datetime import timedelta

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.services.people_import import IMPORT, run_people_import, undo_people_import
from jobs.queues import Queue
from jobs.registry import JobContext, job

from .queries import MAIL_JOB, MAILING_ANSWER, MAILING_DEPARTURE
from .services.club_requests import send_club_answer
from .services.leaving import mail_departure
from .services.mailed_links import send_link
from .services.pictures import SET_PICTURE, set_uploaded_picture
from .services.undo import UNDO, revert_undo, run_undo
from .uploads import READ, read_workbooks, upload_by_key


@job(
    IMPORT,
    name=_("Importing the list of people"),
    queue=Queue.LONG,
    lease=timedelta(minutes=2),
    undo=undo_people_import,
)
def run_people_import_job(job_context: JobContext) -> dict[str, str]:
    """Import people. ``key`` is that of the long write with the request."""
    club = run_people_import(job_context.key, job_context.report)
    return {} if club is None else {"page": reverse("people", args=[club.slug])}


@job(SET_PICTURE, name=_("Saving the picture"), queue=Queue.LONG, lease=timedelta(minutes=2))
def run_picture_job(job_context: JobContext) -> None:
    """Redraw and set a picture; ``key`` is that of its upload."""
    set_uploaded_picture(job_context.key)


@job(UNDO, name=_("Undoing a change to many people"), queue=Queue.LONG, lease=timedelta(minutes=2), undo=revert_undo)
def run_undo_job(job_context: JobContext) -> dict[str, str]:
    """Undo a change. ``key`` is the line's id, and that of the long write with the request."""
    club = run_undo(job_context.key, job_context.report)
    return {"page": reverse("club-history", args=[club.slug])}


@job(READ, name=_("Reading the spreadsheet"), queue=Queue.LONG, lease=timedelta(minutes=2))
def run_workbook_job(job_context: JobContext) -> None:
    """Read the workbooks of an upload; ``key`` is that of the upload."""
    read_workbooks(upload_by_key(job_context.key))


@job(MAIL_JOB, queue=Queue.OUTGOING)
def mail_link(job_context: JobContext) -> None:
    """Send a mailed link. ``key`` is the link's id."""
    send_link(link_id=int(job_context.key))


@job(MAILING_ANSWER, queue=Queue.OUTGOING)
def mail_club_answer(job_context: JobContext) -> None:
    """Mail the answer to a request for a club. ``key`` is that of the request."""
    send_club_answer(request_id=int(job_context.key))


@job(MAILING_DEPARTURE, queue=Queue.OUTGOING)
def mail_departure_to_owners(job_context: JobContext) -> None:
    """Mail the owners that their club will be deleted. ``key`` is the club's id."""
    mail_departure(club_id=int(job_context.key))
