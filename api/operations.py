"""All API operations, by path."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers as s

from clubs.policy import Audience, Permission
from errors import Refusal

from . import reading
from .operation import Operation, ProgramCall, read
from .paths import CLUB, EVENT, PERSON, ROUND, SEASON, TABLE
from .shapes.boards import Boards
from .shapes.clubs import AllDues, ClubOut, Nights, PersonOut, SeasonOut, TokenOut
from .shapes.events import Entries, EventOut, EventWhole, StandingsOut
from .shapes.history import ActionOut
from .shapes.prizes import Prizes
from .shapes.rounds import Disputes, RoundOut, Rounds, TableWhole
from .sheets import SheetOut
from .tables import AT_TABLES
from .writing import WRITING

PUBLIC, HELP, DIRECT, OWN = Audience.PUBLIC, Permission.HELP, Permission.DIRECT, Permission.OWN
PAGED = {
    "cursor": "Cursor of the page, from `next` or `previous`; empty for the first page.",
    "limit": "Rows per page, 1 to 200; 50 by default.",
}
EVENTS = {
    "state": "Only events in this state: `preparing`, `running` or `ended`.",
    "since": "Only events on or after this day, for example `2026-11-17`.",
    "until": "Only events on or before this day, for example `2026-11-17`.",
} | PAGED


class CardOut(s.Serializer[Any]):
    table = s.IntegerField()
    code = s.CharField()


class Cards(s.Serializer[Any]):
    """Table codes of an event. Anybody who knows a code can record hands at that table."""

    results = CardOut(many=True)


def _me(call: ProgramCall) -> Any:
    if call.token is None:
        raise Refusal("token_required")
    return call.token


def _of_event(path: str, name: str, says: str, run: Any, gives: Any, **more: Any) -> Operation:
    """Build an operation whose answer is rendered once per revision for all readers."""
    return read(path, name, says, run, gives, revision=reading.event_revision, **more)


READING: list[Operation] = [
    read("me", "getMe", "Get the API key in use: its club, scope and expiry.", _me, TokenOut, Audience.LINK),
    read(
        "clubs",
        "listClubs",
        "List clubs.",
        reading.list_clubs,
        ClubOut,
        is_paged=True,
        asks=PAGED,
    ),
    read(CLUB, "getClub", "Get a club.", lambda call: call.club, ClubOut),
    read(
        f"{CLUB}/events",
        "listEventsOfClub",
        "List a club's nights and tournaments, newest first.",
        reading.list_events,
        EventOut,
        is_paged=True,
        asks=EVENTS,
    ),
    read(
        f"{CLUB}/calendar",
        "getCalendar",
        "Get a club's upcoming nights and tournaments.",
        reading.get_calendar,
        SheetOut,
    ),
    read(f"{CLUB}/nights", "listNights", "List a club's recurring nights.", reading.list_nights, Nights),
    read(
        f"{CLUB}/dues",
        "listDues",
        "List a club's dues, newest period first.",
        reading.list_dues,
        AllDues,
        DIRECT,
    ),
    read(
        f"{CLUB}/history",
        "listHistoryOfClub",
        "List a club's history, newest change first.",
        reading.list_club_history,
        ActionOut,
        DIRECT,
        is_paged=True,
        asks=PAGED,
    ),
    read(f"{CLUB}/seasons", "listSeasons", "List a club's seasons.", reading.list_seasons, SheetOut),
    read(
        SEASON,
        "getLadder",
        "Get the standings of a season.",
        reading.get_ladder,
        SheetOut,
        asks={"ladder": "Position of the standings in the season's list, from 0."},
    ),
    read(
        f"{SEASON}/settings",
        "getSeason",
        "Get a season's settings, in the form that an update takes.",
        reading.get_season,
        SeasonOut,
        OWN,
    ),
    read(
        f"{CLUB}/ratings",
        "getRatings",
        "Get the ratings of a club's players, strongest first.",
        reading.get_ratings,
        SheetOut,
    ),
    read(f"{CLUB}/records", "getRecords", "Get a club's records.", reading.get_records, SheetOut),
    read(
        f"{PERSON}/record",
        "getRecordOfPerson",
        "Get a player's record, under their public name.",
        reading.get_person_record,
        SheetOut,
        asks={
            "part": "`years`, `nights`, `contracts`, `bids`, `partners` or `opponents`; `years` by default."
        },
    ),
    read(
        f"{CLUB}/people",
        "listPeople",
        "List a club's people.",
        reading.list_people,
        PersonOut,
        DIRECT,
        is_paged=True,
        asks=PAGED | {"search": "Only people whose name has a word starting with each of these words."},
    ),
    read(PERSON, "getPerson", "Get a person of a club.", reading.get_person, PersonOut, DIRECT),
    read(
        "events",
        "listEvents",
        "List nights and tournaments of all clubs, newest first.",
        reading.list_events,
        EventOut,
        is_paged=True,
        asks=EVENTS,
    ),
    _of_event(EVENT, "getEvent", "Get a night or tournament, with its rules.", reading.get_event, EventWhole),
    _of_event(
        f"{EVENT}/entries", "listEntries", "List the entries of an event.", reading.list_entries, Entries
    ),
    _of_event(
        f"{EVENT}/rounds",
        "listRounds",
        "List the published rounds of an event; with an API key of its club, also the draft.",
        reading.list_rounds,
        Rounds,
    ),
    _of_event(ROUND, "getRound", "Get a round with its tables.", reading.get_round, RoundOut),
    _of_event(
        TABLE,
        "getTableOfRound",
        "Get a table with every hand played there.",
        reading.get_table,
        TableWhole,
    ),
    _of_event(f"{EVENT}/hands", "listHands", "List the hands of an event.", reading.list_hands, SheetOut),
    _of_event(
        f"{EVENT}/standings",
        "getStandings",
        "Get the standings of an event.",
        reading.get_standings,
        StandingsOut,
        asks={"section": "Only this section; all entries by default."},
    ),
    read(
        f"{EVENT}/disputes",
        "listDisputes",
        "List the tables that called the desk and are waiting for an answer.",
        reading.list_disputes,
        Disputes,
        HELP,
    ),
    read(
        f"{EVENT}/prizes",
        "listPrizes",
        "List the prizes won and the prize categories of an event.",
        reading.list_prizes,
        Prizes,
        DIRECT,
    ),
    read(
        f"{EVENT}/fees",
        "getFees",
        "Get what each person owes and has paid.",
        reading.get_fees,
        SheetOut,
        HELP,
    ),
    read(
        f"{EVENT}/boards",
        "listBoards",
        "List the wall screens of an event.",
        reading.list_boards,
        Boards,
        DIRECT,
    ),
    read(
        f"{EVENT}/history",
        "listHistoryOfEvent",
        "List an event's history, newest change first.",
        reading.list_event_history,
        ActionOut,
        DIRECT,
        is_paged=True,
        asks=PAGED,
    ),
    read(
        f"{EVENT}/cards",
        "listCards",
        "List the table codes of an event.",
        reading.list_cards,
        Cards,
        HELP,
        shows_codes=True,
    ),
]

OPERATIONS: list[Operation] = [*READING, *AT_TABLES, *WRITING]


def by_address() -> Mapping[str, Mapping[str, Operation]]:
    """Group the operations by path, then by method."""
    found: dict[str, dict[str, Operation]] = defaultdict(dict)
    for one in OPERATIONS:
        assert one.method not in found[one.path], f"{one.method} {one.path} twice"
        found[one.path][one.method] = one
    return found
