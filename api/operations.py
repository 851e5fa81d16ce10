"""All API operations, by path."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rest_framework import serializers as s

from clubs.policy import Audience, Permission

from . import read_operations
from .operation import SAFE, Operation, read_operation
from .paths import CLUB, EVENT, PERSON, ROUND, SEASON, SEASON_SETTINGS, TABLE
from .shapes.boards import Boards
from .shapes.clubs import AllDues, ClubOut, Nights, PersonOut, SeasonOut, TokenOut
from .shapes.events import ActionOut, Entries, EventOut, EventWhole, StandingsOut
from .shapes.prizes import Prizes
from .shapes.rounds import Disputes, RoundOut, Rounds, TableWhole
from .sheets import SheetOut
from .tables import TABLE_OPERATIONS
from .writing import WRITE_OPERATIONS

PUBLIC, HELP, DIRECT, OWN = Audience.PUBLIC, Permission.HELP, Permission.DIRECT, Permission.OWN
PAGE_PARAMETERS = {
    "cursor": "Cursor of the page, from `next` or `previous`; empty for the first page.",
    "limit": "Rows per page, 1 to 200; 50 by default.",
}
EVENT_PARAMETERS = {
    "state": "Only events in this state: `preparing`, `running` or `ended`.",
    "since": "Only events on or after this day, for example `2026-11-17`.",
    "until": "Only events on or before this day, for example `2026-11-17`.",
} | PAGE_PARAMETERS


class CardOut(s.Serializer[Any]):
    table = s.IntegerField()
    code = s.CharField()


class Cards(s.Serializer[Any]):
    """Table codes of an event. Anybody who knows a code can record hands at that table."""

    results = CardOut(many=True)


def _event_operation(path: str, run: Any, response_shape: Any, **options: Any) -> Operation:
    """Build an operation whose answer is rendered once per revision for all readers."""
    return read_operation(path, run, response_shape, revision=read_operations.get_event_revision, **options)


READ_OPERATIONS: list[Operation] = [
    read_operation("me", read_operations.get_me, TokenOut, Audience.LINK),
    read_operation("clubs", read_operations.list_clubs, ClubOut, is_paged=True, asks=PAGE_PARAMETERS),
    read_operation(CLUB, read_operations.get_club, ClubOut),
    read_operation(
        f"{CLUB}/events", read_operations.list_events_of_club, EventOut, is_paged=True, asks=EVENT_PARAMETERS
    ),
    read_operation(f"{CLUB}/calendar", read_operations.get_calendar, SheetOut),
    read_operation(f"{CLUB}/nights", read_operations.list_nights, Nights),
    read_operation(f"{CLUB}/dues", read_operations.list_dues, AllDues, DIRECT),
    read_operation(
        f"{CLUB}/history", read_operations.list_history_of_club, ActionOut, DIRECT, is_paged=True, asks=PAGE_PARAMETERS
    ),
    read_operation(f"{CLUB}/seasons", read_operations.list_seasons, SheetOut),
    read_operation(
        SEASON,
        read_operations.get_ladder,
        SheetOut,
        asks={"ladder": "Position of the standings in the season's list, from 0."},
    ),
    read_operation(SEASON_SETTINGS, read_operations.get_season, SeasonOut, OWN),
    read_operation(f"{CLUB}/ratings", read_operations.get_ratings, SheetOut),
    read_operation(f"{CLUB}/records", read_operations.get_records, SheetOut),
    read_operation(
        f"{PERSON}/record",
        read_operations.get_record_of_person,
        SheetOut,
        asks={"part": "`years`, `nights`, `contracts`, `bids`, `partners` or `opponents`; `years` by default."},
    ),
    read_operation(
        f"{CLUB}/people",
        read_operations.list_people,
        PersonOut,
        DIRECT,
        is_paged=True,
        asks=PAGE_PARAMETERS | {"search": "Only people whose name has a word starting with each of these words."},
    ),
    read_operation(PERSON, read_operations.get_person, PersonOut, DIRECT),
    read_operation("events", read_operations.list_events, EventOut, is_paged=True, asks=EVENT_PARAMETERS),
    _event_operation(EVENT, read_operations.get_event, EventWhole),
    _event_operation(f"{EVENT}/entries", read_operations.list_entries, Entries),
    _event_operation(f"{EVENT}/rounds", read_operations.list_rounds, Rounds),
    _event_operation(ROUND, read_operations.get_round, RoundOut),
    _event_operation(TABLE, read_operations.get_table_of_round, TableWhole),
    _event_operation(f"{EVENT}/hands", read_operations.list_hands, SheetOut),
    _event_operation(
        f"{EVENT}/standings",
        read_operations.get_standings,
        StandingsOut,
        asks={"section": "Only this section; all entries by default."},
    ),
    read_operation(f"{EVENT}/disputes", read_operations.list_disputes, Disputes, HELP),
    read_operation(f"{EVENT}/prizes", read_operations.list_prizes, Prizes, DIRECT),
    read_operation(f"{EVENT}/fees", read_operations.get_fees, SheetOut, HELP),
    read_operation(f"{EVENT}/boards", read_operations.list_boards, Boards, DIRECT),
    read_operation(
        f"{EVENT}/history",
        read_operations.list_history_of_event,
        ActionOut,
        DIRECT,
        is_paged=True,
        asks=PAGE_PARAMETERS,
    ),
    read_operation(f"{EVENT}/cards", read_operations.list_cards, Cards, HELP, shows_codes=True),
]

_OPERATIONS: list[Operation] = [*READ_OPERATIONS, *TABLE_OPERATIONS, *WRITE_OPERATIONS]
_RESOURCES = {each.path: each for each in _OPERATIONS if each.method == "get" and not each.is_paged}


def _find_resource(operation: Operation) -> Operation | None:
    """Return the operation that reads what this one changes; None if it changes nothing."""
    if operation.method in SAFE:
        return None
    path = operation.resource_path or operation.path
    while path and path not in _RESOURCES:
        path = path.rpartition("/")[0]
    return _RESOURCES.get(path)


OPERATIONS: list[Operation] = [replace(each, resource=_find_resource(each)) for each in _OPERATIONS]


def group_by_path() -> Mapping[str, Mapping[str, Operation]]:
    """Group the operations by path, then by method."""
    operations: dict[str, dict[str, Operation]] = defaultdict(dict)
    for operation in OPERATIONS:
        assert operation.method not in operations[operation.path], f"{operation.method} {operation.path} twice"
        operations[operation.path][operation.method] = operation
    return operations
