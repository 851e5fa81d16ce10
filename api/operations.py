"""Every operation that programs have, by address."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers as s

from clubs.policy import Audience, Permission
from rules import Refusal

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
PAGED = {"cursor": "The page, as `next` names it.", "limit": "Rows of a page, 200 at most."}
EVENTS = {
    "state": "preparing, running or ended.",
    "since": "From that day on.",
    "until": "Up to that day.",
} | PAGED


class CardOut(s.Serializer[Any]):
    table = s.IntegerField()
    code = s.CharField()


class Cards(s.Serializer[Any]):
    """The cards of an event's tables: whoever knows a code marks there."""

    results = CardOut(many=True)


def _me(call: ProgramCall) -> Any:
    if call.token is None:
        raise Refusal("token_required")
    return call.token


def _of_event(path: str, name: str, says: str, run: Any, gives: Any, **more: Any) -> Operation:
    """Made once at each revision, however many ask."""
    return read(path, name, says, run, gives, revision=reading.event_revision, **more)


READING: list[Operation] = [
    read(
        "me", "getMe", "Which key this is, of which club, and what it may do.", _me, TokenOut, Audience.LINK
    ),
    read(
        "clubs",
        "listClubs",
        "The clubs that play here.",
        reading.list_clubs,
        ClubOut,
        is_paged=True,
        asks=PAGED,
    ),
    read(CLUB, "getClub", "A club.", lambda call: call.club, ClubOut),
    read(
        f"{CLUB}/events",
        "listEventsOfClub",
        "The nights and tournaments of a club, the last one first.",
        reading.list_events,
        EventOut,
        is_paged=True,
        asks=EVENTS,
    ),
    read(
        f"{CLUB}/calendar",
        "getCalendar",
        "What the club plays next: nights and events.",
        reading.get_calendar,
        SheetOut,
    ),
    read(f"{CLUB}/nights", "listNights", "The nights that come again.", reading.list_nights, Nights),
    read(
        f"{CLUB}/dues",
        "listDues",
        "What members pay, the last year first.",
        reading.list_dues,
        AllDues,
        DIRECT,
    ),
    read(
        f"{CLUB}/history",
        "listHistoryOfClub",
        "What was done to the club, the last first.",
        reading.list_club_history,
        ActionOut,
        DIRECT,
        is_paged=True,
        asks=PAGED,
    ),
    read(f"{CLUB}/seasons", "listSeasons", "The seasons of the club.", reading.list_seasons, SheetOut),
    read(
        SEASON,
        "getLadder",
        "One ladder of a season.",
        reading.get_ladder,
        SheetOut,
        asks={"ladder": "Its place, from 0."},
    ),
    read(
        f"{SEASON}/settings",
        "getSeason",
        "What a season adds up, as a change of it says it.",
        reading.get_season,
        SeasonOut,
        OWN,
    ),
    read(
        f"{CLUB}/ratings",
        "getRatings",
        "The ratings of the club's players, the strongest first.",
        reading.get_ratings,
        SheetOut,
    ),
    read(f"{CLUB}/records", "getRecords", "The records of the club.", reading.get_records, SheetOut),
    read(
        f"{PERSON}/record",
        "getRecordOfPerson",
        "What somebody has played, by their public name.",
        reading.get_person_record,
        SheetOut,
        asks={"part": "nights, partners, opponents, …"},
    ),
    read(
        f"{CLUB}/people",
        "listPeople",
        "The club's people.",
        reading.list_people,
        PersonOut,
        DIRECT,
        is_paged=True,
        asks=PAGED | {"search": "Words that a name begins with."},
    ),
    read(PERSON, "getPerson", "Somebody whom the club knows.", reading.get_person, PersonOut, DIRECT),
    read(
        "events",
        "listEvents",
        "What is played in all clubs, the last one first.",
        reading.list_events,
        EventOut,
        is_paged=True,
        asks=EVENTS,
    ),
    _of_event(
        EVENT, "getEvent", "A club night or a tournament, with its rules.", reading.get_event, EventWhole
    ),
    _of_event(f"{EVENT}/entries", "listEntries", "Who takes part.", reading.list_entries, Entries),
    _of_event(
        f"{EVENT}/rounds",
        "listRounds",
        "The rounds that were published; for the club also the draft.",
        reading.list_rounds,
        Rounds,
    ),
    _of_event(ROUND, "getRound", "A round with its tables.", reading.get_round, RoundOut),
    _of_event(
        TABLE,
        "getTableOfRound",
        "A table with every hand that was played there.",
        reading.get_table,
        TableWhole,
    ),
    _of_event(f"{EVENT}/hands", "listHands", "The hands of the event.", reading.list_hands, SheetOut),
    _of_event(
        f"{EVENT}/standings",
        "getStandings",
        "The standings.",
        reading.get_standings,
        StandingsOut,
        asks={"section": "Of one section."},
    ),
    read(
        f"{EVENT}/disputes",
        "listDisputes",
        "The tables that call the desk and wait for an answer.",
        reading.list_disputes,
        Disputes,
        HELP,
    ),
    read(
        f"{EVENT}/prizes", "listPrizes", "What was won, and what can be.", reading.list_prizes, Prizes, DIRECT
    ),
    read(f"{EVENT}/fees", "getFees", "What each pays, and has paid.", reading.get_fees, SheetOut, HELP),
    read(f"{EVENT}/boards", "listBoards", "The screens of the hall.", reading.list_boards, Boards, DIRECT),
    read(
        f"{EVENT}/history",
        "listHistoryOfEvent",
        "What was done to the event, the last first.",
        reading.list_event_history,
        ActionOut,
        DIRECT,
        is_paged=True,
        asks=PAGED,
    ),
    read(
        f"{EVENT}/cards",
        "listCards",
        "The codes of the tables.",
        reading.list_cards,
        Cards,
        HELP,
        shows_codes=True,
    ),
]

OPERATIONS: list[Operation] = [*READING, *AT_TABLES, *WRITING]


def by_address() -> Mapping[str, Mapping[str, Operation]]:
    """The operations of each address, by method."""
    found: dict[str, dict[str, Operation]] = defaultdict(dict)
    for one in OPERATIONS:
        assert one.method not in found[one.path], f"{one.method} {one.path} twice"
        found[one.path][one.method] = one
    return found
