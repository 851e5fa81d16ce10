"""Import of an event that was played elsewhere, from its file."""

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from uuid import UUID

from django.db import DataError, IntegrityError, transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person
from errors import Refusal
from jobs.models import LongWrite
from jobs.pieces import ROWS_PER_PIECE, Piece, Progress, get_or_create_long_write, ignore_progress, split_into_portions
from live.conditional_pages import read_snapshot
from tournaments.event_files.conversion import upgrade_content
from tournaments.event_files.schema import DESK_PART, PERSON_SHAPES, PHONE_KEYS_PART, Content, list_file_people
from tournaments.event_files.verifying import TAMPERING_ERRORS
from tournaments.event_files.writer import get_file_key
from tournaments.events.services.lifecycle import bring_back_event
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import lock_event
from tournaments.history.services.undo import check_round_order
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.rounds.queries.rounds import list_undecided_tables
from tournaments.standings.queries.delays import RECORDS_KIND
from tournaments.standings.services import enqueue_club_task, enqueue_standings, refresh_standings

from .arrival import import_in_pieces, roll_back_import
from .desk import write_desk, write_live_parts
from .parts import (
    JsonObject,
    add_adjustments,
    add_entries,
    add_prizes,
    add_separations,
    build_origin_details,
    check_import_matches,
    count_table_cards,
    create_event_from_file,
    issue_cards,
)
from .people import MatchedIds, add_people, build_people
from .replacement import check_replaceable, replace_event
from .rounds import RoundImport

logger = logging.getLogger(__name__)

IMPORT_EVENT = "bring_in_event"
"""Kind of these jobs."""


def bring_in_event(
    *,
    club: Club,
    content: Content,
    matched_ids: MatchedIds = {},  # noqa: B006 - read only
    are_guests: bool = True,
    key: UUID | None = None,
    event_to_replace: Event | None = None,
    by: Actor = NOBODY,
    job_key: str = "",
    progress: Progress = ignore_progress,
) -> Event:
    """Import the event of a file that ``read_event_file`` has read and ``verify`` has verified. Everything is
    imported, including drafts, logs and rulings, so that the new event's file has the same sum. The event is
    shown once all is written.

    People without a match in ``matched_ids`` are added to the club, as guests if ``are_guests`` is true. Safe to
    repeat: one file is one event of a club, or one copy for each ``key``. A job of ``job_key`` continues where
    it stopped. The copy replaces ``event_to_replace``, if given.

    Refuses: namesakes_untold, no_such_person, same_person_twice, and invalid names; event_file_unsound, if the
    imported event would differ from the file; what ``check_replaceable`` refuses.
    """
    content = upgrade_content(content)
    key = key or get_file_key(content)
    existing = club.events.filter(key=key, is_arriving=False).first()
    if existing is not None:
        return _reuse_import(existing, event_to_replace, by)
    if event_to_replace is not None:
        check_replaceable(event_to_replace)
    people = build_people(club, list_file_people(content), matched_ids, are_guests=are_guests)
    for person, columns in zip(people, content.get(DESK_PART, {}).get("people", ()), strict=False):
        if person.pk is None:
            for name in PERSON_SHAPES:
                setattr(person, name, columns[name])
    long_write = get_or_create_long_write(
        kind=IMPORT_EVENT if job_key else "",
        key=job_key or f"{IMPORT_EVENT} {club.pk} {key}",
        undo=roll_back_import,
    )
    try:
        return import_in_pieces(
            club=club,
            long_write=long_write,
            key=key,
            pieces=_iter_pieces(club, content, people, by),
            finish=partial(_check_import, content),
            reveal=partial(_update_dependents, content, event_to_replace, by),
            progress=progress,
        )
    except (DataError, IntegrityError, *TAMPERING_ERRORS):
        logger.warning("The file %s cannot be brought in", content["sum"], exc_info=True)
        raise Refusal("event_file_unsound", field="file", part="event") from None


@transaction.atomic
def _reuse_import(existing: Event, event_to_replace: Event | None, by: Actor) -> Event:
    """Return the event that this file became before, and make it visible."""
    if existing.is_put_away and event_to_replace is not None:
        replace_event(event=lock_event(event_to_replace.pk), copy=existing, by=by)
    elif existing.is_put_away:
        bring_back_event(event_id=existing.pk, by=by)
    return existing


def _iter_pieces(club: Club, content: Content, people: Sequence[Person], by: Actor) -> Iterator[Piece]:
    yield partial(create_event_from_file, club, content["event"])
    for portion in split_into_portions(people):
        yield partial(add_people, portion)
    for lines in split_into_portions(content["entries"]):
        yield partial(add_entries, lines)
    for adjustments in split_into_portions(content["adjustments"]):
        yield partial(add_adjustments, adjustments)
    if "prizes" in content["event"]:
        yield partial(add_prizes, content["event"]["prizes"])
    if "kept_apart" in content["event"]:
        yield partial(add_separations, content["event"]["kept_apart"])
    rounds = RoundImport(content)
    tables, codes = count_table_cards(content), dict(content.get(PHONE_KEYS_PART, {}).get("codes", ()))
    for place in range(0, tables, ROWS_PER_PIECE):
        yield partial(issue_cards, min(place + ROWS_PER_PIECE, tables), codes)
    yield from rounds.iter_pieces()
    if DESK_PART in content:
        yield partial(_write_desk, content[DESK_PART])
    yield partial(_record_import, content, by)


def _write_desk(desk: JsonObject, long_write: LongWrite) -> None:
    event = Event.objects.select_related("club").get(pk=long_write.state["event"])
    write_live_parts(event, desk)
    write_desk(event, desk, people=long_write.state["listed"])


def _record_import(content: Content, by: Actor, long_write: LongWrite) -> None:
    """Write the first line of the event's history here, with what the director did by hand elsewhere."""
    Change(long_write.state["event"], "bring_in_event", Actor(account=by.account, origin=by.origin)).record(
        **build_origin_details(content)
    )


def _check_import(content: Content, event: Event) -> None:
    """Compute standings and check the event. Refuses: event_file_unsound, and what ``check_round_order``
    refuses."""
    check_round_order(event, allowed_tables=list_undecided_tables(event))
    if content["standings"] is not None:
        refresh_standings(event_id=event.pk)
    with read_snapshot():
        check_import_matches(event, content)


def _update_dependents(content: Content, event_to_replace: Event | None, by: Actor, event: Event) -> None:
    """Update what depends on the imported event."""
    if event_to_replace is not None:
        replace_event(event=lock_event(event_to_replace.pk), copy=event, by=by)
    enqueue_standings(event)
    if event.state == EventState.ENDED:
        enqueue_club_task(RECORDS_KIND, event.club_id)
