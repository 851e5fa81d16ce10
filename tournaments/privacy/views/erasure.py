"""Pages to erase people: a list of people who have not played for long, a preview, and the erasure."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import for_owners
from clubs.audit.history import club_line
from clubs.calendar import today_in
from clubs.models import Club
from clubs.reauthentication import for_fresh_sign_in
from clubs.views.history import run_or_show_refusal
from errors import Refusal
from tournaments.privacy.queries.erasure import farewells, idle_people
from tournaments.privacy.services.erasure import MOST_AT_ONCE, anonymize_people
from web.forms import digits_in


@require_safe
@for_owners
def people_to_forget(request: HttpRequest, club: Club) -> HttpResponse:
    """Show people who have not played for a long time, and choose whom to erase."""
    idle = idle_people(club, today_in(club))
    context = {
        "club": club,
        "idle": idle[:MOST_AT_ONCE],
        "count": len(idle),
        "done": club_line(club, request.GET.get("done", "")),
    }
    return TemplateResponse(request, "tournaments/privacy/idle.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
@for_fresh_sign_in
def forget_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show what is erased and what stays, then erase the chosen people."""
    if request.method == "POST":
        people = _numbers(request.POST.getlist("people"))
        return run_or_show_refusal(
            request,
            club,
            "people",
            lambda by: anonymize_people(club_id=club.pk, person_ids=people, by=by),
            refused=lambda refusal: _page(request, club, people, refusal),
        )
    people = _numbers(request.GET.getlist("people"))
    if not people:
        return redirect("people-to-forget", slug=club.slug)
    return _page(request, club, people)


def _page(request: HttpRequest, club: Club, people: set[int], refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "club": club,
        "farewells": farewells(club, sorted(people)[:MOST_AT_ONCE]),
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/privacy/forget.html", context)


def _numbers(typed: list[str]) -> set[int]:
    return {pk for pk in (digits_in(text, most=18) for text in typed) if pk is not None}
