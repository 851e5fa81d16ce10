"""Presenters of a federation: standings, the nights behind each number, ratings, dates and months."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clubs.calendar import get_club_today
from clubs.name_formats import join_names
from engine.json_values import read_value
from engine.ladders import Ladder, ladder_from_json

from .models import Federation
from .serialization import get_stored_standings

MOST_LINES = 500
"""Number of lines on a page; the page also says how many there are in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FederationNightView:
    """A night of a club. ``page`` is its page at the club and ``log`` the log entry that signs it, each "" if
    there is none. ``is_corrected`` if its standings were published more than once; ``of`` is the number of
    entries."""

    club: str
    name: str
    held_on: datetime.date
    page: str
    log: str
    is_corrected: bool
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GainView:
    """Points that a line, a person or a pair by its ``names``, gained in one night."""

    names: str
    night: FederationNightView
    rank: int
    gained: int
    is_counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """A line of the standings."""

    key: str
    names: str
    clubs: str
    rank: int | None
    total: int
    bonus: int
    gains: tuple[GainView, ...]

    @property
    def nights(self) -> int:
        return len(self.gains)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A rating after a night, with the number of rated matches so far."""

    night: FederationNightView
    rating: int
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingView:
    key: str
    name: str
    clubs: str
    rank: int
    rating: int
    margin: int
    matches: int
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateView:
    """An upcoming date; ``starts_at`` is None if no time is given."""

    day: datetime.date
    starts_at: datetime.time | None
    club: str
    name: str
    place: str
    page: str
    is_off: bool


def get_ladder(federation: Federation) -> Ladder:
    return ladder_from_json(federation.ladder)


def list_ladder_lines(federation: Federation, *, key: str | None = None) -> list[LineView]:
    """List the lines of the standings, best first, or only the one with this ``key``. No query."""
    data = get_stored_standings(federation)
    nights = [_build_night(each) for each in data["nights"]]
    chosen = (line for line in data["ladder"] if key is None or line["key"] == key)
    return [_build_line(line, nights) for line in chosen]


def list_rating_lines(federation: Federation, *, key: str | None = None) -> list[RatingView]:
    """List the ratings, highest first, or only the one with this ``key``. No query."""
    data = get_stored_standings(federation)
    nights = [_build_night(each) for each in data["nights"]]
    chosen = (line for line in data["ratings"] if key is None or line["key"] == key)
    return [_build_rating(line, nights) for line in chosen]


def list_upcoming_dates(federation: Federation) -> list[DateView]:
    """List the dates from today on, by day and time. No query."""
    today = get_club_today(federation.club)
    dates = (_build_date(each) for each in get_stored_standings(federation)["dates"])
    return [date for date in dates if date.day >= today]


def list_months(federation: Federation) -> list[datetime.date]:
    """List the first day of each month in which a night was held, newest first. No query."""
    days = (datetime.date.fromisoformat(each["held_on"]) for each in get_stored_standings(federation)["nights"])
    inside = (day.replace(day=1) for day in days if federation.starts <= day <= federation.ends)
    return sorted(set(inside), reverse=True)


def list_month_gains(federation: Federation, month: datetime.date) -> list[GainView]:
    """List the points of all nights in a month (given by its first day), by night and rank. No query."""
    gains = [gain for line in list_ladder_lines(federation) for gain in line.gains]
    return sorted(
        (gain for gain in gains if gain.night.held_on.replace(day=1) == month),
        key=lambda gain: (gain.night.held_on, gain.night.club, gain.night.name, gain.rank, gain.names),
    )


def _build_night(data: Mapping[str, Any]) -> FederationNightView:
    night: FederationNightView = read_value(FederationNightView, {**data, "is_corrected": data["revision"] > 1})
    return night


def _build_line(data: Mapping[str, Any], nights: Sequence[FederationNightView]) -> LineView:
    names = join_names(data["names"])
    return LineView(
        key=data["key"],
        names=names,
        clubs=" · ".join(data["clubs"]),
        rank=data["rank"],
        total=data["total"],
        bonus=data["bonus"],
        gains=tuple(
            GainView(names=names, night=nights[night], rank=rank, gained=gained, is_counted=is_counted)
            for night, _, rank, _, gained, is_counted in data["gains"]
        ),
    )


def _build_rating(data: Mapping[str, Any], nights: Sequence[FederationNightView]) -> RatingView:
    steps = (StepView(night=nights[night], rating=rating, matches=matches) for night, rating, matches in data["steps"])
    return RatingView(**{**data, "clubs": " · ".join(data["clubs"]), "steps": tuple(steps)})


def _build_date(data: Mapping[str, Any]) -> DateView:
    view: DateView = read_value(DateView, {**data, "starts_at": data["starts_at"] or None})
    return view
