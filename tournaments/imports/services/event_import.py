"""An event that was played at another place, brought into a club from its file."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError, transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person
from clubs.services import unused_slug
from clubs.services.validators import lock_club
from engine.ranking import plain_rules
from jobs.models import Course
from jobs.pieces import ROWS, Piece, Progress, begun_course, in_portions, nobody_watches
from live.snapshots import snapshot
from rules import Refusal, Side
from tournaments.event_files import BROKEN, PLACE, Content, in_newest_form, key_of_file, sums_of
from tournaments.event_files.queries import event_file_of
from tournaments.events.event_settings import EventSettings, stored_event_settings
from tournaments.events.services.lifecycle import bring_back_event
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import locked_event
from tournaments.history.services.undoing import check_order
from tournaments.lifecycle import EventState
from tournaments.models import Adjustment, Entry, Event, columns_of
from tournaments.money.services.prize_categories import bring_in_prizes
from tournaments.rounds.queries.rounds import undecided_tables
from tournaments.rounds.services.seatings import issue_cards_of
from tournaments.standings.queries.lateness import RECORDS
from tournaments.standings.services import refresh_standings, request_of_club, request_standings

from .arrival import arrives, bring_in_by_pieces, take_back_event
from .people import Known, add_people, people_of_list
from .replacement import check_can_be_replaced, take_over_event
from .rounds import RoundsOfFile

logger = logging.getLogger(__name__)

BRING_IN = "bring_in_event"
"""The kind of its jobs."""


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
    """The event of a file that ``read_event_file`` has read and ``verify`` found to be true: all that the
    file holds, drafts and logs and who ruled what, so that its own file has the same sum. It is shown once
    all is written.

    Who is not ``known`` is somebody new to the club, a guest unless they are its own. Safe to repeat: one
    file is one event of a club, and with a ``key`` of its own one copy. A job of ``job_key`` goes on with it
    where it was left. It takes the place of the event ``instead_of`` which it comes, if there is one.

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
    """The event that this file became before, in sight."""
    if there.is_put_away and instead_of is not None:
        take_over_event(event=locked_event(instead_of.pk), copy=there, by=by)
    elif there.is_put_away:
        bring_back_event(event_id=there.pk, by=by)
    return there


def _pieces(club: Club, content: Content, people: Sequence[Person], by: Actor) -> Iterator[Piece]:
    yield partial(_make, club, content["event"])
    for some in in_portions(people):
        yield partial(add_people, some)
    for lines in in_portions(content["entries"]):
        yield partial(_add_entries, lines)
    for given in in_portions(content["adjustments"]):
        yield partial(_give, given)
    if "prizes" in content["event"]:
        yield partial(_add_prizes, content["event"]["prizes"])
    if "kept_apart" in content["event"]:
        yield partial(_keep_apart, content["event"]["kept_apart"])
    rounds = RoundsOfFile(content)
    planned = 0 if content["event"]["state"] == EventState.PREPARING else _settings(content).table_count
    tables = max(planned, rounds.highest_table)
    for place in range(0, tables, ROWS):
        yield partial(_issue_cards, min(place + ROWS, tables))
    yield from rounds.pieces()
    yield partial(_keep_line, content, by)


def _settings(content: Content) -> EventSettings:
    return stored_event_settings(content["event"]["settings"])


def _make(club: Club, plain: Mapping[str, Any], course: Course) -> None:
    settings = stored_event_settings(plain["settings"])
    terms = settings.terms
    terms.save()
    lock_club(club.pk)
    event = Event.objects.create(
        club=club,
        short=unused_slug(plain["name"], Event.objects.values_list("short", flat=True)),
        name=plain["name"],
        held_on=plain["held_on"],
        terms=terms,
        table_count=settings.table_count,
        stages=[dict(stage) for stage in settings.stages],
        sections=[dict(section) for section in settings.sections],
        ranking=plain_rules(settings.ranking),
        lot=plain["lot"],
        is_seeded=settings.is_seeded,
        member_fee=settings.rates.member,
        guest_fee=settings.rates.guest,
        state=plain["state"],
        **columns_of(settings.release),
    )
    arrives(course, event)


def _add_entries(lines: Sequence[Mapping[str, Any]], course: Course) -> None:
    people, rows = course.kept["listed"], []
    for line in lines:
        first, second = (*(people[number - 1] for number in line["players"]), None)[:2]
        values = {name: value for name, value in line.items() if name != "players"}
        if "side" in values:
            values["side"] = Side[values["side"]].value
        rows.append(Entry(event_id=course.kept["event"], player_1_id=first, player_2_id=second, **values))
    Entry.objects.bulk_create(rows)


def _give(adjustments: Sequence[Mapping[str, Any]], course: Course) -> None:
    entries = dict(Entry.objects.filter(event=course.kept["event"]).values_list("number", "pk"))
    Adjustment.objects.bulk_create(
        Adjustment(
            event_id=course.kept["event"],
            entry_id=entries[given["entry"]],
            round=given["round"],
            metric=given["metric"],
            amount=given["amount"],
            reason=given["reason"],
        )
        for given in adjustments
    )


def _keep_apart(kept: Sequence[Mapping[str, Any]], course: Course) -> None:
    entries = dict(Entry.objects.filter(event=course.kept["event"]).values_list("number", "pk"))
    event = Event.objects.get(pk=course.kept["event"])
    event.kept_apart = [
        {**each, "entries": sorted(entries[number] for number in each["entries"])} for each in kept
    ]
    event.save(update_fields=["kept_apart"])


def _add_prizes(prizes: Mapping[str, Any], course: Course) -> None:
    bring_in_prizes(Event.objects.get(pk=course.kept["event"]), prizes)


def _issue_cards(count: int, course: Course) -> None:
    issue_cards_of(Event.objects.select_related("club").get(pk=course.kept["event"]), count)


def _keep_line(content: Content, by: Actor, course: Course) -> None:
    """The first line of its history here, which holds what the director did by hand at the other place."""
    done = {
        str(drawn["number"]): {"by_hand": drawn["by_hand"], "rulings": drawn["rulings"]}
        for drawn in content["rounds"]
        if drawn["by_hand"] or drawn["rulings"]
    }
    Change(course.kept["event"], "bring_in_event", Actor(account=by.account, origin=by.origin)).done(
        club=content[PLACE]["club"], short=content[PLACE]["short"], earlier=done
    )


def _finish(content: Content, event: Event) -> None:
    """Refuses: event_file_unsound, and what ``check_order`` refuses."""
    check_order(event, undecided=undecided_tables(event))
    if content["standings"] is not None:
        refresh_standings(event_id=event.pk)
    with snapshot():
        _check_same(event, content)


def _tell(content: Content, instead_of: Event | None, by: Actor, event: Event) -> None:
    """What follows from an event that is there."""
    if instead_of is not None:
        take_over_event(event=locked_event(instead_of.pk), copy=event, by=by)
    request_standings(event)
    if event.state == EventState.ENDED:
        request_of_club(RECORDS, event.club_id)


def _check_same(event: Event, content: Content) -> None:
    """That its file would be the same one. Refuses: event_file_unsound."""
    again = sums_of(event_file_of(Event.objects.select_related("club", "terms").get(pk=event.pk)))
    left_out = {PLACE, "people"} if content["standings"] is not None else {PLACE, "people", "standings"}
    wanted = sums_of(content)
    for part in sorted((wanted.keys() | again.keys()) - left_out):
        if wanted.get(part) != again.get(part):
            raise Refusal("event_file_unsound", field="file", part=part)
