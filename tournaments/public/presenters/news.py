"""A club's news, newest first: nights announced, winners, and nights that are not held as planned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from clubs.models import Club, ClubAction
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.public.queries.club_home import podiums_of
from tournaments.public.queries.news import appearances_of, changed_days_of, ends_of, publications_of

from .club_home import Won, best_of

MOST = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsItem:
    """An item of the news. ``kind`` is ``announced``, ``results``, or that of a change of the calendar, whose
    details are ``told``; ``number`` identifies it within its kind. Results appear again (``changed_at``) when
    they are published as final, and when the final standings are corrected."""

    kind: str
    number: int
    at: datetime
    changed_at: datetime
    is_correction: bool = False
    event: Event | None = None
    best: tuple[Won, ...] = ()
    told: Any = None


def news_of_club(club: Club, events: Sequence[Event]) -> list[NewsItem]:
    """List the news of the club and of its last public ``events``. Seven queries at most."""
    items = [*_of_events(events), *_of_calendar(club)]
    return sorted(items, key=lambda item: (item.changed_at, item.kind, item.number), reverse=True)[:MOST]


def _of_events(events: Sequence[Event]) -> Iterable[NewsItem]:
    ended = [event for event in events if event.is_over]
    ends, podiums, appearances = ends_of(ended), podiums_of(ended), appearances_of(events)
    publications = publications_of(ended)
    for event in events:
        announced = appearances.get(event.pk, event.created_at)
        yield NewsItem(kind="announced", number=event.pk, at=announced, changed_at=announced, event=event)
        published = publications.get(event.pk)
        if event.state == EventState.ENDED or published is not None:
            best = best_of(event, podiums.get(event.pk, ()))
            at = max(announced, ends.get(event.pk) or (published.published_at if published else announced))
            yield NewsItem(
                kind="results",
                number=event.pk,
                at=at,
                changed_at=at if published is None else max(at, published.published_at),
                is_correction=published is not None and published.corrects is not None,
                event=event,
                best=best,
            )


def _of_calendar(club: Club) -> Iterable[NewsItem]:
    """Yield changes of the calendar. Undoing one is news again: the night is held after all."""
    for line in changed_days_of(club):
        days = {name: date.fromisoformat(line.details[name]) for name in ("on", "to") if name in line.details}
        told = {"name": line.details["name"], **days}
        undone: ClubAction | None = getattr(line, "undone_by", None)
        if undone is None:
            yield _change(line.kind, line, told)
        elif line.kind != "restore_date":
            yield _change("restore_date", undone, told)


def _change(kind: str, line: ClubAction, told: Any) -> NewsItem:
    return NewsItem(kind=kind, number=line.pk, at=line.created_at, changed_at=line.created_at, told=told)
