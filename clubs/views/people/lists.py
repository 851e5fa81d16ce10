"""The list of the club's people."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import directors_only
from clubs.audit.history import find_club_line
from clubs.calendar import get_club_today
from clubs.dues import find_current_period
from clubs.models import Club
from clubs.people import find_possible_duplicates, get_people_page
from live.conditional_pages import get_template_or_part, is_partial_request
from web.forms import parse_digits


@require_safe
@directors_only
def possible_duplicates(request: HttpRequest, club: Club) -> HttpResponse:
    """Show people who may be in the list twice."""
    return TemplateResponse(request, "clubs/people/alike.html", {"club": club, "pairs": find_possible_duplicates(club)})


@require_safe
@directors_only
def people_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show and search the club's people, a page at a time; a script fetches the list alone during typing."""
    period = find_current_period(club, get_club_today(club))
    page = get_people_page(
        club,
        search=request.GET.get("search", ""),
        group=request.GET.get("group", ""),
        number=parse_digits(request.GET.get("page", ""), max_digits=6) or 1,
        period=period,
    )
    undoable_line = find_club_line(club, request.GET.get("done", ""))
    context = {
        "club": club,
        "page": page,
        "period": period,
        "done": undoable_line,
        "is_part": is_partial_request(request),
    }
    return TemplateResponse(request, get_template_or_part(request, "clubs/people/list.html#found"), context)
