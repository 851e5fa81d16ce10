"""Tables of a club: public calendar, seasons, ratings and records; attendance for directors."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clubs.calendar import get_club_today
from clubs.exports import build_clubs_table
from clubs.models import Club
from clubs.pages import directors_only, public_page
from clubs.queries import query_night_templates
from live.conditional_pages import read_snapshot
from tournaments.agenda.queries import get_calendar_revision, list_upcoming
from tournaments.attendance.forms import read_attendance_request
from tournaments.attendance.presenters import ATTENDED, build_attendance_page, list_nights
from tournaments.exports.presenters.clubs import (
    PART_BUILDERS,
    build_attendance_table,
    build_calendar_table,
    build_ladder_table,
    build_line_table,
    build_night_templates_table,
    build_nights_table,
    build_ratings_table,
    build_records_table,
    build_seasons_table,
)
from tournaments.models import Season
from tournaments.public.queries.club_home import list_club_seasons
from tournaments.records.access import find_pair, get_club_or_404, get_records_revision
from tournaments.records.presenters import build_club_view, build_person_view
from tournaments.records.queries import find_club_record, find_person_record, has_public_page
from tournaments.seasons.access import get_public_season_or_404, get_season_revision
from tournaments.seasons.presenters import build_ladder_view, list_line_nights
from web.public_files import public_file
from web.sheets.tables import Sheet
from web.table_files import build_shared_sheet_response, build_sheet_response


@require_safe
@read_snapshot()
@public_page
@public_file
def export_clubs(request: HttpRequest, ending: str) -> HttpResponse:
    """Download the clubs of this installation as a file."""
    return build_sheet_response(build_clubs_table(Club.objects.order_by("name", "pk")), ending)


@require_safe
@read_snapshot()
@public_page
def export_calendar(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """Download the upcoming nights and events of the club as a file."""
    club = get_object_or_404(Club, slug=slug)
    today = get_club_today(club)
    return build_shared_sheet_response(
        request,
        get_calendar_revision(club, today),
        ending,
        lambda: build_calendar_table(club, list_upcoming(club, today)),
    )


@require_safe
@read_snapshot()
@public_page
@public_file
def export_seasons(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """Download the seasons of the club as a file."""
    club = get_object_or_404(Club, slug=slug)
    return build_sheet_response(build_seasons_table(club, list_club_seasons(club)), ending)


@require_safe
@read_snapshot()
@public_page
def export_ladder(request: HttpRequest, slug: str, pk: int, ending: str, place: int = 0) -> HttpResponse:
    """Download one standings list of a season as a file."""
    season = get_public_season_or_404(slug, pk, place)
    revision = f"season.{pk}.{get_season_revision(season)}.{place}"
    return build_shared_sheet_response(
        request, revision, ending, lambda: build_ladder_table(season, build_ladder_view(season, place))
    )


@require_safe
@read_snapshot()
@public_page
def export_ladder_line(request: HttpRequest, slug: str, pk: int, place: int, key: str, ending: str) -> HttpResponse:
    """Download the nights behind one line of season standings as a file."""
    season = get_public_season_or_404(slug, pk, place)
    revision = f"line.{pk}.{get_season_revision(season)}.{place}.{key}"
    return build_shared_sheet_response(request, revision, ending, partial(_build_line_table, season, place, key))


def _build_line_table(season: Season, place: int, key: str) -> Sheet:
    view = build_ladder_view(season, place, line_key_wanted=key)
    if not view.lines:
        raise Http404
    (line,) = view.lines
    return build_line_table(season, line, list_line_nights(season, place, line))


@require_safe
@read_snapshot()
@public_page
def export_ratings(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """Download the ratings of the club as a file."""
    club = get_club_or_404(slug)
    if not club.has_ratings:
        raise Http404

    def build_table() -> Sheet:
        return build_ratings_table(club)

    return build_shared_sheet_response(request, get_records_revision(club, "ratings", None), ending, build_table)


@require_safe
@read_snapshot()
@public_page
def export_records(request: HttpRequest, slug: str, ending: str, year: int | None = None) -> HttpResponse:
    """Download the records of the club as a file, of all years or of one."""
    club = get_club_or_404(slug)
    revision = get_records_revision(club, "records", year)
    return build_shared_sheet_response(request, revision, ending, partial(_build_records_table, club, year))


def _build_records_table(club: Club, year: int | None) -> Sheet:
    records = find_club_record(club)
    if year is not None and (records is None or str(year) not in records.years):
        raise Http404
    return build_records_table(club, None if records is None else build_club_view(club, records, year), year)


@require_safe
@read_snapshot()
@public_page
def export_person(request: HttpRequest, slug: str, pk: int, ending: str) -> HttpResponse:
    """Download a part of a player's record as a file, under the public name."""
    club, part = get_club_or_404(slug), _read_part(request)
    revision = f"{get_records_revision(club, 'person', pk)}.{part}"
    return build_shared_sheet_response(
        request,
        revision,
        ending,
        partial(_build_person_table, club, pk, part=part, is_public=True),
        query_params=["part"],
    )


