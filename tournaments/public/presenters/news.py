"""A club's news, newest first: nights announced, winners, and nights that are not held as planned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from clubs.models import Club, ClubAction
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.public.queries.club_home import get_podiums
from tournaments.public.queries.news import get_appearance_times, get_end_times, get_publications, list_calendar_changes

from .club_home import PodiumEntry, build_podium

MAX_ITEMS = 30


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
    best: tuple[PodiumEntry, ...] = ()
    details: Any = None


def list_news(club: Club, events: Sequence[Event]) -> list[NewsItem]:
    """List the news of the club and of its last public ``events``. Seven queries at most."""
    items = [*_iter_event_news(events), *_iter_calendar_news(club)]
    return sorted(items, key=lambda item: (item.changed_at, item.kind, item.number), reverse=True)[:MAX_ITEMS]


def _iter_event_news(events: Sequence[Event]) -> Iterable[NewsItem]:
    ended_events = [event for event in events if event.is_over]
    ends, podiums, appearances = get_end_times(ended_events), get_podiums(ended_events), get_appearance_times(events)
    publications = get_publications(ended_events)
    for event in events:
        announced_at = appearances.get(event.pk, event.created_at)
        yield NewsItem(kind="announced", number=event.pk, at=announced_at, changed_at=announced_at, event=event)
        publication = publications.get(event.pk)
        if event.state == EventState.ENDED or publication is not None:
            podium = build_podium(event, podiums.get(event.pk, ()))
            results_at = max(
                announced_at, ends.get(event.pk) or (publication.published_at if publication else announced_at)
            )
            yield NewsItem(
                kind="results",
                number=event.pk,
                at=results_at,
                changed_at=results_at if publication is None else max(results_at, publication.published_at),
                is_correction=publication is not None and publication.corrects is not None,
                event=event,
                best=podium,
            )


def _iter_calendar_news(club: Club) -> Iterable[NewsItem]:
    """Yield changes of the calendar. Undoing one is news again: the night is held after all."""
    for line in list_calendar_changes(club):
        days = {name: date.fromisoformat(line.details[name]) for name in ("on", "to") if name in line.details}
        details = {"name": line.details["name"], **days}
        undo: ClubAction | None = getattr(line, "undone_by", None)
        if undo is None:
            yield _build_change(line.kind, line, details)
        elif line.kind != "restore_date":
            yield _build_change("restore_date", undo, details)


def _build_change(kind: str, line: ClubAction, details: Any) -> NewsItem:
    return NewsItem(kind=kind, number=line.pk, at=line.created_at, changed_at=line.created_at, details=details)
