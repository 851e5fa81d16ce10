"""Pages of papers: ordered at the desk, by a club or by everybody, and those printed from the browser."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from clubs.absolute_urls import get_feed_language
from clubs.calendar import get_club_today
from clubs.job_pages import build_job_actions
from clubs.models import Club
from clubs.pages import directors_only, has_permission, is_submitted, note_refusal, show_refusals
from clubs.people import GROUPS
from clubs.policy import Permission
from errors import Refusal, get_or_refuse
from jobs.queries import compute_jobs_revision
from live.conditional_pages import conditional_page, get_part_etag, is_partial_request, shared_response
from scoring.qr import render_card_qr_code
from tournaments.attendance.forms import get_club_year, parse_period
from tournaments.attendance.presenters import Period
from tournaments.event_files.queries.trf import is_swiss
from tournaments.events.views.access import event_helpers_only, public_event_required
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round
from tournaments.papers import presenters as printing
from tournaments.papers.contents import build_file_name
from tournaments.papers.contents.posters import build_poster
from tournaments.papers.forms import read_order
from tournaments.papers.orders import CLUB_PAPERS, DIRECTOR_PAPERS, ROUND_PAPERS, Order, Paper
from tournaments.papers.paper_files import PrintedPaper, find_paper, get_topic, list_papers
from tournaments.papers.public_papers import PublicPaper
from tournaments.papers.services import order_paper
from tournaments.papers.typesetting.documents import Size
from tournaments.standings.queries.standings import get_computed_at
from web.downloads import download
from web.not_found import get_or_404
from web.qr import get_phone_origin

EVENT_PAPERS = tuple(paper for paper in Paper if paper not in CLUB_PAPERS)


@event_helpers_only
@show_refusals
def print_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Order the papers of the event, follow their progress, and see those that are ready."""
    if is_submitted(request):
        _order_event_paper(request, event)
        return redirect("print", short=event.short)
    if request.method == "POST" or not is_partial_request(request):
        return _render_event_page(request, event)
    papers = list_papers(event, drafts=has_permission(request, Permission.DIRECT))
    return _render_papers_part(request, event, papers, reverse("print", args=[event.short]))


def _order_event_paper(request: HttpRequest, event: Event) -> None:
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


def _render_event_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Render the whole page."""
    drafts = has_permission(request, Permission.DIRECT)
    papers = list_papers(event, drafts=drafts)
    context = {
        **_build_papers_context(request, event, papers, reverse("print", args=[event.short])),
        **printing.get_standings_availability(event),
        "event": event,
        "rounds": printing.list_printable_rounds(event, drafts=drafts)[::-1],
        "sizes": tuple(Size),
        "may_direct": drafts,
        "has_trf": event.plan[0].format == "swiss" and is_swiss(event.plan),
        "typed": request.POST or request.GET,
    }
    return TemplateResponse(request, "tournaments/papers/print.html", context)


def _build_papers_context(
    request: HttpRequest, subject: Event | Club, papers: Sequence[PrintedPaper], address: str
) -> dict[str, object]:
    """Return the context of the list of papers, which updates itself."""
    return {
        "papers": papers,
        "papers_address": address,
        "time_zone": (subject.club if isinstance(subject, Event) else subject).time_zone,
        "etag": get_part_etag(request, _get_papers_revision(subject, papers)),
    }


def _get_papers_revision(subject: Event | Club, papers: Sequence[PrintedPaper]) -> str:
    return f"{get_topic(subject)}.{compute_jobs_revision([paper.job for paper in papers])}"


def _render_papers_part(
    request: HttpRequest, subject: Event | Club, papers: Sequence[PrintedPaper], address: str
) -> HttpResponse:
    """Render only the list, if it has changed."""
    context = _build_papers_context(request, subject, papers, address)
    page = partial(TemplateResponse, request, "tournaments/papers/papers.html", context)
    return conditional_page(request, _get_papers_revision(subject, papers), page)


@require_safe
@event_helpers_only
def download_paper(request: HttpRequest, event: Event, job_id: int) -> HttpResponseBase:
    """Download a paper of the event, for some days."""
    paper = find_paper(event, job_id, drafts=has_permission(request, Permission.DIRECT))
    return _download_file(paper, name=event.short)


def _download_file(paper: PrintedPaper | None, *, name: str) -> HttpResponseBase:
    """Return the paper as a file. Http404 if it is missing or deleted."""
    if paper is None or paper.path is None:
        raise Http404
    return download(paper.path, name=build_file_name(paper.order, name), content_type="application/pdf")


stop_paper, retry_paper = build_job_actions("print", "short", access=event_helpers_only, get_topic=get_topic)


@directors_only
@show_refusals
def club_print_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Order the papers of the club, and see those that are ready."""
    if is_submitted(request):
        _order_club_paper(request, club)
        return redirect("club-print", slug=club.slug)
    if request.method == "POST" or not is_partial_request(request):
        return _render_club_page(request, club)
    return _render_papers_part(request, club, list_papers(club, drafts=True), reverse("club-print", args=[club.slug]))


def _order_club_paper(request: HttpRequest, club: Club) -> None:
    """Order the paper of the form. Refuses: form_refused."""
    order = read_order(request.POST, subject_id=club.pk, allowed=tuple(CLUB_PAPERS))
    order = replace(order, language=(get_language() or "fr")[:2])
    if order.paper is Paper.ATTENDANCE:
        period = _read_period(request.POST, club)
        order = replace(order, starts=period.starts.isoformat(), ends=period.ends.isoformat())
    elif request.POST.get("group") in GROUPS:
        order = replace(order, group=request.POST["group"])
    order_paper(order=order, topic=get_topic(club), club_id=club.pk)


