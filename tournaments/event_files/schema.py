"""Schema of an event file: its parts (docs/api/event-files.md) and their allowed values."""

from collections.abc import Mapping
from typing import Any

from engine.draws import VERSION as DRAWN_BY
from engine.results import ByeReason
from engine.signed_logs import EntryKind
from engine.visibility import Names, RanksRelease, Results
from rules import Side
from scoring.log_values import DETAILS, MarkStatus
from tournaments.announcement import DATE_FIELDS, REASON_LENGTH, TEXT_LENGTHS, TIME_FIELDS
from tournaments.competitors import PrizeScope
from tournaments.lifecycle import EventState, RoundState

from .shapes import (
    AnyShape,
    BooleanShape,
    DateShape,
    DatetimeShape,
    IntegerShape,
    ListShape,
    MappingShape,
    NullableShape,
    PatternShape,
    Shape,
    TextShape,
    TupleShape,
    build_object_shape,
)

VERSION = 15
"""Version of the file format, raised by changes that older programs could not read, or would misread.

Older versions are still read. Version 1 identified people by name alone and had the place in ``event`` and
``standings``. Versions 2 and 3 knew only draws of versions 1 and 2, and nobody kept apart; 4 lacked the
clock, and prizes by category; 5 marks of a phone that saw only its own; 6 what phones know, and late
agreements; 7 event details; 8 signatures; 9 cancelled events; 10 events of several days; 11 separate draws of
sections; 12 the prize fund, and entries disqualified or excused; 13 phases with settings of their own, and
play-offs; 14 what the desk has.
"""

FORMAT_KEY = "charlemagne_event"
"""The part that identifies the file and its version."""

Content = dict[str, Any]

