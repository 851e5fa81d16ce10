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

from clubs.access import for_directors_of_the_club
from clubs.calendar import today_in
from clubs.job_pages import job_buttons
from clubs.models import Club
from clubs.people import GROUPS
from errors import Refusal
from live.conditional_pages import asks_for_part
from tournaments.attendance.forms import typed_period, year_of
from tournaments.attendance.presenters import Period
from tournaments.papers.forms import read_order
from tournaments.papers.orders import CLUB_PAPERS, Paper
from tournaments.papers.paper_files import paper_of, papers_of, topic_of
from tournaments.papers.services import order_paper
from tournaments.papers.typesetting import Size

from .orders import download_file, papers_context, papers_part


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def club_print_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Order the papers of the club, and see those that are ready."""
    if request.method == "POST":
        try:
            _order(request, club)
        except Refusal as refusal:
            return _render_orders(request, club, refusal)
        return redirect("club-print", slug=club.slug)
    if not asks_for_part(request):
        return _render_orders(request, club)
    return papers_part(request, club, papers_of(club, drafts=True), reverse("club-print", args=[club.slug]))


def _order(request: HttpRequest, club: Club) -> None:
    """Order the paper of the form. Refuses: form_refused."""
    order = read_order(request.POST, of=club.pk, offered=tuple(CLUB_PAPERS))
    order = replace(order, language=(get_language() or "fr")[:2])
    if order.paper is Paper.ATTENDANCE:
        period = _period(request.POST, club)
        order = replace(order, starts=period.starts.isoformat(), ends=period.ends.isoformat())
    elif request.POST.get("group") in GROUPS:
        order = replace(order, group=request.POST["group"])
    order_paper(order=order, topic=topic_of(club), club_id=club.pk)


def _period(typed: Mapping[str, str], club: Club) -> Period:
    """Read the two days, by default those of this year. Refuses: form_refused."""
    asked = {name: typed.get(name, "") for name in ("starts", "ends")}
    if not any(asked.values()):
        return year_of(today_in(club))
    period, refusal = typed_period(asked, today_in(club))
    if refusal is not None:
        raise refusal
    return period


def _render_orders(request: HttpRequest, club: Club, refusal: Refusal | None = None) -> HttpResponse:
    typed = request.POST or request.GET
    try:
        period = _period(typed, club)
        days = {"starts": period.starts.isoformat(), "ends": period.ends.isoformat()}
    except Refusal:
        days = {name: typed.get(name, "") for name in ("starts", "ends")}
    papers = papers_of(club, drafts=True)
    context = {
        **papers_context(request, club, papers, reverse("club-print", args=[club.slug])),
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
@for_directors_of_the_club
def download_club_paper(request: HttpRequest, club: Club, job_id: int) -> HttpResponseBase:
    """Download a paper of the club, for some days."""
    return download_file(paper_of(club, job_id, drafts=True), name=club.slug)


stop_club_paper, make_club_paper_again = job_buttons(
    "club-print", "slug", door=for_directors_of_the_club, topic_of=topic_of
)
