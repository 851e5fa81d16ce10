"""Import of a recorded night as an event, through the services that the phones use."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from uuid import UUID, uuid4, uuid5

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person
from clubs.services.people_import import get_imports_topic
from engine.draws import DrawnTable, EntryId
from errors import Refusal, get_or_refuse
from jobs.models import Job, LongWrite
from jobs.pieces import Piece, Progress, find_long_write, get_or_create_long_write, ignore_progress, split_into_portions
from jobs.registry import JobCancelledError
from jobs.services import enqueue
from scoring.models import Match
from scoring.services.marks import SheetHand, record_hands
from scoring.services.matches import name_first_dealer
from tournaments.entries.entry_import.couples import TypedLines
from tournaments.entries.services.entries import save_entries
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.history.services.changes import Change
from tournaments.imports.queries.events import get_matched_ids, match_people
from tournaments.imports.recorded_nights.files import Files, read_texts
from tournaments.imports.recorded_nights.parser import (
    NO_LAYOUTS,
    Layouts,
    NightTable,
    RecordedNight,
    layouts_from_json,
    layouts_to_json,
    read_night,
)
from tournaments.models import Entry, Event
from tournaments.rounds.services.rounds import close_round, enter_draw, publish_round
from tournaments.standings.services import enqueue_standings, refresh_standings

from .arrival import hide_until_complete, import_in_pieces, roll_back_import
from .people import MatchedIds, add_people, build_people

NIGHT_NAMESPACE = UUID("5b0c6a52-5a0e-5d0a-9a7e-3f0a7f6f5d11")
"""Namespace of the keys of hands, made of the match and the place: a repeated piece writes the same hand."""

DEVICE = "import"
IMPORT_NIGHT = "bring_in_night"
"""Kind of these jobs."""
LARGE = 1_000
"""Number of hands from which a night takes more than some seconds, so that a background task imports it."""


def import_night(
    *,
    club: Club,
    name: str,
    files: Files,
    held_on: date | None = None,
    progress: Progress = ignore_progress,
) -> Event:
    """Import a recorded night as an event, played as far as its files go, completely or not at all. It is
    shown once all is written. The date is ``held_on``, or else that of its file. People in doubt are added as
    new.

    Refuses: night_refused, with every ``refusals`` of ``read_night``; day_required; and what the
    services refuse.
    """
    night = _read_titled_night(files, name, held_on)
    digest = hashlib.sha256(repr((name, night.held_on, sorted(files.items()))).encode()).hexdigest()
    long_write = get_or_create_long_write(kind="", key=f"{IMPORT_NIGHT} {club.pk} {digest}", undo=roll_back_import)
    matched_ids = get_matched_ids(match_people(club, night.players))
    people = build_people(club, night.players, matched_ids, are_guests=False)
    return _import_night(club, night, people, long_write, None, progress)


def start_night_import(
    *,
    club: Club,
    name: str,
    files: Files,
    layouts: Layouts = NO_LAYOUTS,
    as_typed: TypedLines = None,
    held_on: date | None = None,
    matched_ids: MatchedIds | None = None,
    by: Actor = NOBODY,
) -> Event | Job:
    """Import a night from a form; a large one in a background task, whose job is returned. ``matched_ids`` are the
    people chosen in the form, by place among the night's players; couples keep their names ``as_typed``. Safe to
    repeat with the same key.

    Refuses: no_such_person, same_person_twice, and what ``import_night`` does.
    """
    night = _read_titled_night(files, name, held_on, layouts, as_typed)
    key = by.key or uuid4()
    existing = club.events.filter(key=key, is_arriving=False).first()
    if existing is not None:
        return existing
    if matched_ids is None:
        matched_ids = get_matched_ids(match_people(club, night.players))
    people = build_people(club, night.players, matched_ids, are_guests=False)
    request = {
        "club": club.pk,
        "name": name,
        "held_on": get_night_day(night).isoformat(),
        "known": sorted(matched_ids.items()),
        "files": read_texts(files),
        "layouts": layouts_to_json(layouts),
        "as_typed": None if as_typed is None else sorted(as_typed),
    }
    topic = get_imports_topic(club)
    long_write = get_or_create_long_write(
        kind=IMPORT_NIGHT, key=str(key), request=request, topic=topic, undo=roll_back_import
    )
    if night.hands >= LARGE:
        return enqueue(kind=IMPORT_NIGHT, key=long_write.key, topic=topic, club_id=club.pk)
    return _import_night(club, night, people, long_write, key, ignore_progress)


def run_night_import(key: str, progress: Progress) -> Event:
    """Import the night of a form, in a background task. Safe to repeat. Refuses: what ``import_night`` does.

    Raises JobCancelledError, if what was asked was taken back.
    """
    existing = Event.objects.filter(key=key, is_arriving=False).first()
    if existing is not None:
        return existing
    long_write = find_long_write(IMPORT_NIGHT, key)
    if long_write is None or long_write.is_being_undone:
        raise JobCancelledError
    request = long_write.request
    files = {file: text.encode() for file, text in request["files"].items()}
    layouts = layouts_from_json(request.get("layouts", {}))
    held_on = date.fromisoformat(request["held_on"])
    night = _read_titled_night(files, request["name"], held_on, layouts, request.get("as_typed"))
    club = Club.objects.get(pk=request["club"])
    people = build_people(club, night.players, dict(request.get("known", ())), are_guests=False)
    return _import_night(club, night, people, long_write, UUID(key), progress)


def get_night_day(night: RecordedNight, typed: date | None = None) -> date:
    """Return the date typed, or else that of the file; never today by default.

    Refuses: day_required.
    """
    return get_or_refuse(typed or night.held_on, "day_required", field="held_on")


def _import_night(
    club: Club,
    night: RecordedNight,
    people: Sequence[Person],
    long_write: LongWrite,
    key: UUID | None,
    progress: Progress,
) -> Event:
    """Import a night with its ``people`` in their order; new ones have no key."""
    return import_in_pieces(
        club=club,
        long_write=long_write,
        key=key,
        pieces=_iter_pieces(club, night, people),
        finish=lambda event: refresh_standings(event_id=event.pk),
        reveal=partial(_finish_event, night),
        progress=progress,
    )


def parse_night(files: Files, layouts: Layouts = NO_LAYOUTS, as_typed: TypedLines = None) -> RecordedNight:
    """Return the night of the files. Refuses: night_refused."""
    night, refusals = read_night(files, layouts, as_typed)
    if night is None:
        raise Refusal("night_refused", field="files", refusals=tuple(refusals))
    return night


def _read_titled_night(
    files: Files, name: str, held_on: date | None, layouts: Layouts = NO_LAYOUTS, as_typed: TypedLines = None
) -> RecordedNight:
    """Return the night of the files under this name, on this day or else that of its file. Refuses:
    night_refused, day_required."""
    night = parse_night(files, layouts, as_typed)
    return replace(night, name=name, held_on=get_night_day(night, held_on))


def _iter_pieces(club: Club, night: RecordedNight, people: Sequence[Person]) -> Iterator[Piece]:
    yield partial(_create_event, club, night)
    for portion in split_into_portions(people):
        yield partial(add_people, portion)
    for numbers in split_into_portions(sorted(night.entries)):
        yield partial(_enter_entries, night, numbers)
    yield lambda long_write: start_event(event_id=long_write.state["event"])
    for number, tables in enumerate(night.rounds, start=1):
        yield partial(_draw_round, tables)
        yield partial(_publish_round, number)
        for table in tables:
            yield partial(_record_table, table)
        if all(table.is_over for table in tables):
            yield partial(_close_round, number)


def _create_event(club: Club, night: RecordedNight, long_write: LongWrite) -> None:
    highest = max((table.table for tables in night.rounds for table in tables), default=0)
    event = create_event(
        club=club,
        name=night.name,
        held_on=get_night_day(night),
        ruleset=night.ruleset,
        match_format=night.match_format,
        table_count=max(len(night.entries) // 2, highest),
    )
    hide_until_complete(long_write, event)


def _enter_entries(night: RecordedNight, numbers: Sequence[int], long_write: LongWrite) -> None:
    """Add the entries with these numbers. The long write has the keys of all players, in the order of the entries."""
    size = len(next(iter(night.entries.values())))
    places = {number: place * size for place, number in enumerate(sorted(night.entries))}
    player_ids = long_write.state["listed"]
    change = Change(long_write.state["event"], "add_entries")
    rows = [
        Entry(
            event=change.event,
            number=number,
            **dict(zip(("player_1_id", "player_2_id"), player_ids[places[number] :][:size], strict=False)),
        )
        for number in numbers
    ]
    save_entries(change, rows)


def _draw_round(tables: Sequence[NightTable], long_write: LongWrite) -> None:
    entries = dict(Event.objects.get(pk=long_write.state["event"]).entries.values_list("number", "pk"))
    seated_entries = {entry for table in tables for entry in (table.side_a, table.side_b)}
    enter_draw(
        event_id=long_write.state["event"],
        tables=[
            DrawnTable(
                number=table.table,
                a=(EntryId(entries[table.side_a]),),
                b=(EntryId(entries[table.side_b]),),
            )
            for table in tables
        ],
        byes=[EntryId(entry) for number, entry in sorted(entries.items()) if number not in seated_entries],
    )


def _publish_round(number: int, long_write: LongWrite) -> None:
    publish_round(event_id=long_write.state["event"], number=number)


def _record_table(table: NightTable, long_write: LongWrite) -> None:
    match = Match.objects.get(
        table__round__event=long_write.state["event"],
        table__round__number=table.round,
        table__number=table.table,
    )
    if table.first_dealer is not None:
        name_first_dealer(match_id=match.pk, seat=table.first_dealer)
    hands = [
        SheetHand(number=number, entry_key=uuid5(NIGHT_NAMESPACE, f"{match.pk}.{number}"), record_data=hand)
        for number, hand in enumerate(table.hands, start=1)
    ]
    record_hands(match_id=match.pk, hands=hands, device=DEVICE)


def _close_round(number: int, long_write: LongWrite) -> None:
    close_round(event_id=long_write.state["event"], number=number)


def _finish_event(night: RecordedNight, event: Event) -> None:
    enqueue_standings(event)
    if 0 < len(night.rounds) == event.rounds.exclude(closed_at=None).count():
        end_event(event_id=event.pk)
