"""Pages of attendance: who came to which nights of a club, in a season or between two dates."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club
from clubs.models import Club
from live.conditional_pages import page_or_part
from web.forms import digits_in

from .forms import attendance_asked
from .presenters import CAME, attendance_page, night_lines


@require_safe
@for_directors_of_the_club
def attendance_by_person(request: HttpRequest, club: Club) -> HttpResponse:
    """Show how often each person came, with their nights; a script fetches only the list."""
    context = attendance_asked(request, club)
    context["page"] = attendance_page(
        club,
        context["period"],
        search=context["search"],
        group=request.GET.get("group", CAME),
        number=digits_in(request.GET.get("page", ""), most=6) or 1,
    )
    template = page_or_part(request, "tournaments/attendance/people.html#found")
    return TemplateResponse(request, template, context)


@require_safe
@for_directors_of_the_club
def attendance_by_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Show how many people came to each night."""
    context = attendance_asked(request, club)
    context["nights"] = night_lines(club, context["period"])
    return TemplateResponse(request, "tournaments/attendance/nights.html", context)
