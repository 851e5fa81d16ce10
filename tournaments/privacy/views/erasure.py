"""Pages to erase people: a list of people who have not played for long, a preview, and the erasure."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import owners_only
from clubs.audit.history import find_club_line
from clubs.calendar import get_club_today
from clubs.models import Club
from clubs.reauthentication import require_fresh_sign_in
from clubs.views.history import run_or_render_refusal
from errors import Refusal
from tournaments.privacy.queries.erasure import build_erasure_previews, list_idle_people
from tournaments.privacy.services.erasure import MAX_PEOPLE_AT_ONCE, anonymize_people
from web.forms import parse_digits


@require_safe
@owners_only
def idle_people_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show people who have not played for a long time, and choose whom to erase."""
    idle = list_idle_people(club, get_club_today(club))
    context = {
        "club": club,
        "idle": idle[:MAX_PEOPLE_AT_ONCE],
        "count": len(idle),
        "done": find_club_line(club, request.GET.get("done", "")),
    }
    return TemplateResponse(request, "tournaments/privacy/idle.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@owners_only
@require_fresh_sign_in
def erase_people_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show what is erased and what stays, then erase the chosen people."""
    if request.method == "POST":
        people = _parse_ids(request.POST.getlist("people"))
        return run_or_render_refusal(
            request,
            club,
            "people",
            lambda by: anonymize_people(club_id=club.pk, person_ids=people, by=by),
            render_refusal=lambda refusal: _render_page(request, club, people, refusal),
        )
    people = _parse_ids(request.GET.getlist("people"))
    if not people:
        return redirect("people-to-forget", slug=club.slug)
    return _render_page(request, club, people)


def _render_page(request: HttpRequest, club: Club, people: set[int], refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "club": club,
        "farewells": build_erasure_previews(club, sorted(people)[:MAX_PEOPLE_AT_ONCE]),
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/privacy/forget.html", context)


def _parse_ids(texts: list[str]) -> set[int]:
    return {pk for pk in (parse_digits(text, max_digits=18) for text in texts) if pk is not None}
