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

from clubs.access import may
from clubs.job_pages import job_buttons
from clubs.models import Club
from clubs.policy import Permission
from errors import Refusal
from jobs.queries import revision_of
from live.conditional_pages import asks_for_part, conditional_page, part_tag
from tournaments.event_files.queries.trf import is_swiss
from tournaments.events.views.access import for_helpers
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from tournaments.papers import presenters as printing
from tournaments.papers.forms import read_order
from tournaments.papers.orders import CLUB_PAPERS, FOR_DIRECTORS, OF_A_ROUND, Paper
from tournaments.papers.paper_files import MadePaper, paper_of, papers_of, topic_of
from tournaments.papers.services import order_paper
from tournaments.papers.typesetting import Size
from web.downloads import download
from web.qr import origin_for_phones

OFFERED = tuple(paper for paper in Paper if paper not in CLUB_PAPERS)


@require_http_methods(["GET", "HEAD", "POST"])
@for_helpers
def print_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Order the papers of the event, follow their progress, and see those that are ready."""
    if request.method == "POST":
        try:
            order_chosen_paper(request, event)
        except Refusal as refusal:
            return shown_print_page(request, event, refusal)
        return redirect("print", short=event.short)
    if not asks_for_part(request):
        return shown_print_page(request, event)
    papers = papers_of(event, drafts=may(request, Permission.DIRECT))
    return papers_part(request, event, papers, reverse("print", args=[event.short]))


def order_chosen_paper(request: HttpRequest, event: Event) -> None:
    """Order the paper of the form. Refuses: form_refused, nothing_to_print, club_disk_full."""
    may_direct = may(request, Permission.DIRECT)
    offered = [paper for paper in OFFERED if may_direct or paper not in FOR_DIRECTORS]
    order = read_order(request.POST, of=event.pk, offered=offered, sections=len(event.sections))
    order = replace(order, language=(get_language() or "fr")[:2], origin=origin_for_phones(request))
    if order.paper in OF_A_ROUND:
        drawn = printing.printed_round(event, str(order.round), drafts=may_direct)
        if drawn is None:
            raise Refusal("nothing_to_print")
        order = replace(order, round=drawn.number, drafts=drawn.state == RoundState.DRAFT)
    order_paper(order=order, topic=topic_of(event), club_id=event.club_id)


def shown_print_page(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    """Render the whole page, with the refusal if there is one."""
    drafts = may(request, Permission.DIRECT)
    papers = papers_of(event, drafts=drafts)
    context = {
        **papers_context(request, event, papers, reverse("print", args=[event.short])),
        **printing.standings_freshness(event),
        "event": event,
        "rounds": printing.printable_rounds(event, drafts=drafts)[::-1],
        "sizes": tuple(Size),
        "may_direct": drafts,
        "has_trf": event.plan[0].format == "swiss" and is_swiss(event.plan),
        "refusal": refusal,
        "typed": request.POST or request.GET,
    }
    return TemplateResponse(request, "tournaments/papers/print.html", context)


def papers_context(
    request: HttpRequest, of: Event | Club, papers: Sequence[MadePaper], address: str
) -> dict[str, object]:
    """Return the context of the list of papers, which updates itself."""
    return {
        "papers": papers,
        "papers_address": address,
        "time_zone": (of.club if isinstance(of, Event) else of).time_zone,
        "etag": part_tag(request, papers_revision(of, papers)),
    }


def papers_revision(of: Event | Club, papers: Sequence[MadePaper]) -> str:
    return f"{topic_of(of)}.{revision_of([paper.job for paper in papers])}"


def papers_part(
    request: HttpRequest, of: Event | Club, papers: Sequence[MadePaper], address: str
) -> HttpResponse:
    """Render only the list, if it has changed."""
    context = papers_context(request, of, papers, address)
    page = partial(TemplateResponse, request, "tournaments/papers/papers.html", context)
    return conditional_page(request, papers_revision(of, papers), page)


@require_safe
@for_helpers
def download_paper(request: HttpRequest, event: Event, job_id: int) -> HttpResponseBase:
    """Download a paper of the event, for some days."""
    paper = paper_of(event, job_id, drafts=may(request, Permission.DIRECT))
    return download_file(paper, name=event.short)


def download_file(paper: MadePaper | None, *, name: str) -> HttpResponseBase:
    """Return the paper as a file. Http404 if it is missing or deleted."""
    if paper is None or paper.path is None:
        raise Http404
    return download(paper.path, name=f"{name}-{paper.order.paper}.pdf", content_type="application/pdf")


stop_paper, make_paper_again = job_buttons("print", "short", door=for_helpers, topic_of=topic_of)
