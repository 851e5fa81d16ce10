"""Arrival of an imported event: hidden until it is complete, then shown at once, or deleted without a
trace."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.urls import get_resolver

from clubs.models import Club, Person
from clubs.services.people_import import filter_unused_people
from jobs.models import LongWrite
from jobs.pieces import Piece, Progress, end_long_write, rollback_on_failure, run_pieces, undo_long_write
from jobs.registry import JobCancelledError
from live.news import public_change
from live.revisions import raise_revision
from scoring.models import Agreement, Dispute, Mark, Match, Player, TableCard, Terms
from scoring.services.cards import lead_cards
from tournaments.history.services.locking import lock_event
from tournaments.models import Action, Adjustment, Entry, Event, Round, Seating, Standings, Table, Tally


def import_in_pieces(
    *,
    club: Club,
    long_write: LongWrite,
    key: UUID | None,
    pieces: Iterable[Piece],
    finish: Callable[[Event], object],
    reveal: Callable[[Event], object],
    progress: Progress,
) -> Event:
    """Import an event by the pieces of a long write, the first of which calls ``hide_until_complete``. When all is
    written, ``finish`` computes derived data, in transactions of its own. Then the event is shown, and ``reveal``
    runs in the same transaction. An interrupted import continues where it stopped.

    A failed import deletes what it wrote (``rollback_on_failure``).
    """
    get_resolver().url_patterns  # noqa: B018 - loaded now, and not while the writer is held
    published_events: list[Event] = []

    def publish(long_write: LongWrite) -> None:
        event = lock_event(long_write.state["event"])
        event.is_arriving = event.is_put_away = False
        event.key = key
        event.save(update_fields=["is_arriving", "is_put_away", "key"])
        lead_cards(topic=event.topic, public_page=event.public_page, silent_from=event.visible.first_hidden_round)
        reveal(event)
        raise_revision(event.topic)
        public_change.send(Event, topic=event.topic, club_id=event.club_id)
        published_events.append(event)

    try:
        with rollback_on_failure(long_write, roll_back_import):
            run_pieces(long_write, list(pieces), progress=progress)
            finish(Event.objects.select_related("club", "terms").get(pk=long_write.state["event"]))
            end_long_write(long_write, publish)
    except JobCancelledError:
        existing = None if key is None else club.events.filter(key=key, is_arriving=False).first()
        if existing is None:
            raise
        return existing
    return Event.objects.get(pk=published_events[0].pk)


def hide_until_complete(long_write: LongWrite, event: Event) -> None:
    """Hide the event until it is complete."""
    Event.objects.filter(pk=event.pk).update(is_arriving=True, is_put_away=True)
    long_write.state |= _get_course_values(event)


def roll_back_import(long_write: LongWrite) -> None:
    """Delete everything written for an arriving event, and the people who came with it and did nothing else.
    Safe to repeat."""
    undo_long_write(long_write, _iter_course_rows)


@transaction.atomic
def delete_unfinished_imports(club: Club | None = None) -> None:
    """Delete events of one club or of all that were still arriving when a backup was made, since nobody can
    continue them. People who came to the club with them stay: each is complete."""
    for event in (Event.objects if club is None else club.events).filter(is_arriving=True):
        for rows in _iter_event_rows(_get_course_values(event)):
            rows._raw_delete(rows.db)  # noqa: SLF001 - nothing follows from the deletion of these rows


def _get_course_values(event: Event) -> dict[str, Any]:
    """Return what the long write of an import has to know of its event."""
    return {"event": event.pk, "terms": event.terms_id, "topic": event.topic}


def _iter_course_rows(long_write: LongWrite) -> Iterator[QuerySet[Any]]:
    if "event" in long_write.state:
        yield from _iter_event_rows(long_write.state)
    yield filter_unused_people(Person.objects.filter(pk__in=long_write.state.get("people", ())))


def _iter_event_rows(course_values: Mapping[str, Any]) -> Iterator[QuerySet[Any]]:
    """Yield the rows of the event, each before the rows that it refers to."""
    event, terms = course_values["event"], course_values["terms"]
    for model in (Agreement, Dispute, Player, Tally):
        yield model._default_manager.filter(match__terms=terms)
    yield Mark.objects.filter(match__terms=terms).order_by("-pk")
    yield Seating.objects.filter(round__event=event)
    yield Table.objects.filter(round__event=event)
    yield Match.objects.filter(terms=terms)
    yield TableCard.objects.filter(topic=course_values["topic"])
    for row in (Round, Adjustment, Entry, Action, Standings):
        yield row._default_manager.filter(event=event)
    yield Event.objects.filter(pk=event)
    yield Terms.objects.filter(pk=terms)
