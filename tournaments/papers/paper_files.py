"""Papers made for an event or a club: how long they are stored, and who may see them."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from clubs.models import Club
from errors import Refusal
from jobs.models import Job, Status
from jobs.queries import job_of, jobs_of
from live.revisions import revision_of
from tournaments.models import Event
from web.temp_files import TempFileStore

from .contents import document_of
from .orders import CLUB_PAPERS, Order, order_of

FILES = TempFileStore(name="papers", kept=timedelta(days=3))


@dataclass(frozen=True, slots=True, kw_only=True)
class MadePaper:
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


def topic_of(of: Event | Club) -> str:
    """Return the topic under which the page of the papers watches for changes."""
    return f"paper:{of._meta.model_name}:{of.pk}"


def papers_of(of: Event | Club, *, drafts: bool) -> list[MadePaper]:
    """List the papers in progress, then those made, newest first, without deleted ones. Papers for directors,
    such as those of unpublished rounds, are only listed with ``drafts``. One query; more if something changed
    since a paper was made."""
    papers = [_paper_of_job(job) for job in jobs_of(topic_of(of))]
    return [
        replace(one, is_outdated=_is_outdated(one))
        for one in papers
        if (drafts or not one.order.is_for_directors)
        and (one.path is not None or one.job.status != Status.DONE)
    ]


def current_source(order: Order) -> int | None:
    """Return the revision of the event that a paper is made from; None for a paper of a club. One query."""
    if order.paper in CLUB_PAPERS:
        return None
    return revision_of(*Event.objects.select_related("club").get(pk=order.of).topics)


def _is_outdated(made: MadePaper) -> bool:
    result = made.job.result or {}
    if made.path is None or result.get("source") in (None, current_source(made.order)):
        return False
    try:
        return document_of(made.order).digest != str(result["digest"])
    except Refusal:  # nothing is left to print
        return True


def paper_of(of: Event | Club, job_id: int, *, drafts: bool) -> MadePaper | None:
    """Return the paper with this number, if this reader may see it. One query."""
    job = job_of(topic_of(of), job_id)
    made = None if job is None else _paper_of_job(job)
    return made if made is not None and (drafts or not made.order.is_for_directors) else None


def new_path(order: Order) -> Path:
    """Return a new path for the ordered paper."""
    club_id = (
        order.of if order.paper in CLUB_PAPERS else Event.objects.values_list("club").get(pk=order.of)[0]
    )
    return FILES.new_path(club_id, "pdf")


def _paper_of_job(job: Job) -> MadePaper:
    return MadePaper(job=job, order=order_of(job.key), path=FILES.written_by(job))
