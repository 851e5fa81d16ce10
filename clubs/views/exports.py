"""The tables of a club's pages as files: people, dues, team and calendar."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club, for_everybody, for_owners
from clubs.calendar import calendar_lines, held_nights, recurring_nights_of, today_in
from clubs.dues import period_at, periods_of
from clubs.exports import MOST_ROWS, calendar_table, dues_table, people_table, team_table
from clubs.models import Club
from clubs.people import people_page
from clubs.queries import members_of
from clubs.views.calendar.public import READ, calendar_revision
from web.sheets import Sheet
from web.table_files import taken_away, taken_away_by_all


@require_safe
@for_directors_of_the_club
def people(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """The people who are looked for, all of them, as a file."""
    page = people_page(
        club,
        search=request.GET.get("search", ""),
        group=request.GET.get("group", ""),
        size=MOST_ROWS,
        period=period_at(club, today_in(club)),
    )
    return taken_away(people_table(club, page.people), ending)


@require_safe
@for_directors_of_the_club
def dues(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """For which years members pay, as a file."""
    return taken_away(dues_table(club, periods_of(club)), ending)


@require_safe
@for_owners
def team(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Who has which role, as a file."""
    return taken_away(team_table(club, members_of(club)), ending)


@require_safe
@for_everybody
def calendar(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """The next nights of the club as a file."""
    club = get_object_or_404(Club, slug=slug)
    revision = calendar_revision(club, today_in(club))
    return taken_away_by_all(request, revision, ending, partial(_calendar, club))


def _calendar(club: Club) -> Sheet:
    today = today_in(club)
    lines = calendar_lines(held_nights(recurring_nights_of(club), today, today + READ), today)
    return calendar_table(club, lines)
