"""Downloads of a club's tables: people, dues and team."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.calendar import get_club_today
from clubs.dues import find_current_period, list_dues_periods
from clubs.exports import build_dues_table, build_people_table, build_team_table
from clubs.models import Club
from clubs.pages import directors_only, owners_only
from clubs.people import get_people_page
from clubs.queries import list_team
from clubs.reauthentication import require_fresh_sign_in
from web.table_files import build_sheet_response


@require_safe
@directors_only
@require_fresh_sign_in
def export_people(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download all people that match the search."""
    page = get_people_page(
        club,
        search=request.GET.get("search", ""),
        group=request.GET.get("group", ""),
        size=None,
        period=find_current_period(club, get_club_today(club)),
    )
    return build_sheet_response(build_people_table(club, page.people), ending)


@require_safe
@directors_only
def export_dues(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the dues periods."""
    return build_sheet_response(build_dues_table(club, list_dues_periods(club)), ending)


@require_safe
@owners_only
@require_fresh_sign_in
def export_team(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the team with its roles."""
    return build_sheet_response(build_team_table(club, list_team(club)), ending)
