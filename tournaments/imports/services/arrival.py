"""Arrival of an imported event: hidden until it is complete, then shown at once, or deleted without a
trace."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.urls import get_resolver

from clubs.models import Club, Person
from clubs.services.people_import import without_traces
from jobs.models import Course
from jobs.pieces import (
    Piece,
    Progress,
    end_course,
    rollback_on_failure,
    take_back_course,
    write_in_pieces,
)
from jobs.running import Cancelled
from live.news import public_change
from live.revisions import raise_revision
from scoring.models import Agreement, Dispute, Mark, Match, Player, TableCard, Terms
from scoring.services import lead_cards
from tournaments.history.services.locking import locked_event
from tournaments.models import Action, Adjustment, Entry, Event, Round, Seating, Standings, Table, Tally


def bring_in_by_pieces(
    *,
    club: Club,
    course: Course,
    key: UUID | None,
    pieces: Iterable[Piece],
    finish: Callable[[Event], object],
    reveal: Callable[[Event], object],
    progress: Progress,
) -> Event:
    """Import an event by the pieces of a course, the first of which calls ``begin_arrival``. When all is
    written, ``finish`` computes what follows from it, in transactions of its own. Then the event is shown,
    and ``reveal`` does the rest in the same transaction. An interrupted import continues where it stopped.

    An import that fails deletes what it wrote, as ``rollback_on_failure`` says.
    """
    get_resolver().url_patterns  # noqa: B018 - loaded now, and not while the writer is held
    shown: list[Event] = []

    def last(course: Course) -> None:
        event = locked_event(course.kept["event"])
        event.is_arriving = event.is_put_away = False
        event.key = key
        event.save(update_fields=["is_arriving", "is_put_away", "key"])
        lead_cards(topic=event.topic, public_page=event.public_page, silent_from=event.visible.hidden_from)
        reveal(event)
        raise_revision(event.topic)
        public_change.send(Event, topic=event.topic, club_id=event.club_id)
        shown.append(event)

    try:
        with rollback_on_failure(course, take_back_event):
            write_in_pieces(course, list(pieces), progress=progress)
            finish(Event.objects.select_related("club", "terms").get(pk=course.kept["event"]))
            end_course(course, last)
    except Cancelled:
        known = None if key is None else club.events.filter(key=key, is_arriving=False).first()
        if known is None:
            raise
        return known
    return Event.objects.get(pk=shown[0].pk)


def begin_arrival(course: Course, event: Event) -> None:
    """Hide the event until it is complete."""
    Event.objects.filter(pk=event.pk).update(is_arriving=True, is_put_away=True)
    course.kept |= _course_values(event)


def take_back_event(course: Course) -> None:
    """Delete everything written for an arriving event, and the people who came with it and did nothing else.
    Safe to repeat."""
    take_back_course(course, _rows_of_course)


@transaction.atomic
def take_back_restored_events() -> None:
    """Delete events that were still arriving when a backup was made, since nobody can continue them. People
    who came to the club with them stay: each is complete."""
    for event in Event.objects.filter(is_arriving=True):
        for rows in _rows_of(_course_values(event)):
            rows._raw_delete(rows.db)  # noqa: SLF001 - nothing follows from the deletion of these rows


def _course_values(event: Event) -> dict[str, Any]:
    """Return what the course of an import has to know of its event."""
    return {"event": event.pk, "terms": event.terms_id, "topic": event.topic}


def _rows_of_course(course: Course) -> Iterator[QuerySet[Any]]:
    if "event" in course.kept:
        yield from _rows_of(course.kept)
    yield without_traces(Person.objects.filter(pk__in=course.kept.get("people", ())))


def _rows_of(kept: Mapping[str, Any]) -> Iterator[QuerySet[Any]]:
    """Yield the rows of the event, each before the rows that it refers to."""
    event, terms = kept["event"], kept["terms"]
    for each in (Agreement, Dispute, Player, Tally):
        yield each._default_manager.filter(match__terms=terms)
    yield Mark.objects.filter(match__terms=terms).order_by("-pk")
    yield Seating.objects.filter(round__event=event)
    yield Table.objects.filter(round__event=event)
    yield Match.objects.filter(terms=terms)
    yield TableCard.objects.filter(topic=kept["topic"])
    for row in (Round, Adjustment, Entry, Action, Standings):
        yield row._default_manager.filter(event=event)
    yield Event.objects.filter(pk=event)
    yield Terms.objects.filter(pk=terms)
