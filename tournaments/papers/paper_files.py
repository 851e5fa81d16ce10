"""Papers made for an event or a club: how long they are stored, and who may see them."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from clubs.models import Club
from errors import Refusal
from jobs.models import Job, Status
from jobs.queries import find_job, list_jobs
from live.revisions import get_revision
from tournaments.models import Event
from web.temp_files import TempFileStore

from .contents import document_of
from .orders import CLUB_PAPERS, Order, parse_order

PAPER_STORE = TempFileStore(name="papers", lifetime=timedelta(days=3))


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPaper:
    """An order and its task. ``path`` is None until the file exists, and once it is deleted. ``is_outdated``
    if the paper would be different now."""

    job: Job
    order: Order
    path: Path | None
    is_outdated: bool = False

    @property
    def size(self) -> int:
        return 0 if self.path is None else self.path.stat().st_size

    @property
    def made_at(self) -> datetime | None:
        return self.job.ended_at

    @property
    def pages(self) -> int:
        return int((self.job.result or {}).get("pages", 0))


def get_topic(subject: Event | Club) -> str:
    """Return the topic under which the page of the papers watches for changes."""
    return f"paper:{subject._meta.model_name}:{subject.pk}"


def list_papers(subject: Event | Club, *, drafts: bool) -> list[PrintedPaper]:
    """List the papers in progress, then those made, newest first, without deleted ones. Papers for directors,
    such as those of unpublished rounds, are only listed with ``drafts``. One query; more if something changed
    since a paper was made."""
    papers = [_build_paper(job) for job in list_jobs(get_topic(subject))]
    return [
        replace(paper, is_outdated=_is_outdated(paper))
        for paper in papers
        if (drafts or not paper.order.is_for_directors) and (paper.path is not None or paper.job.status != Status.DONE)
    ]


def get_current_revision(order: Order) -> int | None:
    """Return the revision of the event that a paper is made from; None for a paper of a club. One query."""
    if order.paper in CLUB_PAPERS:
        return None
    return get_revision(*Event.objects.select_related("club").get(pk=order.of).topics)


def _is_outdated(paper: PrintedPaper) -> bool:
    result = paper.job.result or {}
    if paper.path is None or result.get("source") in (None, get_current_revision(paper.order)):
        return False
    try:
        return document_of(paper.order).digest != str(result["digest"])
    except Refusal:  # nothing is left to print
        return True


def find_paper(subject: Event | Club, job_id: int, *, drafts: bool) -> PrintedPaper | None:
    """Return the paper with this number, if this reader may see it. One query."""
    job = find_job(get_topic(subject), job_id)
    paper = None if job is None else _build_paper(job)
    return paper if paper is not None and (drafts or not paper.order.is_for_directors) else None


def create_path(order: Order) -> Path:
    """Return a new path for the ordered paper."""
    club_id = order.of if order.paper in CLUB_PAPERS else Event.objects.values_list("club").get(pk=order.of)[0]
    return PAPER_STORE.build_path(club_id, "pdf")


def _build_paper(job: Job) -> PrintedPaper:
    return PrintedPaper(job=job, order=parse_order(job.key), path=PAPER_STORE.find_job_file(job))
