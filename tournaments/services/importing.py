"""A recorded night becomes an event, through the same services that the phones use."""

import datetime
from uuid import uuid4

from django.db import transaction

from clubs.models import Club
from rules import Refusal
from scoring.services import name_first_dealer, record_hand
from tournaments.draws import DrawnTable, EntryId
from tournaments.models import Event
from tournaments.nights import Files, NightTable, read_night

from .entries import add_entries
from .events import create_event, end_event, start_event
from .rounds import close_round, enter_draw, publish_round
from .standings import refresh_standings


@transaction.atomic
def import_night(*, club: Club, name: str, held_on: datetime.date, files: Files) -> Event:
    """The event of a recorded night, played to where its files go, all of it or nothing.

    Refuses: night_refused, with every ``refusals`` of ``nights.read_night``, and what the services refuse.
    """
    night, refusals = read_night(files)
    if night is None:
        raise Refusal("night_refused", field="files", refusals=tuple(refusals))
    event = create_event(
        club=club,
        name=name,
        held_on=held_on,
        ruleset=night.ruleset,
        match_format=night.match_format,
        table_count=max(
            len(night.entries) // 2,
            max((table.table for tables in night.rounds for table in tables), default=0),
        ),
    )
    added = add_entries(event_id=event.pk, entries=night.entries)
    entries = {entry.number: EntryId(entry.pk) for entry in added}
    event = start_event(event_id=event.pk)
    for tables in night.rounds:
        _play(event, tables, entries)
    refresh_standings(event_id=event.pk)
    if 0 < len(night.rounds) == event.rounds.exclude(closed_at=None).count():
        event = end_event(event_id=event.pk)
    return event


def _play(event: Event, tables: tuple[NightTable, ...], entries: dict[int, EntryId]) -> None:
    seated = {entry for table in tables for entry in (table.side_a, table.side_b)}
    drawn = enter_draw(
        event_id=event.pk,
        tables=[
            DrawnTable(number=table.table, a=(entries[table.side_a],), b=(entries[table.side_b],))
            for table in tables
        ],
        byes=[entry for number, entry in entries.items() if number not in seated],
    )
    publish_round(event_id=event.pk, number=drawn.number)
    matches = dict(drawn.tables.values_list("number", "match"))
    for table in tables:
        _record(matches[table.table], table)
    if all(table.is_over for table in tables):
        close_round(event_id=event.pk, number=drawn.number)


def _record(match_id: int, table: NightTable) -> None:
    if table.first_dealer is not None:
        name_first_dealer(match_id=match_id, seat=table.first_dealer)
    for number, hand in enumerate(table.hands, start=1):
        record_hand(match_id=match_id, entry_key=uuid4(), number=number, hand=hand, device="import")
