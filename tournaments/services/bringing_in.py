"""An event that was played at another place, brought into a club from its file."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError

from clubs import names
from clubs.models import Club, Person
from clubs.recording import NOBODY, By
from clubs.services import unused_slug
from clubs.services.checking import checked_name, lock_club
from jobs.models import Course
from jobs.pieces import ROWS, Piece, Progress, begun_course, in_portions, nobody_watches
from jobs.services import enqueue
from live.snapshots import snapshot
from rules import Refusal
from tournaments.event_files import BROKEN, PLACE, Content, in_newest_form, key_of_file, sums_of
from tournaments.event_settings import EventSettings, stored_event_settings
from tournaments.lifecycle import EventState
from tournaments.models import Adjustment, Entry, Event, columns_of
from tournaments.ranking import plain_rules
from tournaments.selectors import event_file_of

from .arriving import arrives, bring_in_by_pieces, take_back_event
from .brought_rounds import RoundsOfFile
from .changes import Change
from .lineups import issue_cards_of
from .standings import refresh_standings, request_standings
from .undoing import check_order

logger = logging.getLogger(__name__)

BRING_IN = "bring_in_event"
"""The kind of its jobs."""

People = Mapping[int, int]
"""Who of a file, by the place in its list, is whom the club knows already, by key."""


def bring_in_event(
    *,
    club: Club,
    content: Content,
    known: People = {},  # noqa: B006 - read only
    are_guests: bool = True,
    key: UUID | None = None,
    by: By = NOBODY,
    job_key: str = "",
    progress: Progress = nobody_watches,
) -> Event:
    """The event of a file that ``read_event_file`` has read and ``verify`` found to be true: all that the
    file holds, drafts and logs and who ruled what, so that its own file has the same sum. It is shown once
    all is written.

    Who is not ``known`` is somebody new to the club, a guest unless they are its own. Safe to repeat: one
    file is one event of a club, and with a ``key`` of its own one copy. A job of ``job_key`` goes on with it
    where it was left.

    Refuses: namesakes_untold, no_such_person, same_person_twice, what names may not be; event_file_unsound,
    where what was brought in would not be what the file says.
    """
    content = in_newest_form(content)
    key = key or key_of_file(content)
    there = club.events.filter(key=key, is_arriving=False).first()
    if there is not None:
        return there
    people = _people(club, content["people"], known, are_guests=are_guests)
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
            reveal=lambda event: _tell(event, content),
            progress=progress,
        )
    except (DataError, IntegrityError, *BROKEN):
        logger.warning("The file %s cannot be brought in", content["sum"], exc_info=True)
        raise Refusal("event_file_unsound", field="file", part="event") from None


def _people(club: Club, listed: list[str], known: People, *, are_guests: bool) -> list[Person]:
    """The people of the file in the order of its list; who is new has no key yet.

    Refuses: no_such_person, same_person_twice, name_required, name_too_long, strange_character.
    """
    found = club.people.filter(anonymized_at=None).in_bulk(set(known.values()))
    for number, pk in known.items():
        if pk not in found or not 1 <= number <= len(listed):
            raise Refusal("no_such_person", field=f"person.{number}")
    if len(found) < len(known):
        pks = list(known.values())
        twice = next(pk for pk in pks if pks.count(pk) > 1)
        number = max(number for number, pk in known.items() if pk == twice)
        raise Refusal("same_person_twice", field=f"person.{number}", name=found[twice].name)
    return [
        found[known[number]] if number in known else _new_person(club, name, is_guest=are_guests)
        for number, name in enumerate(listed, start=1)
    ]


def _new_person(club: Club, name: str, *, is_guest: bool) -> Person:
    name = checked_name(name, field="file")
    strange = names.strange_character(name)
    if strange is not None:
        raise Refusal("strange_character", field="file", name=name, character=strange)
    return Person(club=club, name=name, folded_name=names.folded(name), is_guest=is_guest)


def _pieces(club: Club, content: Content, people: Sequence[Person], by: By) -> Iterator[Piece]:
    yield partial(_make, club, content["event"])
    for some in in_portions(people):
        yield partial(_add_people, some)
    for lines in in_portions(content["entries"]):
        yield partial(_add_entries, lines)
    for given in in_portions(content["adjustments"]):
        yield partial(_give, given)
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


def _add_people(people: Sequence[Person], course: Course) -> None:
    """``listed`` has the keys of all, in the order of the file."""
    added = Person.objects.bulk_create([copy(person) for person in people if person.pk is None])
    new = iter(added)
    listed = [person.pk or next(new).pk for person in people]
    course.kept["listed"] = [*course.kept.get("listed", ()), *listed]
    course.kept["people"] = [*course.kept.get("people", ()), *(person.pk for person in added)]


def _add_entries(lines: Sequence[Mapping[str, Any]], course: Course) -> None:
    people, rows = course.kept["listed"], []
    for line in lines:
        first, second = (*(people[number - 1] for number in line["players"]), None)[:2]
        values = {name: value for name, value in line.items() if name != "players"}
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


def _issue_cards(count: int, course: Course) -> None:
    issue_cards_of(Event.objects.select_related("club").get(pk=course.kept["event"]), count)


def _keep_line(content: Content, by: By, course: Course) -> None:
    """The first line of its history here, which holds what the director did by hand at the other place."""
    done = {
        str(drawn["number"]): {"by_hand": drawn["by_hand"], "rulings": drawn["rulings"]}
        for drawn in content["rounds"]
        if drawn["by_hand"] or drawn["rulings"]
    }
    Change(course.kept["event"], "bring_in_event", By(account=by.account, origin=by.origin)).done(
        club=content[PLACE]["club"], earlier=done
    )


def _finish(content: Content, event: Event) -> None:
    """Refuses: event_file_unsound, and what ``check_order`` refuses."""
    check_order(event)
    if content["standings"] is not None:
        refresh_standings(event_id=event.pk)
    with snapshot():
        _check_same(event, content)


def _tell(event: Event, content: Content) -> None:
    """What follows from an event that is there."""
    request_standings(event)
    if event.state == EventState.ENDED:
        enqueue(kind="refresh_ratings", key=str(event.club_id))


def _check_same(event: Event, content: Content) -> None:
    """That its file would be the same one. Refuses: event_file_unsound."""
    again = sums_of(event_file_of(Event.objects.select_related("club", "terms").get(pk=event.pk)))
    left_out = {PLACE, "people"} if content["standings"] is not None else {PLACE, "people", "standings"}
    wanted = sums_of(content)
    for part in sorted((wanted.keys() | again.keys()) - left_out):
        if wanted.get(part) != again.get(part):
            raise Refusal("event_file_unsound", field="file", part=part)