@require_safe
@directors_only
def export_person_at_desk(request: HttpRequest, club: Club, pk: int, ending: str) -> HttpResponse:
    """Download a part of a person's record at the desk, with full names. It includes people left out of the
    ratings."""
    return build_sheet_response(_build_person_table(club, pk, part=_read_part(request), is_public=False), ending)


def _build_person_table(club: Club, pk: int, *, part: str, is_public: bool) -> Sheet:
    record = find_person_record(club, pk)
    if record is None or (is_public and not has_public_page(club, record.person)):
        raise Http404
    return PART_BUILDERS[part](club, build_person_view(club, record, is_public=is_public))


@require_safe
@read_snapshot()
@public_page
def export_pair(request: HttpRequest, slug: str, pk: int, partner: int, ending: str) -> HttpResponse:
    """Download a part of the joint record of two players as a file, under their public names."""
    club, part = get_club_or_404(slug), _read_part(request)
    revision = f"{get_records_revision(club, 'pair', pk)}.{partner}.{part}"
    table = partial(_build_pair_table, club, (pk, partner), part=part, is_public=True)
    return build_shared_sheet_response(request, revision, ending, table, query_params=["part"])


@require_safe
@directors_only
def export_pair_at_desk(request: HttpRequest, club: Club, pk: int, partner: int, ending: str) -> HttpResponse:
    """Download a part of the joint record of two people as a file at the desk, with full names. It includes
    people left out of the ratings."""
    return build_sheet_response(
        _build_pair_table(club, (pk, partner), part=_read_part(request), is_public=False), ending
    )


def _build_pair_table(club: Club, pks: tuple[int, int], *, part: str, is_public: bool) -> Sheet:
    _, view = find_pair(club, pks, is_public=is_public)
    return PART_BUILDERS[part](club, view)


def _read_part(request: HttpRequest) -> str:
    part = request.GET.get("part", next(iter(PART_BUILDERS)))
    if part not in PART_BUILDERS:
        raise Http404
    return part


@require_safe
@directors_only
def export_attendance(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download how often each person came, as a file."""
    query = read_attendance_request(request, club)
    group = request.GET.get("group", ATTENDED)
    page = build_attendance_page(club, query["period"], search=query["search"], group=group, size=None)
    return build_sheet_response(build_attendance_table(club, query["period"], page), ending)


@require_safe
@directors_only
def export_attendance_by_night(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the attendance of each night as a file."""
    period = read_attendance_request(request, club)["period"]
    return build_sheet_response(build_nights_table(club, period, list_nights(club, period)), ending)


@require_safe
@directors_only
def export_usual_nights(request: HttpRequest, club: Club, ending: str) -> HttpResponse:
    """Download the night templates of the club as a file."""
    return build_sheet_response(build_night_templates_table(club, query_night_templates(club)), ending)