ANY_VALUE, BOOLEAN, DATETIME, INTEGER, ANY_NUMBER = (
    AnyShape(),
    BooleanShape(),
    DatetimeShape(),
    IntegerShape(),
    IntegerShape(-(2**63)),
)
ENTRY, NUMBER, PERSON = IntegerShape(1, 12_000), IntegerShape(1, 9_999), IntegerShape(1, 99_999)
WAIT_SECONDS = IntegerShape(1, 2**31 - 1)
AMOUNT, MONEY, SHORT_NUMBER = IntegerShape(-30_000, 30_000), IntegerShape(0, 2**31 - 1), IntegerShape(0, 30_000)
NAME, SLOT, REASON, DEVICE, TEAM = (
    TextShape(most=80),
    TextShape(most=40),
    TextShape(most=200),
    TextShape(most=40),
    TextShape(most=80),
)
TEXT, METRIC = TextShape(), TextShape(most=20)
ENTRIES, ROUNDS = ListShape(ENTRY), ListShape(NUMBER)
SIDE = TextShape(tuple(side.name for side in Side))
PAIR = ListShape(INTEGER, 2)
DIGITS = PatternShape("-?[0-9]{1,400}")
CODE, KEY = PatternShape("[0-9]{6}"), PatternShape("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NUMBER_MAPPING = MappingShape(ANY_NUMBER)
REASONS = ListShape(MappingShape(ANY_VALUE))

RESULTS = (*(each.value for each in ByeReason), "A", "B", "drawn", "forfeit A", "forfeit B", "forfeit")
SECTION = build_object_shape(name=SLOT, first_table=NullableShape(NUMBER), last_table=NullableShape(NUMBER))

RULING = build_object_shape(
    {"games_won": PAIR, "points": PAIR}, kind=TextShape(("forfeit", "adjusted")), winner=NullableShape(SIDE)
)
CUSTOM_TERMS = build_object_shape(
    {"ruleset": MappingShape(ANY_VALUE), "rules_name": NAME, "match_format": MappingShape(ANY_VALUE)}
)
ACTION_FIELDS: dict[str, Shape] = {"at": DATETIME, "by": NAME, "origin": NAME, "reason": REASON}


def _build_match_schema(player: Shape) -> Shape:
    return build_object_shape(
        {"own_terms": CUSTOM_TERMS},
        opened_at=DATETIME,
        closed_at=NullableShape(DATETIME),
        first_dealer=NullableShape(IntegerShape(0, 3)),
        players=ListShape(player),
        summary=ANY_VALUE,
        is_over=BOOLEAN,
        has_rivals=BOOLEAN,
        marks=ListShape(
            build_object_shape(
                {"saw_only": BOOLEAN, "waited": WAIT_SECONDS},
                place=NUMBER,
                record=MappingShape(ANY_VALUE),
                status=TextShape(tuple(status.value for status in MarkStatus)),
                supersedes=NullableShape(NUMBER),
                at=DATETIME,
                by=NAME,
                device=DEVICE,
                reason=REASON,
            )
        ),
        agreements=ListShape(
            build_object_shape(
                {"waited": WAIT_SECONDS}, game=NUMBER, side=SIDE, agreed_to=SLOT, device=DEVICE, at=DATETIME
            )
        ),
        calls=ListShape(
            build_object_shape(
                note=REASON,
                device=DEVICE,
                at=DATETIME,
                settled_at=NullableShape(DATETIME),
                settled_by=NAME,
                ruling=REASON,
            )
        ),
    )


BYE = build_object_shape(entry=ENTRY, slot=SLOT, reasons=REASONS)
_CHANGED_TABLE = build_object_shape(number=NUMBER, slot=SLOT, a=ENTRIES, b=ENTRIES, reasons=REASONS)

DRAW_INPUTS = build_object_shape(
    {
        "draw_version": IntegerShape(1, DRAWN_BY),
        "table_count": NUMBER,
        "phases": ListShape(MappingShape(ANY_VALUE)),
        "apart": ListShape(TupleShape((SLOT, ListShape(ENTRY), NullableShape(IntegerShape(-9_999, 9_999))))),
    },
    at=DATETIME,
    seed=ANY_NUMBER,
    stages=ListShape(MappingShape(ANY_VALUE)),
    ranking=MappingShape(ANY_VALUE),
    lot=ANY_NUMBER,
    is_seeded=BOOLEAN,
    games_to_win=INTEGER,
    sections=ListShape(SECTION),
    order=ENTRIES,
    entrants=ListShape(
        build_object_shape(
            {
                "team": TEXT,
                "section": TEXT,
                "table": NUMBER,
                "side": SIDE,
                "arrives": NUMBER,
                "leaves_after": INTEGER,
                "absent": ROUNDS,
                "excused": ROUNDS,
                "withdrawn": ROUNDS,
                "byes_asked": ROUNDS,
                "disqualification": BOOLEAN,
                "is_house": BOOLEAN,
            },
            number=ENTRY,
        )
    ),
    adjustments=ListShape(TupleShape((ENTRY, TEXT, ANY_NUMBER, NullableShape(NUMBER)))),
    held=ListShape(TupleShape((NUMBER, ENTRIES, ENTRIES))),
    earlier=ListShape(ListShape(TupleShape((INTEGER, ENTRIES, ENTRIES, TEXT, NullableShape(TextShape(RESULTS)))))),
)

_PROOF: dict[str, Shape] = {
    "units": MappingShape(DIGITS),
    "prices": ListShape(TupleShape((NullableShape(ENTRY), DIGITS))),
    "blossoms": ListShape(TupleShape((ListShape(NullableShape(ENTRY)), DIGITS))),
}
CERTIFICATE = build_object_shape({"sections": ListShape(build_object_shape(**_PROOF))}, **_PROOF)


CLOCK = build_object_shape(minutes=NullableShape(NUMBER), added=SHORT_NUMBER)


def _build_round_schema(player: Shape) -> Shape:
    return build_object_shape(
        {"clock": CLOCK, "postponed": MappingShape(PatternShape("([0-9]{4}-[0-9]{2}-[0-9]{2})?"))},
        number=NUMBER,
        state=TextShape(tuple(state.value for state in RoundState)),
        published_at=NullableShape(DATETIME),
        started_at=NullableShape(DATETIME),
        closed_at=NullableShape(DATETIME),
        draw=build_object_shape(
            format=SLOT,
            settings=MappingShape(ANY_VALUE),
            seed=ANY_NUMBER,
            order=ENTRIES,
            drawn_from=NullableShape(DRAW_INPUTS),
            price=NUMBER_MAPPING,
            certificate=NullableShape(CERTIFICATE),
            held=ROUNDS,
        ),
        tables=ListShape(
            build_object_shape(
                number=NUMBER,
                slot=SLOT,
                a=ENTRIES,
                b=ENTRIES,
                reasons=REASONS,
                ruling=NullableShape(RULING),
                match=NullableShape(_build_match_schema(player)),
            )
        ),
        byes=ListShape(BYE),
        by_hand=ListShape(
            build_object_shape(
                **ACTION_FIELDS,
                kind=SLOT,
                is_of_draft=BOOLEAN,
                tables=ListShape(ListShape(NullableShape(_CHANGED_TABLE), 2)),
                byes=ListShape(ListShape(NullableShape(BYE), 2)),
            )
        ),
        rulings=ListShape(
            build_object_shape(
                **ACTION_FIELDS, kind=SLOT, table=NUMBER, before=NullableShape(RULING), after=NullableShape(RULING)
            )
        ),
    )


SETTINGS: Mapping[str, Shape] = {
    "ruleset": MappingShape(ANY_VALUE),
    "rules_name": NAME,
    "match_format": MappingShape(ANY_VALUE),
    "details": ListShape(TextShape(DETAILS)),
    "table_count": NUMBER,
    "stages": ListShape(MappingShape(ANY_VALUE)),
    "ranking": MappingShape(ANY_VALUE),
    "sections": ListShape(SECTION),
    "is_seeded": BOOLEAN,
    "rates": build_object_shape(member=MONEY, guest=MONEY),
}

CASH = build_object_shape(prize_share=IntegerShape(0, 100), rounding_step=IntegerShape(1, 10_000), starting_cash=MONEY)

HOUR = PatternShape("([01][0-9]|2[0-3]):[0-5][0-9]")
ANNOUNCEMENT = build_object_shape(
    dict.fromkeys(TIME_FIELDS, HOUR)
    | dict.fromkeys(DATE_FIELDS, DateShape())
    | {name: TextShape(most=most) for name, most in TEXT_LENGTHS.items()}
    | {"is_called_off": BOOLEAN, "reason_off": TextShape(most=REASON_LENGTH)}
)

RELEASE = build_object_shape(
    is_public=BOOLEAN,
    entries=BOOLEAN,
    draw=BOOLEAN,
    results=TextShape(tuple(Results)),
    silent_from=NullableShape(SHORT_NUMBER),
    ranked=TextShape(tuple(RanksRelease)),
    names=TextShape(tuple(Names)),
)

PRIZES = build_object_shape(
    add_up=BOOLEAN,
    categories=ListShape(
        build_object_shape(
            name=NAME,
            among=TextShape(tuple(PrizeScope)),
            group=TEAM,
            lowest=NullableShape(SHORT_NUMBER),
            highest=NullableShape(SHORT_NUMBER),
            prize=NAME,
            amounts=ListShape(MONEY),
            is_public=BOOLEAN,
            shows_amount=BOOLEAN,
        )
    ),
)

APART_GROUPS = ListShape(build_object_shape(entries=ENTRIES, always=BOOLEAN, rounds=NullableShape(NUMBER)))

PHONES = build_object_shape(
    codes=ListShape(TupleShape((NUMBER, CODE))),
    logs=ListShape(build_object_shape(round=NUMBER, table=NUMBER, opened_at=DATETIME, keys=ListShape(KEY))),
)

NULLABLE_NUMBER, NULLABLE_MOMENT = NullableShape(INTEGER), NullableShape(DATETIME)
PUBLISHED = ListShape(
    build_object_shape(
        number=NUMBER,
        corrects=NullableShape(NUMBER),
        rounds=INTEGER,
        rows=ANY_VALUE,
        counted=ANY_VALUE,
        charts=ANY_VALUE,
        published_at=DATETIME,
    )
)
CLOCKS = MappingShape(
    build_object_shape(
        minutes=NullableShape(NUMBER),
        added=INTEGER,
        paused_at=NULLABLE_MOMENT,
        paused_seconds=INTEGER,
        last_hand_at=NULLABLE_MOMENT,
        shift=IntegerShape(-(2**31), 2**31 - 1),
    )
)
LIVE_PARTS: Mapping[str, Shape] = {
    "final": NullableShape(NUMBER),
    "published": PUBLISHED,
    "messages": ListShape(MappingShape(ANY_VALUE)),
    "clocks": CLOCKS,
}
"""What public pages show of a running event and its results do not say."""
PERSON_SHAPES: Mapping[str, Shape] = dict.fromkeys(("is_guest", "shows_full_name", "is_hidden"), BOOLEAN)
"""Fields of a person in event files and mirrors, beside the name."""
DESK = build_object_shape(
    {
        "team_lineups": ListShape(build_object_shape(number=NUMBER, team_lineups=TEXT)),
        "postponement_requests": ListShape(
            build_object_shape(
                number=NUMBER,
                postponement_requests=MappingShape(build_object_shape(day=DateShape(), note=REASON, answer=REASON)),
            )
        ),
    },
    **LIVE_PARTS,
    fees=ListShape(build_object_shape(id=INTEGER, person_id=INTEGER, other=NullableShape(MONEY), paid=MONEY)),
    prizes=ListShape(
        build_object_shape(
            id=INTEGER,
            name=NAME,
            amount=MONEY,
            winner_1_id=INTEGER,
            winner_2_id=NULLABLE_NUMBER,
            rank=NULLABLE_NUMBER,
            is_public=BOOLEAN,
            shows_amount=BOOLEAN,
        )
    ),
    history=ListShape(
        build_object_shape(
            id=INTEGER,
            kind=SLOT,
            details=MappingShape(ANY_VALUE),
            reason=REASON,
            origin=NAME,
            undoes_id=NULLABLE_NUMBER,
            created_at=DATETIME,
            account_id=NULLABLE_NUMBER,
            changes=MappingShape(ANY_VALUE),
        )
    ),
    event=build_object_shape(
        signs_up=BOOLEAN,
        most_entries=NullableShape(SHORT_NUMBER),
        boards=ListShape(MappingShape(ANY_VALUE)),
        hall_row=SHORT_NUMBER,
        hall_snakes=BOOLEAN,
    ),
    accounts=ListShape(TEXT),
    people=ListShape(build_object_shape(name=NAME, **PERSON_SHAPES)),
)

HEX, SIGNATURE = PatternShape("[0-9a-f]{64}"), PatternShape("[0-9a-f]{128}")
SIGNATURE_ENTRY = build_object_shape(
    entry=build_object_shape(
        {"new_key": HEX},
        charlemagne_log=IntegerShape(1, 1),
        number=IntegerShape(1),
        kind=TextShape(tuple(EntryKind)),
        at=DATETIME,
        before=PatternShape("([0-9a-f]{64})?"),
        key=HEX,
        event=PatternShape("[0-9a-f]{16}"),
        sum=HEX,
        standings=HEX,
    ),
    signature=SIGNATURE,
    sums=MappingShape(HEX),
)

EVENT: Mapping[str, Shape] = {
    "name": NAME,
    "held_on": DateShape(),
    "state": TextShape(tuple(state.value for state in EventState)),
    "lot": ANY_NUMBER,
}

ENTRY_PARTS: Mapping[str, Shape] = {
    "section": SLOT,
    "team": TEAM,
    "rating": NullableShape(SHORT_NUMBER),
    "table": NullableShape(SHORT_NUMBER),
    "is_waiting": BOOLEAN,
    "signed_up_at": NullableShape(DATETIME),
    "present_at": NullableShape(DATETIME),
    "arrives": NUMBER,
    "leaves_after": NullableShape(SHORT_NUMBER),
    "absent": ROUNDS,
    "byes_asked": ROUNDS,
}
ENTRY_DETAILS: Mapping[str, Shape] = {
    "family": TEAM,
    "car": TEAM,
    "labels": TEAM,
    "excused": ROUNDS,
    "withdrawn": ROUNDS,
    "disqualification": REASON,
    "is_house": BOOLEAN,
}
"""Parts of an entry, and those that most entries do not have; each is a column."""

STANDINGS: Mapping[str, Shape] = {
    "rows": ListShape(MappingShape(ANY_VALUE)),
    "counted": MappingShape(MappingShape(ANY_VALUE)),
    "contradictions": ListShape(MappingShape(ANY_VALUE)),
}


def _build_schema(
    player: Shape,
    *,
    event: Shape,
    standings: Shape,
    optional_parts: Mapping[str, Shape] | None = None,
    **more_parts: Shape,
) -> Shape:
    return build_object_shape(
        optional_parts,
        **{FORMAT_KEY: IntegerShape()},
        sum=TEXT,
        sums=MappingShape(TEXT),
        event=event,
        entries=ListShape(
            build_object_shape({"side": SIDE, **ENTRY_DETAILS}, number=ENTRY, players=ListShape(player), **ENTRY_PARTS)
        ),
        adjustments=ListShape(
            build_object_shape(entry=ENTRY, metric=METRIC, amount=AMOUNT, round=NullableShape(NUMBER), reason=REASON)
        ),
        rounds=ListShape(_build_round_schema(player)),
        set_aside=ListShape(build_object_shape(round=NUMBER, table=NUMBER, match=_build_match_schema(player))),
        standings=NullableShape(standings),
        **more_parts,
    )


HAND_COUNTS = MappingShape(TupleShape((IntegerShape(), IntegerShape())))

PHASES = ListShape(MappingShape(ANY_VALUE))

_NEWEST_SETTINGS = build_object_shape(
    {"announcement": ANNOUNCEMENT, "cash": CASH, "phases": PHASES}, **SETTINGS, release=RELEASE
)

_NEWEST_SCHEMA = _build_schema(
    PERSON,
    optional_parts={"phones": PHONES, "desk": DESK, "signed": SIGNATURE_ENTRY},
    event=build_object_shape(
        {"kept_apart": APART_GROUPS, "prizes": PRIZES, "hand_counts": HAND_COUNTS},
        **EVENT,
        settings=_NEWEST_SETTINGS,
    ),
    standings=build_object_shape(**STANDINGS),
    people=ListShape(NAME),
    place=build_object_shape(club=TEXT, short=TEXT, counted_at=NullableShape(DATETIME)),
)

SCHEMAS: Mapping[int, Shape] = {
    1: _build_schema(
        NAME,
        event=build_object_shape(**EVENT, settings=build_object_shape(**SETTINGS), short=TEXT, club=TEXT),
        standings=build_object_shape(**STANDINGS, computed_at=NullableShape(DATETIME)),
    ),
    **dict.fromkeys(range(2, VERSION + 1), _NEWEST_SCHEMA),
}
"""Schema of a file, by version."""

PLACE_PART = "place"
"""The part about the club and address of the event there; all others are equal in every copy."""
PHONE_KEYS_PART = "phones"
"""The part only in the organizer's own copy: keys by which phones in the hall know its tables and hands."""
DESK_PART = "desk"
"""The part only in the organizer's own copy: payments, prizes, clocks, messages and the history."""
SIGNATURE_PART = "signed"
"""The part with the signature of the club that held the event, made when its standings were final."""
COPY_SPECIFIC_PARTS = frozenset({PLACE_PART, PHONE_KEYS_PART, DESK_PART, SIGNATURE_PART})
"""Parts that may differ between two copies of one event."""


def list_file_people(content: Mapping[str, Any]) -> list[str]:
    """Return the names of all people in a file, in the order of their numbers."""
    desk_people = content.get(DESK_PART, {}).get("people", ())
    return [*content["people"], *(each["name"] for each in desk_people[len(content["people"]) :])]
