"""Downloads of a club's tables: people, dues and team."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club, for_owners
from clubs.calendar import today_in
from clubs.dues import period_at, periods_of
from clubs.exports import dues_table, people_table, team_table
from clubs.models import Club
from clubs.people import people_page
from clubs.queries import members_of
from clubs.reauthentication import for_fresh_sign_in
from web.table_files import sheet_response


@require_safe
@for_directors_of_the_club
@for_fresh_sign_in
def export_people(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download all people that match the search."""
    page = people_page(
        club,
        search=request.GET.get("search", ""),
        group=request.GET.get("group", ""),
        size=None,
        period=period_at(club, today_in(club)),
    )
    return sheet_response(people_table(club, page.people), ending)


@require_safe
@for_directors_of_the_club
def export_dues(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the dues periods."""
    return sheet_response(dues_table(club, periods_of(club)), ending)


@require_safe
@for_owners
@for_fresh_sign_in
def export_team(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the team with its roles."""
    return sheet_response(team_table(club, members_of(club)), ending)
