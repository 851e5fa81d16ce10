"""Pages to order and download the papers of an event at the desk."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import has_permission
from clubs.job_pages import build_job_actions
from clubs.models import Club
from clubs.policy import Permission
from errors import Refusal, get_or_refuse
from jobs.queries import compute_jobs_revision
from live.conditional_pages import conditional_page, get_part_etag, is_partial_request
from tournaments.event_files.queries.trf import is_swiss
from tournaments.events.views.access import event_helpers_only
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from tournaments.papers import presenters as printing
from tournaments.papers.contents import build_file_name
from tournaments.papers.forms import read_order
from tournaments.papers.orders import CLUB_PAPERS, DIRECTOR_PAPERS, ROUND_PAPERS, Paper
from tournaments.papers.paper_files import PrintedPaper, find_paper, get_topic, list_papers
from tournaments.papers.services import order_paper
from tournaments.papers.typesetting.documents import Size
from web.downloads import download
from web.qr import get_phone_origin

EVENT_PAPERS = tuple(paper for paper in Paper if paper not in CLUB_PAPERS)


@require_http_methods(["GET", "HEAD", "POST"])
@event_helpers_only
def print_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Order the papers of the event, follow their progress, and see those that are ready."""
    if request.method == "POST":
        try:
            order_chosen_paper(request, event)
        except Refusal as refusal:
            return render_print_page(request, event, refusal)
        return redirect("print", short=event.short)
    if not is_partial_request(request):
        return render_print_page(request, event)
    papers = list_papers(event, drafts=has_permission(request, Permission.DIRECT))
    return render_papers_part(request, event, papers, reverse("print", args=[event.short]))


def order_chosen_paper(request: HttpRequest, event: Event) -> None:
    """Order the paper of the form. Refuses: form_refused, nothing_to_print, club_disk_full."""
    may_direct = has_permission(request, Permission.DIRECT)
    offered = [paper for paper in EVENT_PAPERS if may_direct or paper not in DIRECTOR_PAPERS]
    order = read_order(request.POST, subject_id=event.pk, allowed=offered, sections=len(event.sections))
    order = replace(order, language=(get_language() or "fr")[:2], origin=get_phone_origin(request))
    if order.paper in ROUND_PAPERS:
        chosen_round = get_or_refuse(
            printing.find_printable_round(event, str(order.round), drafts=may_direct), "nothing_to_print"
        )
        order = replace(order, round=chosen_round.number, drafts=chosen_round.state == RoundState.DRAFT)
    order_paper(order=order, topic=get_topic(event), club_id=event.club_id)


def render_print_page(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    """Render the whole page, with the refusal if there is one."""
    drafts = has_permission(request, Permission.DIRECT)
    papers = list_papers(event, drafts=drafts)
    context = {
        **build_papers_context(request, event, papers, reverse("print", args=[event.short])),
        **printing.get_standings_availability(event),
        "event": event,
        "rounds": printing.list_printable_rounds(event, drafts=drafts)[::-1],
        "sizes": tuple(Size),
        "may_direct": drafts,
        "has_trf": event.plan[0].format == "swiss" and is_swiss(event.plan),
        "refusal": refusal,
        "typed": request.POST or request.GET,
    }
    return TemplateResponse(request, "tournaments/papers/print.html", context)


def build_papers_context(
    request: HttpRequest, subject: Event | Club, papers: Sequence[PrintedPaper], address: str
) -> dict[str, object]:
    """Return the context of the list of papers, which updates itself."""
    return {
        "papers": papers,
        "papers_address": address,
        "time_zone": (subject.club if isinstance(subject, Event) else subject).time_zone,
        "etag": get_part_etag(request, get_papers_revision(subject, papers)),
    }


def get_papers_revision(subject: Event | Club, papers: Sequence[PrintedPaper]) -> str:
    return f"{get_topic(subject)}.{compute_jobs_revision([paper.job for paper in papers])}"


def render_papers_part(
    request: HttpRequest, subject: Event | Club, papers: Sequence[PrintedPaper], address: str
) -> HttpResponse:
    """Render only the list, if it has changed."""
    context = build_papers_context(request, subject, papers, address)
    page = partial(TemplateResponse, request, "tournaments/papers/papers.html", context)
    return conditional_page(request, get_papers_revision(subject, papers), page)


@require_safe
@event_helpers_only
def download_paper(request: HttpRequest, event: Event, job_id: int) -> HttpResponseBase:
    """Download a paper of the event, for some days."""
    paper = find_paper(event, job_id, drafts=has_permission(request, Permission.DIRECT))
    return download_file(paper, name=event.short)


def download_file(paper: PrintedPaper | None, *, name: str) -> HttpResponseBase:
    """Return the paper as a file. Http404 if it is missing or deleted."""
    if paper is None or paper.path is None:
        raise Http404
    return download(paper.path, name=build_file_name(paper.order, name), content_type="application/pdf")


stop_paper, retry_paper = build_job_actions("print", "short", access=event_helpers_only, get_topic=get_topic)
