"""Background tasks of papers."""

from datetime import timedelta
from typing import Any

from clubs.disk_quota import check_space
from jobs.queues import Queue
from jobs.registry import ClubLimit, JobContext, job

from . import paper_files
from .contents import document_of
from .labels import PAPER_NAMES
from .orders import get_job_kind, parse_order
from .typesetting.rendering import make_pdf


def render_paper(context: JobContext) -> dict[str, Any]:
    """Make a paper; ``key`` is that of the order. The file appears once it is complete."""
    order = parse_order(context.key)
    source = paper_files.get_current_revision(order)
    document, path = document_of(order), paper_files.create_path(order)
    pages = make_pdf(document, path, progress=context.report)
    return {"file": path.name, "pages": pages, "source": source, "digest": document.digest}


for paper, name in PAPER_NAMES.items():
    limit = ClubLimit(check=check_space)
    job(get_job_kind(paper), name=name, queue=Queue.LONG, lease=timedelta(minutes=2), club_limit=limit)(render_paper)
