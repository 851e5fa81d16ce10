"""Import of a recorded night as an event, through the services that the phones use."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from uuid import UUID, uuid4, uuid5

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person
from clubs.services.people_import import imports_topic
from engine.draws import DrawnTable, EntryId
from errors import Refusal
from jobs.models import Course, Job
from jobs.pieces import Piece, Progress, begun_course, course_of, in_portions, nobody_watches
from jobs.running import Cancelled
from jobs.services import enqueue
from scoring.models import Match
from scoring.services import WrittenHand, name_first_dealer, record_hands
from tournaments.entries.services.entries import keep_entries
from tournaments.events.services.lifecycle import create_event, end_event, start_event
from tournaments.history.services.changes import Change
from tournaments.imports.queries.events import people_in_file, those_there
from tournaments.imports.recorded_nights import (
    NO_LAYOUTS,
    Files,
    Layouts,
    NightTable,
    RecordedNight,
    layouts_from_json,
    layouts_to_json,
    read_night,
    texts_of,
)
from tournaments.models import Entry, Event
from tournaments.rounds.services.rounds import close_round, enter_draw, publish_round
from tournaments.standings.services import refresh_standings, request_standings

from .arrival import begin_arrival, bring_in_by_pieces, take_back_event
from .people import Known, add_people, people_of_list

NIGHTS = UUID("5b0c6a52-5a0e-5d0a-9a7e-3f0a7f6f5d11")
"""Namespace of the keys of hands, made of the match and the place: a repeated piece writes the same hand."""

DEVICE = "import"
BRING_IN_NIGHT = "bring_in_night"
"""Kind of these jobs."""
LARGE = 1_000
"""Number of hands from which a night takes more than some seconds, so that a background task imports it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A night to import into a club. ``people`` are in their order; new ones have no key."""

    club: Club
    night: RecordedNight
    people: Sequence[Person]
    name: str
    held_on: date


def import_night(
    *,
    club: Club,
    name: str,
    files: Files,
    held_on: date | None = None,
    progress: Progress = nobody_watches,
) -> Event:
    """Import a recorded night as an event, played as far as its files go, completely or not at all. It is
    shown once all is written. The date is ``held_on``, or else that of its file. People in doubt are added as
    new.

    Refuses: night_refused, with every ``refusals`` of ``read_night``; day_required; and what the
    services refuse.
    """
    night = checked_night(files)
    held_on = day_of_night(night, held_on)
    said = hashlib.sha256(repr((name, held_on, sorted(files.items()))).encode()).hexdigest()
    course = begun_course(kind="", key=f"{BRING_IN_NIGHT} {club.pk} {said}", take_back=take_back_event)
    known = those_there(people_in_file(club, night.players))
    people = people_of_list(club, night.players, known, are_guests=False)
    asked = _Asked(club=club, night=night, people=people, name=name, held_on=held_on)
    return _brought_in(asked, course, None, progress)


def bring_in_night(
    *,
    club: Club,
    name: str,
    files: Files,
    layouts: Layouts = NO_LAYOUTS,
    held_on: date | None = None,
    known: Known | None = None,
    by: Actor = NOBODY,
) -> Event | Job:
    """Import a night from a form; a large one in a background task, whose job is returned. The form may say
    who is ``known``, by place among the night's players. Safe to repeat with the same key.

    Refuses: no_such_person, same_person_twice, and what ``import_night`` does.
    """
    night = checked_night(files, layouts)
    held_on = day_of_night(night, held_on)
    key = by.key or uuid4()
    there = club.events.filter(key=key, is_arriving=False).first()
    if there is not None:
        return there
    if known is None:
        known = those_there(people_in_file(club, night.players))
    people = people_of_list(club, night.players, known, are_guests=False)
    asked = {
        "club": club.pk,
        "name": name,
        "held_on": held_on.isoformat(),
        "known": sorted(known.items()),
        "files": texts_of(files),
        "layouts": layouts_to_json(layouts),
    }
    topic = imports_topic(club)
    course = begun_course(
        kind=BRING_IN_NIGHT, key=str(key), asked=asked, topic=topic, take_back=take_back_event
    )
    if night.hands >= LARGE:
        return enqueue(kind=BRING_IN_NIGHT, key=course.key, topic=topic, club_id=club.pk)
    wanted = _Asked(club=club, night=night, people=people, name=name, held_on=held_on)
    return _brought_in(wanted, course, key, nobody_watches)


def bring_in_asked_night(key: str, progress: Progress) -> Event:
    """Import the night of a form, in a background task. Safe to repeat. Refuses: what ``import_night`` does.

    Raises Cancelled, if what was asked was taken back.
    """
    there = Event.objects.filter(key=key, is_arriving=False).first()
    if there is not None:
        return there
    course = course_of(BRING_IN_NIGHT, key)
    if course is None or course.is_taken_back:
        raise Cancelled
    asked = course.asked
    files = {file: text.encode() for file, text in asked["files"].items()}
    night = checked_night(files, layouts_from_json(asked.get("layouts", {})))
    club = Club.objects.get(pk=asked["club"])
    wanted = _Asked(
        club=club,
        night=night,
        people=people_of_list(club, night.players, dict(asked.get("known", ())), are_guests=False),
        name=asked["name"],
        held_on=date.fromisoformat(asked["held_on"]),
    )
    return _brought_in(wanted, course, UUID(key), progress)


def day_of_night(night: RecordedNight, typed: date | None) -> date:
    """Return the date typed, or else that of the file; never today by default.

    Refuses: day_required.
    """
    held_on = typed or night.held_on
    if held_on is None:
        raise Refusal("day_required", field="held_on")
    return held_on


def _brought_in(asked: _Asked, course: Course, key: UUID | None, progress: Progress) -> Event:
    return bring_in_by_pieces(
        club=asked.club,
        course=course,
        key=key,
        pieces=_pieces(asked),
        finish=lambda event: refresh_standings(event_id=event.pk),
        reveal=partial(_show, asked.night),
        progress=progress,
    )


def checked_night(files: Files, layouts: Layouts = NO_LAYOUTS) -> RecordedNight:
    """Return the night of the files. Refuses: night_refused."""
    night, refusals = read_night(files, layouts)
    if night is None:
        raise Refusal("night_refused", field="files", refusals=tuple(refusals))
    return night


def _pieces(asked: _Asked) -> Iterator[Piece]:
    night = asked.night
    yield partial(_make, asked)
    for some in in_portions(asked.people):
        yield partial(add_people, some)
    for numbers in in_portions(sorted(night.entries)):
        yield partial(_enter, night, numbers)
    yield lambda course: start_event(event_id=course.kept["event"])
    for number, tables in enumerate(night.rounds, start=1):
        yield partial(_draw, tables)
        yield partial(_publish, number)
        for table in tables:
            yield partial(_record, table)
        if all(table.is_over for table in tables):
            yield partial(_close, number)


def _make(asked: _Asked, course: Course) -> None:
    night = asked.night
    highest = max((table.table for tables in night.rounds for table in tables), default=0)
    event = create_event(
        club=asked.club,
        name=asked.name,
        held_on=asked.held_on,
        ruleset=night.ruleset,
        match_format=night.match_format,
        table_count=max(len(night.entries) // 2, highest),
    )
    begin_arrival(course, event)


def _enter(night: RecordedNight, numbers: Sequence[int], course: Course) -> None:
    """Add these entries; ``listed`` are the keys of all players, by entry."""
    size = len(next(iter(night.entries.values())))
    places = {number: place * size for place, number in enumerate(sorted(night.entries))}
    listed = course.kept["listed"]
    change = Change(course.kept["event"], "add_entries")
    rows = [
        Entry(
            event=change.event,
            number=number,
            **dict(zip(("player_1_id", "player_2_id"), listed[places[number] :][:size], strict=False)),
        )
        for number in numbers
    ]
    keep_entries(change, rows)


def _draw(tables: Sequence[NightTable], course: Course) -> None:
    entries = dict(Event.objects.get(pk=course.kept["event"]).entries.values_list("number", "pk"))
    seated = {entry for table in tables for entry in (table.side_a, table.side_b)}
    enter_draw(
        event_id=course.kept["event"],
        tables=[
            DrawnTable(
                number=table.table,
                a=(EntryId(entries[table.side_a]),),
                b=(EntryId(entries[table.side_b]),),
            )
            for table in tables
        ],
        byes=[EntryId(entry) for number, entry in sorted(entries.items()) if number not in seated],
    )


def _publish(number: int, course: Course) -> None:
    publish_round(event_id=course.kept["event"], number=number)


def _record(table: NightTable, course: Course) -> None:
    match = Match.objects.get(
        table__round__event=course.kept["event"],
        table__round__number=table.round,
        table__number=table.table,
    )
    if table.first_dealer is not None:
        name_first_dealer(match_id=match.pk, seat=table.first_dealer)
    hands = [
        WrittenHand(number=number, entry_key=uuid5(NIGHTS, f"{match.pk}.{number}"), plain=hand)
        for number, hand in enumerate(table.hands, start=1)
    ]
    record_hands(match_id=match.pk, hands=hands, device=DEVICE)


def _close(number: int, course: Course) -> None:
    close_round(event_id=course.kept["event"], number=number)


def _show(night: RecordedNight, event: Event) -> None:
    request_standings(event)
    if 0 < len(night.rounds) == event.rounds.exclude(closed_at=None).count():
        end_event(event_id=event.pk)
