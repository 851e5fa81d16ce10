"""Period of an attendance page: a season, or two dates."""

import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.http import urlencode

from clubs.calendar import FIRST_MONTH, today_in
from clubs.models import Club
from errors import Refusal
from live.conditional_pages import asks_for_part
from tournaments.attendance.presenters import Period
from tournaments.models import Season
from web.forms import FormReader, digits_in


def attendance_asked(request: HttpRequest, club: Club) -> dict[str, Any]:
    """Read the period: a chosen season, two dates, or today's season."""
    seasons = list(club.seasons.defer("rows", "scores", "ladders", "left_out"))
    today, refusal, chosen = today_in(club), None, None
    asked = {name: request.GET.get(name, "") for name in ("season", "starts", "ends")}
    if asked["starts"] or asked["ends"]:
        period, refusal = typed_period(asked, today)
    else:
        pk = digits_in(asked["season"], most=18)
        chosen = next((one for one in seasons if one.pk == pk), None) or _season_of(seasons, today)
        period = year_of(today) if chosen is None else Period(starts=chosen.starts, ends=chosen.ends)
    days = {"starts": period.starts.isoformat(), "ends": period.ends.isoformat()}
    return {
        "club": club,
        "seasons": seasons,
        "season": chosen,
        "period": period,
        "kept": urlencode(days if chosen is None else {"season": chosen.pk}),
        "typed": days | ({name: asked[name] for name in days} if refusal else {}),
        "search": request.GET.get("search", ""),
        "is_part": asks_for_part(request),
        "refusal": refusal,
    }


def typed_period(asked: dict[str, str], today: datetime.date) -> tuple[Period, Refusal | None]:
    """Read the dates; if they are invalid or in the wrong order, return this year's, and why."""
    form = FormReader(asked)
    starts, ends = form.day("starts", required="day_required"), form.day("ends", required="day_required")
    if starts is not None and ends is not None and ends < starts:
        form.refuse(Refusal("last_before_first", field="ends"))
    try:
        form.finish()
    except Refusal as refusal:
        return year_of(today), refusal
    assert starts is not None
    assert ends is not None
    return Period(starts=starts, ends=ends), None


def _season_of(seasons: list[Season], day: datetime.date) -> Season | None:
    return next((one for one in seasons if one.starts <= day <= one.ends), None)


def year_of(day: datetime.date) -> Period:
    """Return the club year of a day, from September to August."""
    year = day.year if day.month >= FIRST_MONTH else day.year - 1
    return Period(
        starts=datetime.date(year, FIRST_MONTH, 1), ends=datetime.date(year + 1, FIRST_MONTH - 1, 31)
    )
