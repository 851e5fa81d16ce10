"""Schema of an event file: its parts (docs/api/event-files.md) and their allowed values."""

from collections.abc import Mapping
from typing import Any

from engine.draws import VERSION as DRAWN_BY
from engine.results import ByeReason
from engine.signed_logs import EntryKind
from engine.visibility import Names, RanksRelease, Results
from rules import Side
from scoring.log_values import DETAILS, MarkStatus
from tournaments.announcement import DAYS, HOURS, LENGTHS, REASON_LENGTH
from tournaments.competitors import Among
from tournaments.lifecycle import EventState, RoundState

from .shapes import (
    Day,
    ListOf,
    MomentShape,
    NamedBy,
    OrNull,
    Plain,
    RowShape,
    Shape,
    Spelled,
    Switch,
    Text,
    Whole,
    parts,
)

VERSION = 14
"""Version of the file format, raised by changes that older programs could not read, or would misread.

Older versions are still read. Version 1 identified people by name alone and had the place in ``event`` and
``standings``. Versions 2 and 3 knew only draws of versions 1 and 2, and nobody kept apart; 4 lacked the
clock, and prizes by category; 5 marks of a phone that saw only its own; 6 what phones know, and late
agreements; 7 event details; 8 signatures; 9 cancelled events; 10 events of several days; 11 separate draws of
sections; 12 the prize fund, and entries disqualified or excused; 13 phases with settings of their own.
"""

MARK = "charlemagne_event"
"""The part that identifies the file and its version."""

Content = dict[str, Any]

