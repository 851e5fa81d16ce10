"""Tables of a club: public calendar, seasons, ratings and records; attendance for directors."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club, for_everybody
from clubs.calendar import today_in
from clubs.exports import clubs_table
from clubs.models import Club
from clubs.queries import usual_nights_of
from tournaments.agenda.queries import agenda_ahead, calendar_revision
from tournaments.attendance.forms import attendance_asked
from tournaments.attendance.presenters import CAME, attendance_page, night_lines
from tournaments.exports.presenters.attendance import attendance_table, nights_table
from tournaments.exports.presenters.calendar import calendar_table
from tournaments.exports.presenters.event_templates import usual_nights_table
from tournaments.exports.presenters.records import PARTS, ratings_table, records_table
from tournaments.exports.presenters.seasons import ladder_table, line_table, seasons_table
from tournaments.models import Season
from tournaments.public.queries.club_home import seasons_of
from tournaments.records.access import club_at, find_pair, records_revision
from tournaments.records.presenters import club_view, person_view
from tournaments.records.queries import has_a_page, record_of_person, records_of_club
from tournaments.seasons.access import season_for_everybody, season_revision
from tournaments.seasons.presenters import ladder_view, nights_behind
from web.public_files import public_file
from web.sheets import Sheet
from web.table_files import shared_sheet_response, sheet_response


@require_safe
@for_everybody
@public_file
def export_clubs(request: HttpRequest, ending: str) -> HttpResponse:
    """Download the clubs of this installation as a file."""
    return sheet_response(clubs_table(Club.objects.order_by("name", "pk")), ending)


@require_safe
@for_everybody
def export_calendar(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """Download the upcoming nights and events of the club as a file."""
    club = get_object_or_404(Club, slug=slug)
    today = today_in(club)
    return shared_sheet_response(
        request,
        calendar_revision(club, today),
        ending,
        lambda: calendar_table(club, agenda_ahead(club, today)),
    )


@require_safe
@for_everybody
@public_file
def export_seasons(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """Download the seasons of the club as a file."""
    club = get_object_or_404(Club, slug=slug)
    return sheet_response(seasons_table(club, seasons_of(club)), ending)


@require_safe
@for_everybody
def export_ladder(request: HttpRequest, slug: str, pk: int, ending: str, place: int = 0) -> HttpResponse:
    """Download one standings list of a season as a file."""
    season = season_for_everybody(slug, pk, place)
    revision = f"season.{pk}.{season_revision(season)}.{place}"
    return shared_sheet_response(
        request, revision, ending, lambda: ladder_table(season, ladder_view(season, place))
    )


@require_safe
@for_everybody
def export_ladder_line(
    request: HttpRequest, slug: str, pk: int, place: int, key: str, ending: str
) -> HttpResponse:
    """Download the nights behind one line of season standings as a file."""
    season = season_for_everybody(slug, pk, place)
    revision = f"line.{pk}.{season_revision(season)}.{place}.{key}"
    return shared_sheet_response(request, revision, ending, partial(_line, season, place, key))


def _line(season: Season, place: int, key: str) -> Sheet:
    view = ladder_view(season, place, only=key)
    if not view.lines:
        raise Http404
    (found,) = view.lines
    return line_table(season, found, nights_behind(season, place, found))


@require_safe
@for_everybody
def export_ratings(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """Download the ratings of the club as a file."""
    club = club_at(slug)
    if not club.has_ratings:
        raise Http404

    def table() -> Sheet:
        return ratings_table(club)

    return shared_sheet_response(request, records_revision(club, "ratings", None), ending, table)


@require_safe
@for_everybody
def export_records(request: HttpRequest, slug: str, ending: str, year: int | None = None) -> HttpResponse:
    """Download the records of the club as a file, of all years or of one."""
    club = club_at(slug)
    revision = records_revision(club, "records", year)
    return shared_sheet_response(request, revision, ending, partial(_records, club, year))


def _records(club: Club, year: int | None) -> Sheet:
    kept = records_of_club(club)
    if year is not None and (kept is None or str(year) not in kept.years):
        raise Http404
    return records_table(club, None if kept is None else club_view(club, kept, year), year)


@require_safe
@for_everybody
def export_person(request: HttpRequest, slug: str, pk: int, ending: str) -> HttpResponse:
    """Download a part of a player's record as a file, under the public name."""
    club, part = club_at(slug), _part(request)
    revision = f"{records_revision(club, 'person', pk)}.{part}"
    return shared_sheet_response(
        request,
        revision,
        ending,
        partial(_person, club, pk, part=part, is_public=True),
        reads=["part"],
    )


@require_safe
@for_directors_of_the_club
def export_person_at_desk(request: HttpRequest, club: Club, pk: int, ending: str) -> HttpResponse:
    """Download a part of a person's record at the desk, with full names. It includes people left out of the
    ratings."""
    return sheet_response(_person(club, pk, part=_part(request), is_public=False), ending)


def _person(club: Club, pk: int, *, part: str, is_public: bool) -> Sheet:
    kept = record_of_person(club, pk)
    if kept is None or (is_public and not has_a_page(club, kept.person)):
        raise Http404
    return PARTS[part](club, person_view(club, kept, is_public=is_public))


@require_safe
@for_everybody
def export_pair(request: HttpRequest, slug: str, pk: int, partner: int, ending: str) -> HttpResponse:
    """Download a part of the joint record of two players as a file, under their public names."""
    club, part = club_at(slug), _part(request)
    revision = f"{records_revision(club, 'pair', pk)}.{partner}.{part}"
    table = partial(_pair, club, (pk, partner), part=part, is_public=True)
    return shared_sheet_response(request, revision, ending, table, reads=["part"])


@require_safe
@for_directors_of_the_club
def export_pair_at_desk(request: HttpRequest, club: Club, pk: int, partner: int, ending: str) -> HttpResponse:
    """Download a part of the joint record of two people as a file at the desk, with full names. It includes
    people left out of the ratings."""
    return sheet_response(_pair(club, (pk, partner), part=_part(request), is_public=False), ending)


def _pair(club: Club, pks: tuple[int, int], *, part: str, is_public: bool) -> Sheet:
    _, view = find_pair(club, pks, is_public=is_public)
    return PARTS[part](club, view)


def _part(request: HttpRequest) -> str:
    part = request.GET.get("part", next(iter(PARTS)))
    if part not in PARTS:
        raise Http404
    return part


@require_safe
@for_directors_of_the_club
def export_attendance(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download how often each person came, as a file."""
    asked = attendance_asked(request, club)
    group = request.GET.get("group", CAME)
    page = attendance_page(club, asked["period"], search=asked["search"], group=group, size=None)
    return sheet_response(attendance_table(club, asked["period"], page), ending)


@require_safe
@for_directors_of_the_club
def export_attendance_by_night(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the attendance of each night as a file."""
    period = attendance_asked(request, club)["period"]
    return sheet_response(nights_table(club, period, night_lines(club, period)), ending)


@require_safe
@for_directors_of_the_club
def export_usual_nights(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the night templates of the club as a file."""
    return sheet_response(usual_nights_table(club, usual_nights_of(club)), ending)
