"""Presenters of a federation: standings, the nights behind each number, ratings, dates and months."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clubs.calendar import today_in
from clubs.wording import join_names
from engine.ladders import Ladder, ladder_from_json

from .models import Federation, FollowedFeed
from .queries import federation_feeds
from .serialization import standings_in
from .services.feed_refresh import EVERY

MOST_LINES = 500
"""Number of lines on a page; the page also says how many there are in all."""
LATE = 3 * EVERY


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
    """Points that a line gained in one night."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedView:
    """A followed feed and its condition: ``trouble`` is why fetching fails, or None."""

    feed: FollowedFeed
    is_up_to_date: bool

    @property
    def trouble(self) -> Any:
        return self.feed.trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthLine:
    """Points that a person or a pair gained in one night of a month."""

    night: FederationNightView
    names: str
    rank: int
    gained: int
    is_counted: bool


def ladder_of(federation: Federation) -> Ladder:
    return ladder_from_json(federation.ladder)


def ladder_lines(federation: Federation, *, key: str | None = None) -> list[LineView]:
    """List the lines of the standings, best first, or only the one with this ``key``. No query."""
    plain = standings_in(federation)
    nights = [_night(each) for each in plain["nights"]]
    chosen = (line for line in plain["ladder"] if key is None or line["key"] == key)
    return [_line(line, nights) for line in chosen]


def rating_lines(federation: Federation, *, key: str | None = None) -> list[RatingView]:
    """List the ratings, highest first, or only the one with this ``key``. No query."""
    plain = standings_in(federation)
    nights = [_night(each) for each in plain["nights"]]
    chosen = (line for line in plain["ratings"] if key is None or line["key"] == key)
    return [_rating(line, nights) for line in chosen]


def dates_ahead(federation: Federation) -> list[DateView]:
    """List the dates from today on, by day and time. No query."""
    today = today_in(federation.club)
    dates = (_date(each) for each in standings_in(federation)["dates"])
    return [date for date in dates if date.day >= today]


def months_of(federation: Federation) -> list[datetime.date]:
    """List the first day of each month in which a night was held, newest first. No query."""
    days = (_day(each["held_on"]) for each in standings_in(federation)["nights"])
    inside = (day.replace(day=1) for day in days if federation.starts <= day <= federation.ends)
    return sorted(set(inside), reverse=True)


def month_lines(federation: Federation, month: datetime.date) -> list[MonthLine]:
    """List the points of all nights in a month (given by its first day), by night and rank. No query."""
    lines = [
        MonthLine(
            night=gain.night,
            names=line.names,
            rank=gain.rank,
            gained=gain.gained,
            is_counted=gain.is_counted,
        )
        for line in ladder_lines(federation)
        for gain in line.gains
        if gain.night.held_on.replace(day=1) == month
    ]
    return sorted(
        lines, key=lambda line: (line.night.held_on, line.night.club, line.night.name, line.rank, line.names)
    )


def feed_views(federation: Federation, *, now: datetime.datetime) -> list[FeedView]:
    """List the feeds with their condition. One query."""
    return [
        FeedView(feed=feed, is_up_to_date=_is_up_to_date(feed, now)) for feed in federation_feeds(federation)
    ]


def _is_up_to_date(feed: FollowedFeed, now: datetime.datetime) -> bool:
    return feed.heard_at is not None and feed.trouble is None and now - feed.heard_at < LATE


def _night(plain: Mapping[str, Any]) -> FederationNightView:
    return FederationNightView(
        club=plain["club"],
        name=plain["name"],
        held_on=_day(plain["held_on"]),
        page=plain["page"],
        log=plain["log"],
        is_corrected=plain["revision"] > 1,
        of=plain["of"],
    )


def _line(plain: Mapping[str, Any], nights: Sequence[FederationNightView]) -> LineView:
    return LineView(
        key=plain["key"],
        names=join_names(plain["names"]),
        clubs=" · ".join(plain["clubs"]),
        rank=plain["rank"],
        total=plain["total"],
        bonus=plain["bonus"],
        gains=tuple(
            GainView(night=nights[night], rank=rank, gained=gained, is_counted=is_counted)
            for night, _, rank, _, gained, is_counted in plain["gains"]
        ),
    )


def _rating(plain: Mapping[str, Any], nights: Sequence[FederationNightView]) -> RatingView:
    steps = (
        StepView(night=nights[night], rating=rating, matches=matches)
        for night, rating, matches in plain["steps"]
    )
    return RatingView(**{**plain, "clubs": " · ".join(plain["clubs"]), "steps": tuple(steps)})


def _date(plain: Mapping[str, Any]) -> DateView:
    starts_at = plain["starts_at"]
    return DateView(
        **{
            **plain,
            "day": _day(plain["day"]),
            "starts_at": datetime.time.fromisoformat(starts_at) if starts_at else None,
        }
    )


def _day(plain: str) -> datetime.date:
    return datetime.date.fromisoformat(plain)