PLAIN, SWITCH, MOMENT, WHOLE, ANY_NUMBER = Plain(), Switch(), MomentShape(), Whole(), Whole(-(2**63))
ENTRY, NUMBER, PERSON = Whole(1, 12_000), Whole(1, 9_999), Whole(1, 99_999)
WAITED = Whole(1, 2**31 - 1)
AMOUNT, MONEY, SHORT_NUMBER = Whole(-30_000, 30_000), Whole(0, 2**31 - 1), Whole(0, 30_000)
NAME, SLOT, REASON, DEVICE, TEAM = Text(most=80), Text(most=40), Text(most=200), Text(most=40), Text(most=80)
TEXT, METRIC = Text(), Text(most=20)
ENTRIES, ROUNDS = ListOf(ENTRY), ListOf(NUMBER)
SIDE = Text(tuple(side.name for side in Side))
PAIR = ListOf(WHOLE, 2)
DIGITS = Spelled("-?[0-9]{1,400}")
CODE, KEY = Spelled("[0-9]{6}"), Spelled("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NUMBERED = NamedBy(ANY_NUMBER)
REASONS = ListOf(NamedBy(PLAIN))

RESULTS = (*(each.value for each in ByeReason), "A", "B", "drawn", "forfeit A", "forfeit B", "forfeit")
SECTION = parts(name=SLOT, first_table=OrNull(NUMBER), last_table=OrNull(NUMBER))

RULING = parts({"games_won": PAIR, "points": PAIR}, kind=Text(("forfeit", "adjusted")), winner=OrNull(SIDE))
OWN_TERMS = parts({"ruleset": NamedBy(PLAIN), "rules_name": NAME, "match_format": NamedBy(PLAIN)})
DONE_BY: dict[str, Shape] = {"at": MOMENT, "by": NAME, "origin": NAME, "reason": REASON}


def _match(player: Shape) -> Shape:
    return parts(
        {"own_terms": OWN_TERMS},
        opened_at=MOMENT,
        closed_at=OrNull(MOMENT),
        first_dealer=OrNull(Whole(0, 3)),
        players=ListOf(player),
        summary=PLAIN,
        is_over=SWITCH,
        has_rivals=SWITCH,
        marks=ListOf(
            parts(
                {"saw_only": SWITCH, "waited": WAITED},
                place=NUMBER,
                record=NamedBy(PLAIN),
                status=Text(tuple(status.value for status in MarkStatus)),
                supersedes=OrNull(NUMBER),
                at=MOMENT,
                by=NAME,
                device=DEVICE,
                reason=REASON,
            )
        ),
        agreements=ListOf(
            parts({"waited": WAITED}, game=NUMBER, side=SIDE, agreed_to=SLOT, device=DEVICE, at=MOMENT)
        ),
        calls=ListOf(
            parts(
                note=REASON,
                device=DEVICE,
                at=MOMENT,
                settled_at=OrNull(MOMENT),
                settled_by=NAME,
                ruling=REASON,
            )
        ),
    )


BYE = parts(entry=ENTRY, slot=SLOT, reasons=REASONS)
_CHANGED_TABLE = parts(number=NUMBER, slot=SLOT, a=ENTRIES, b=ENTRIES, reasons=REASONS)

DRAWN_FROM = parts(
    {
        "draw_version": Whole(1, DRAWN_BY),
        "table_count": NUMBER,
        "phases": ListOf(NamedBy(PLAIN)),
        "apart": ListOf(RowShape((SLOT, ListOf(ENTRY), OrNull(Whole(-9_999, 9_999))))),
    },
    at=MOMENT,
    seed=ANY_NUMBER,
    stages=ListOf(NamedBy(PLAIN)),
    ranking=NamedBy(PLAIN),
    lot=ANY_NUMBER,
    is_seeded=SWITCH,
    games_to_win=WHOLE,
    sections=ListOf(SECTION),
    order=ENTRIES,
    entrants=ListOf(
        parts(
            {
                "team": TEXT,
                "section": TEXT,
                "table": NUMBER,
                "side": SIDE,
                "arrives": NUMBER,
                "leaves_after": WHOLE,
                "absent": ROUNDS,
                "excused": ROUNDS,
                "withdrawn": ROUNDS,
                "byes_asked": ROUNDS,
                "disqualification": SWITCH,
                "is_house": SWITCH,
            },
            number=ENTRY,
        )
    ),
    adjustments=ListOf(RowShape((ENTRY, TEXT, ANY_NUMBER, OrNull(NUMBER)))),
    held=ListOf(RowShape((NUMBER, ENTRIES, ENTRIES))),
    earlier=ListOf(ListOf(RowShape((WHOLE, ENTRIES, ENTRIES, TEXT, OrNull(Text(RESULTS)))))),
)

_PROOF: dict[str, Shape] = {
    "units": NamedBy(DIGITS),
    "prices": ListOf(RowShape((OrNull(ENTRY), DIGITS))),
    "blossoms": ListOf(RowShape((ListOf(OrNull(ENTRY)), DIGITS))),
}
CERTIFICATE = parts({"sections": ListOf(parts(**_PROOF))}, **_PROOF)


CLOCK = parts(minutes=OrNull(NUMBER), added=SHORT_NUMBER)


def _round(player: Shape) -> Shape:
    return parts(
        {"clock": CLOCK},
        number=NUMBER,
        state=Text(tuple(state.value for state in RoundState)),
        published_at=OrNull(MOMENT),
        started_at=OrNull(MOMENT),
        closed_at=OrNull(MOMENT),
        draw=parts(
            format=SLOT,
            settings=NamedBy(PLAIN),
            seed=ANY_NUMBER,
            order=ENTRIES,
            drawn_from=OrNull(DRAWN_FROM),
            price=NUMBERED,
            certificate=OrNull(CERTIFICATE),
            held=ROUNDS,
        ),
        tables=ListOf(
            parts(
                number=NUMBER,
                slot=SLOT,
                a=ENTRIES,
                b=ENTRIES,
                reasons=REASONS,
                ruling=OrNull(RULING),
                match=OrNull(_match(player)),
            )
        ),
        byes=ListOf(BYE),
        by_hand=ListOf(
            parts(
                **DONE_BY,
                kind=SLOT,
                is_of_draft=SWITCH,
                tables=ListOf(ListOf(OrNull(_CHANGED_TABLE), 2)),
                byes=ListOf(ListOf(OrNull(BYE), 2)),
            )
        ),
        rulings=ListOf(
            parts(**DONE_BY, kind=SLOT, table=NUMBER, before=OrNull(RULING), after=OrNull(RULING))
        ),
    )


SETTINGS: Mapping[str, Shape] = {
    "ruleset": NamedBy(PLAIN),
    "rules_name": NAME,
    "match_format": NamedBy(PLAIN),
    "details": ListOf(Text(DETAILS)),
    "table_count": NUMBER,
    "stages": ListOf(NamedBy(PLAIN)),
    "ranking": NamedBy(PLAIN),
    "sections": ListOf(SECTION),
    "is_seeded": SWITCH,
    "rates": parts(member=MONEY, guest=MONEY),
}

CASH = parts(prize_share=Whole(0, 100), rounding_step=Whole(1, 10_000), starting_cash=MONEY)

HOUR = Spelled("([01][0-9]|2[0-3]):[0-5][0-9]")
ANNOUNCEMENT = parts(
    dict.fromkeys(HOURS, HOUR)
    | dict.fromkeys(DAYS, Day())
    | {name: Text(most=most) for name, most in LENGTHS.items()}
    | {"is_called_off": SWITCH, "reason_off": Text(most=REASON_LENGTH)}
)

RELEASE = parts(
    is_public=SWITCH,
    entries=SWITCH,
    draw=SWITCH,
    results=Text(tuple(Results)),
    silent_from=OrNull(SHORT_NUMBER),
    ranked=Text(tuple(RanksRelease)),
    names=Text(tuple(Names)),
)

PRIZES = parts(
    add_up=SWITCH,
    categories=ListOf(
        parts(
            name=NAME,
            among=Text(tuple(Among)),
            group=TEAM,
            lowest=OrNull(SHORT_NUMBER),
            highest=OrNull(SHORT_NUMBER),
            prize=NAME,
            amounts=ListOf(MONEY),
            is_public=SWITCH,
            shows_amount=SWITCH,
        )
    ),
)

KEPT_APART = ListOf(parts(entries=ENTRIES, always=SWITCH, rounds=OrNull(NUMBER)))

PHONES = parts(
    codes=ListOf(RowShape((NUMBER, CODE))),
    logs=ListOf(parts(round=NUMBER, table=NUMBER, opened_at=MOMENT, keys=ListOf(KEY))),
)

HEX, SIGNATURE = Spelled("[0-9a-f]{64}"), Spelled("[0-9a-f]{128}")
SIGNED = parts(
    entry=parts(
        {"new_key": HEX},
        charlemagne_log=Whole(1, 1),
        number=Whole(1),
        kind=Text(tuple(EntryKind)),
        at=MOMENT,
        before=Spelled("([0-9a-f]{64})?"),
        key=HEX,
        event=Spelled("[0-9a-f]{16}"),
        sum=HEX,
        standings=HEX,
    ),
    signature=SIGNATURE,
    sums=NamedBy(HEX),
)

EVENT: Mapping[str, Shape] = {
    "name": NAME,
    "held_on": Day(),
    "state": Text(tuple(state.value for state in EventState)),
    "lot": ANY_NUMBER,
}

STANDINGS: Mapping[str, Shape] = {
    "rows": ListOf(NamedBy(PLAIN)),
    "counted": NamedBy(NamedBy(PLAIN)),
    "contradictions": ListOf(NamedBy(PLAIN)),
}


def _form(
    player: Shape, *, event: Shape, standings: Shape, may: Mapping[str, Shape] | None = None, **more: Shape
) -> Shape:
    return parts(
        may,
        **{MARK: Whole()},
        sum=TEXT,
        sums=NamedBy(TEXT),
        event=event,
        entries=ListOf(
            parts(
                {
                    "family": TEAM,
                    "car": TEAM,
                    "side": SIDE,
                    "labels": TEAM,
                    "excused": ROUNDS,
                    "withdrawn": ROUNDS,
                    "disqualification": REASON,
                    "is_house": SWITCH,
                },
                number=ENTRY,
                players=ListOf(player),
                section=SLOT,
                team=TEAM,
                rating=OrNull(SHORT_NUMBER),
                table=OrNull(SHORT_NUMBER),
                is_waiting=SWITCH,
                signed_up_at=OrNull(MOMENT),
                present_at=OrNull(MOMENT),
                arrives=NUMBER,
                leaves_after=OrNull(SHORT_NUMBER),
                absent=ROUNDS,
                byes_asked=ROUNDS,
            )
        ),
        adjustments=ListOf(
            parts(entry=ENTRY, metric=METRIC, amount=AMOUNT, round=OrNull(NUMBER), reason=REASON)
        ),
        rounds=ListOf(_round(player)),
        set_aside=ListOf(parts(round=NUMBER, table=NUMBER, match=_match(player))),
        standings=OrNull(standings),
        **more,
    )


PHASES = ListOf(NamedBy(PLAIN))

_NEWEST_SETTINGS = parts(
    {"announcement": ANNOUNCEMENT, "cash": CASH, "phases": PHASES}, **SETTINGS, release=RELEASE
)

_NEWEST = _form(
    PERSON,
    may={"phones": PHONES, "signed": SIGNED},
    event=parts(
        {"kept_apart": KEPT_APART, "prizes": PRIZES},
        **EVENT,
        settings=_NEWEST_SETTINGS,
    ),
    standings=parts(**STANDINGS),
    people=ListOf(NAME),
    place=parts(club=TEXT, short=TEXT, counted_at=OrNull(MOMENT)),
)

FORMS: Mapping[int, Shape] = {
    1: _form(
        NAME,
        event=parts(**EVENT, settings=parts(**SETTINGS), short=TEXT, club=TEXT),
        standings=parts(**STANDINGS, computed_at=OrNull(MOMENT)),
    ),
    2: _NEWEST,
    3: _NEWEST,
    4: _NEWEST,
    5: _NEWEST,
    6: _NEWEST,
    7: _NEWEST,
    8: _NEWEST,
    9: _NEWEST,
    10: _NEWEST,
    11: _NEWEST,
    12: _NEWEST,
    13: _NEWEST,
    VERSION: _NEWEST,
}
"""Schema of a file, by version."""

PLACE = "place"
"""The part about the club and address of the event there; all others are equal in every copy."""
PHONES_KNOW = "phones"
"""The part only in the organizer's own copy: keys by which phones in the hall know its tables and hands."""
SIGNED_BY = "signed"
"""The part with the signature of the club that held the event, made when its standings were final."""
OF_A_COPY = frozenset({PLACE, PHONES_KNOW, SIGNED_BY})
"""Parts that may differ between two copies of one event."""
