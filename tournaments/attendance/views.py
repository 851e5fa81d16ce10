"""Pages of attendance: who came to which nights of a club, in a season or between two dates."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.pages import directors_only
from live.conditional_pages import get_template_or_part
from web.forms import parse_digits

from .forms import read_attendance_request
from .presenters import ATTENDED, build_attendance_page, list_nights


@require_safe
@directors_only
def attendance_by_person(request: HttpRequest, club: Club) -> HttpResponse:
    """Show how often each person came, with their nights; a script fetches only the list."""
    context = read_attendance_request(request, club)
    context["page"] = build_attendance_page(
        club,
        context["period"],
        search=context["search"],
        group=request.GET.get("group", ATTENDED),
        number=parse_digits(request.GET.get("page", ""), max_digits=6) or 1,
    )
    template = get_template_or_part(request, "tournaments/attendance/people.html#found")
    return TemplateResponse(request, template, context)


@require_safe
@directors_only
def attendance_by_night(request: HttpRequest, club: Club) -> HttpResponse:
    """Show how many people came to each night."""
    context = read_attendance_request(request, club)
    context["nights"] = list_nights(club, context["period"])
    return TemplateResponse(request, "tournaments/attendance/nights.html", context)
