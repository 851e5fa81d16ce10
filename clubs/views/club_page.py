"""What the club's own page tells of it: the hall, a text, how to reach it."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_owners
from clubs.audit.history import club_line
from clubs.models import Club
from clubs.services import ClubPage
from clubs.views.history import run_or_show_refusal
from rules import Refusal


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def club_page_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """Where the club plays, and what its public page tells of it."""
    names = [each.name for each in fields(ClubPage)]
    if request.method != "POST":
        return _page(request, club, asdict(ClubPage(**{name: getattr(club, name) for name in names})))
    page = ClubPage(**{name: request.POST.get(name, "") for name in names})
    return run_or_show_refusal(
        request,
        club,
        "club-page",
        lambda by: services.change_club_page(club_id=club.pk, page=page, by=by),
        refused=partial(_page, request, club, request.POST.dict()),
    )


def _page(
    request: HttpRequest, club: Club, typed: Mapping[str, str], refusal: Refusal | None = None
) -> HttpResponse:
    context = {
        "club": club,
        "typed": typed,
        "refusal": refusal,
        "done": club_line(club, request.GET.get("done", "")),
    }
    return TemplateResponse(request, "clubs/club_page.html", context)
