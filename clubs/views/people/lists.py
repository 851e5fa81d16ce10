"""The list of the club's people."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club
from clubs.audit.history import club_line
from clubs.calendar import today_in
from clubs.dues import period_at
from clubs.models import Club
from clubs.people import alike_people, people_page
from live.conditional_pages import asks_for_part, page_or_part
from web.forms import digits_in


@require_safe
@for_directors_of_the_club
def alike(request: HttpRequest, club: Club) -> HttpResponse:
    """Show people who may be in the list twice."""
    return TemplateResponse(request, "clubs/people/alike.html", {"club": club, "pairs": alike_people(club)})


@require_safe
@for_directors_of_the_club
def people(request: HttpRequest, club: Club) -> HttpResponse:
    """Show and search the club's people, a page at a time; a script fetches the list alone during typing."""
    period = period_at(club, today_in(club))
    page = people_page(
        club,
        search=request.GET.get("search", ""),
        group=request.GET.get("group", ""),
        number=digits_in(request.GET.get("page", ""), most=6) or 1,
        period=period,
    )
    done = club_line(club, request.GET.get("done", ""))
    context = {
        "club": club,
        "page": page,
        "period": period,
        "done": done,
        "is_part": asks_for_part(request),
    }
    return TemplateResponse(request, page_or_part(request, "clubs/people/list.html#found"), context)
