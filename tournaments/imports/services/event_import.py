"""Import of an event that was played elsewhere, from its file."""

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from uuid import UUID

from django.db import DataError, IntegrityError, transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person
from errors import Refusal
from jobs.models import Course
from jobs.pieces import ROWS, Piece, Progress, begun_course, in_portions, nobody_watches
from live.snapshots import snapshot
from tournaments.event_files import (
    BROKEN,
    PHONES_KNOW,
    Content,
    in_newest_form,
    key_of_file,
)
from tournaments.events.services.lifecycle import bring_back_event
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import locked_event
from tournaments.history.services.undo import check_order
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.rounds.queries.rounds import undecided_tables
from tournaments.standings.queries.delays import RECORDS
from tournaments.standings.services import refresh_standings, request_of_club, request_standings

from .arrival import bring_in_by_pieces, take_back_event
from .parts import (
    add_adjustments,
    add_entries_of_file,
    add_prizes,
    check_same,
    earlier_line,
    issue_cards_of_file,
    keep_apart,
    make_event_of_file,
    tables_of_file,
)
from .people import Known, add_people, people_of_list
from .replacement import check_can_be_replaced, take_over_event
from .rounds import RoundsOfFile

logger = logging.getLogger(__name__)

BRING_IN = "bring_in_event"
"""Kind of these jobs."""


def bring_in_event(
    *,
    club: Club,
    content: Content,
    known: Known = {},  # noqa: B006 - read only
    are_guests: bool = True,
    key: UUID | None = None,
    instead_of: Event | None = None,
    by: Actor = NOBODY,
    job_key: str = "",
    progress: Progress = nobody_watches,
) -> Event:
    """Import the event of a file that ``read_event_file`` has read and ``verify`` found to be true.
    Everything is kept, including drafts, logs and rulings, so that the event's own file has the same sum. It
    is shown once all is written.

    People who are not ``known`` are added to the club, as guests if ``are_guests``. Safe to repeat: one file
    is one event of a club, and with a ``key`` of its own one copy. A job of ``job_key`` continues where it
    stopped. The copy replaces the event ``instead_of``, if given.

    Refuses: namesakes_untold, no_such_person, same_person_twice, what names may not be; event_file_unsound,
    where what was brought in would not be what the file says; what ``check_can_be_replaced`` refuses.
    """
    content = in_newest_form(content)
    key = key or key_of_file(content)
    there = club.events.filter(key=key, is_arriving=False).first()
    if there is not None:
        return _seen_again(there, instead_of, by)
    if instead_of is not None:
        check_can_be_replaced(instead_of)
    people = people_of_list(club, content["people"], known, are_guests=are_guests)
    course = begun_course(
        kind=BRING_IN if job_key else "",
        key=job_key or f"{BRING_IN} {club.pk} {key}",
        take_back=take_back_event,
    )
    try:
        return bring_in_by_pieces(
            club=club,
            course=course,
            key=key,
            pieces=_pieces(club, content, people, by),
            finish=partial(_finish, content),
            reveal=partial(_tell, content, instead_of, by),
            progress=progress,
        )
    except (DataError, IntegrityError, *BROKEN):
        logger.warning("The file %s cannot be brought in", content["sum"], exc_info=True)
        raise Refusal("event_file_unsound", field="file", part="event") from None


@transaction.atomic
def _seen_again(there: Event, instead_of: Event | None, by: Actor) -> Event:
    """Return the event that this file became before, and make it visible."""
    if there.is_put_away and instead_of is not None:
        take_over_event(event=locked_event(instead_of.pk), copy=there, by=by)
    elif there.is_put_away:
        bring_back_event(event_id=there.pk, by=by)
    return there


def _pieces(club: Club, content: Content, people: Sequence[Person], by: Actor) -> Iterator[Piece]:
    yield partial(make_event_of_file, club, content["event"])
    for some in in_portions(people):
        yield partial(add_people, some)
    for lines in in_portions(content["entries"]):
        yield partial(add_entries_of_file, lines)
    for given in in_portions(content["adjustments"]):
        yield partial(add_adjustments, given)
    if "prizes" in content["event"]:
        yield partial(add_prizes, content["event"]["prizes"])
    if "kept_apart" in content["event"]:
        yield partial(keep_apart, content["event"]["kept_apart"])
    rounds = RoundsOfFile(content)
    tables, codes = tables_of_file(content), dict(content.get(PHONES_KNOW, {}).get("codes", ()))
    for place in range(0, tables, ROWS):
        yield partial(issue_cards_of_file, min(place + ROWS, tables), codes)
    yield from rounds.pieces()
    yield partial(_keep_line, content, by)


def _keep_line(content: Content, by: Actor, course: Course) -> None:
    """Write the first line of the event's history here, with what the director did by hand elsewhere."""
    Change(course.kept["event"], "bring_in_event", Actor(account=by.account, origin=by.origin)).record(
        **earlier_line(content)
    )


def _finish(content: Content, event: Event) -> None:
    """Compute standings and check the event. Refuses: event_file_unsound, and what ``check_order``
    refuses."""
    check_order(event, undecided=undecided_tables(event))
    if content["standings"] is not None:
        refresh_standings(event_id=event.pk)
    with snapshot():
        check_same(event, content)


def _tell(content: Content, instead_of: Event | None, by: Actor, event: Event) -> None:
    """Update what depends on the imported event."""
    if instead_of is not None:
        take_over_event(event=locked_event(instead_of.pk), copy=event, by=by)
    request_standings(event)
    if event.state == EventState.ENDED:
        request_of_club(RECORDS, event.club_id)
