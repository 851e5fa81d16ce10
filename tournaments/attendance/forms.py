"""Period of an attendance page: a season, or two dates."""

import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.http import urlencode

from clubs.calendar import FIRST_MONTH, get_club_today
from clubs.models import Club
from errors import Refusal
from live.conditional_pages import is_partial_request
from tournaments.attendance.presenters import Period
from tournaments.models import Season
from web.forms import FormReader, parse_digits


def read_attendance_request(request: HttpRequest, club: Club) -> dict[str, Any]:
    """Read the period: a chosen season, two dates, or today's season."""
    seasons = list(club.seasons.defer("rows", "scores", "ladders", "left_out"))
    today, refusal, chosen = get_club_today(club), None, None
    query = {name: request.GET.get(name, "") for name in ("season", "starts", "ends")}
    if query["starts"] or query["ends"]:
        period, refusal = parse_period(query, today)
    else:
        pk = parse_digits(query["season"], max_digits=18)
        chosen = next((season for season in seasons if season.pk == pk), None) or _find_season(seasons, today)
        period = get_club_year(today) if chosen is None else Period(starts=chosen.starts, ends=chosen.ends)
    days = {"starts": period.starts.isoformat(), "ends": period.ends.isoformat()}
    return {
        "club": club,
        "seasons": seasons,
        "season": chosen,
        "period": period,
        "period_query": urlencode(days if chosen is None else {"season": chosen.pk}),
        "typed": days | ({name: query[name] for name in days} if refusal else {}),
        "search": request.GET.get("search", ""),
        "is_part": is_partial_request(request),
        "refusal": refusal,
    }


def parse_period(fields: dict[str, str], today: datetime.date) -> tuple[Period, Refusal | None]:
    """Read the dates; if they are invalid or in the wrong order, return this year's, and why."""
    form = FormReader(fields)
    starts, ends = form.read_day("starts", required="day_required"), form.read_day("ends", required="day_required")
    if starts is not None and ends is not None and ends < starts:
        form.refuse(Refusal("last_before_first", field="ends"))
    try:
        form.raise_refusals()
    except Refusal as refusal:
        return get_club_year(today), refusal
    assert starts is not None
    assert ends is not None
    return Period(starts=starts, ends=ends), None


def _find_season(seasons: list[Season], day: datetime.date) -> Season | None:
    return next((season for season in seasons if season.starts <= day <= season.ends), None)


def get_club_year(day: datetime.date) -> Period:
    """Return the club year of a day, from September to August."""
    year = day.year if day.month >= FIRST_MONTH else day.year - 1
    return Period(starts=datetime.date(year, FIRST_MONTH, 1), ends=datetime.date(year + 1, FIRST_MONTH - 1, 31))
