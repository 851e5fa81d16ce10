"""Pages to print a club's lists: its people, and attendance."""

from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import directors_only
from clubs.calendar import get_club_today
from clubs.job_pages import build_job_actions
from clubs.models import Club
from clubs.people import GROUPS
from errors import Refusal
from live.conditional_pages import is_partial_request
from tournaments.attendance.forms import get_club_year, parse_period
from tournaments.attendance.presenters import Period
from tournaments.papers.forms import read_order
from tournaments.papers.orders import CLUB_PAPERS, Paper
from tournaments.papers.paper_files import find_paper, get_topic, list_papers
from tournaments.papers.services import order_paper
from tournaments.papers.typesetting.documents import Size

from .orders import build_papers_context, download_file, render_papers_part


@require_http_methods(["GET", "HEAD", "POST"])
@directors_only
def club_print_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Order the papers of the club, and see those that are ready."""
    if request.method == "POST":
        try:
            _order_from_form(request, club)
        except Refusal as refusal:
            return _render_orders(request, club, refusal)
        return redirect("club-print", slug=club.slug)
    if not is_partial_request(request):
        return _render_orders(request, club)
    return render_papers_part(request, club, list_papers(club, drafts=True), reverse("club-print", args=[club.slug]))


def _order_from_form(request: HttpRequest, club: Club) -> None:
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


def _render_orders(request: HttpRequest, club: Club, refusal: Refusal | None = None) -> HttpResponse:
    typed = request.POST or request.GET
    try:
        period = _read_period(typed, club)
        days = {"starts": period.starts.isoformat(), "ends": period.ends.isoformat()}
    except Refusal:
        days = {name: typed.get(name, "") for name in ("starts", "ends")}
    papers = list_papers(club, drafts=True)
    context = {
        **build_papers_context(request, club, papers, reverse("club-print", args=[club.slug])),
        "club": club,
        "groups": tuple(GROUPS),
        "group": typed.get("group", "members"),
        "sizes": tuple(Size),
        "typed": typed,
        "days": days,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/papers/club.html", context)


@require_safe
@directors_only
def download_club_paper(request: HttpRequest, club: Club, job_id: int) -> HttpResponseBase:
    """Download a paper of the club, for some days."""
    return download_file(find_paper(club, job_id, drafts=True), name=club.slug)


stop_club_paper, retry_club_paper = build_job_actions("club-print", "slug", access=directors_only, get_topic=get_topic)