def _read_period(typed: Mapping[str, str], club: Club) -> Period:
    """Read the two days, by default those of this year. Refuses: form_refused."""
    days = {name: typed.get(name, "") for name in ("starts", "ends")}
    if not any(days.values()):
        return get_club_year(get_club_today(club))
    period, refusal = parse_period(days, get_club_today(club))
    if refusal is not None:
        raise refusal
    return period


def _render_club_page(request: HttpRequest, club: Club) -> HttpResponse:
    typed = request.POST or request.GET
    try:
        period = _read_period(typed, club)
        days = {"starts": period.starts.isoformat(), "ends": period.ends.isoformat()}
    except Refusal:
        days = {name: typed.get(name, "") for name in ("starts", "ends")}
    papers = list_papers(club, drafts=True)
    context = {
        **_build_papers_context(request, club, papers, reverse("club-print", args=[club.slug])),
        "club": club,
        "groups": tuple(GROUPS),
        "group": typed.get("group", "members"),
        "sizes": tuple(Size),
        "typed": typed,
        "days": days,
    }
    return TemplateResponse(request, "tournaments/papers/club.html", context)


@require_safe
@directors_only
def download_club_paper(request: HttpRequest, club: Club, job_id: int) -> HttpResponseBase:
    """Download a paper of the club, for some days."""
    return _download_file(find_paper(club, job_id, drafts=True), name=club.slug)


stop_club_paper, retry_club_paper = build_job_actions("club-print", "slug", access=directors_only, get_topic=get_topic)


@require_safe
@event_helpers_only
def round_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the last round, or ``?round=``, by table, or ``?by=name``."""
    chosen_round = _get_chosen_round(request, event)
    if request.GET.get("by") == "name":
        pages = printing.list_by_name(chosen_round)
        return _render_paper(request, "names", event, round=chosen_round, pages=pages)
    return _render_paper(request, "tables", event, round=chosen_round, view=printing.list_by_table(chosen_round))


@require_safe
@event_helpers_only
def score_sheets(request: HttpRequest, event: Event) -> HttpResponse:
    """Print a score sheet for every table of the round, or for those of ``?tables=1,4-6``."""
    chosen_round = _get_chosen_round(request, event)
    try:
        chosen = printing.parse_table_numbers(request.GET.get("tables", ""))
        sheets = printing.sheets_of(event, chosen_round, chosen)
    except Refusal as refusal:
        note_refusal(request, refusal)
        return _render_event_page(request, event)
    origin = get_phone_origin(request)
    sheets_with_codes = [(sheet, render_card_qr_code(origin, sheet.card) if sheet.card else "") for sheet in sheets]
    return _render_sheets(request, event, sheets_with_codes, round=chosen_round)


@require_safe
@event_helpers_only
def blank_sheet(request: HttpRequest, event: Event) -> HttpResponse:
    """Print one score sheet without names, to be copied."""
    return _render_sheets(request, event, [(printing.ScoreSheet(), "")])


@require_safe
@event_helpers_only
def printed_standings(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the standings as last computed."""
    metrics, rows = printing.build_standings_list(event)
    computed_at = get_computed_at(event)
    return _render_paper(request, "standings", event, metrics=metrics, rows=rows, counted_at=computed_at)


def _render_sheets(
    request: HttpRequest, event: Event, sheets: list[tuple[printing.ScoreSheet, str]], **extra: Any
) -> HttpResponse:
    contracts = printing.list_special_contracts(event.terms.ruleset)
    return _render_paper(
        request, "sheets", event, sheets=sheets, lines=printing.SHEET_LINES, contracts=contracts, **extra
    )


def _render_paper(request: HttpRequest, template_name: str, event: Event, **extra: Any) -> HttpResponse:
    context = {"event": event, "printed_at": timezone.now(), **extra}
    return TemplateResponse(request, f"tournaments/papers/{template_name}.html", context)


def _get_chosen_round(request: HttpRequest, event: Event) -> Round:
    return get_or_404(
        printing.find_printable_round(
            event, request.GET.get("round", ""), drafts=has_permission(request, Permission.DIRECT)
        )
    )


@require_safe
@public_event_required
def poster_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the poster of the event as PDF on Letter, or ``?size=a4``; in the address’s language or the
    club’s."""
    size = Size.A4 if request.GET.get("size") == Size.A4 else Size.LETTER
    return _render_poster(request, event, size, "pdf", "application/pdf")


@require_safe
@public_event_required
def poster_picture(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the poster of the event as a picture, in the language of the address or the club."""
    return _render_poster(request, event, Size.LETTER, "png", "image/png")


def _render_poster(request: HttpRequest, event: Event, size: Size, kind: str, content_type: str) -> HttpResponse:
    language = get_feed_language(request, event.club)
    order = Order(paper=Paper.POSTER, of=event.pk, size=size, language=language, origin=get_phone_origin(request))
    with override(language):
        paper = PublicPaper(build_poster(event, order), kind)
    name = content_disposition_header(as_attachment=False, filename=build_file_name(order, event.short, kind))

    def build_response() -> HttpResponse:
        content = paper.get_content(event.club_id)
        return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": name or ""})

    return shared_response(request, paper.digest, build_response)
