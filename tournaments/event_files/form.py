"""The form of an event file: its parts (docs/event-files.md), its sums, and how it is written down."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from rules import Side
from scoring.models import MarkStatus
from tournaments.counting import SatOut
from tournaments.lifecycle import EventState, RoundState

from .shapes import Digits, ListOf, Moment, NamedBy, OrNull, Plain, Row, Shape, Switch, Text, Whole, parts

VERSION = 1
"""A change that an older program could not read, or read wrongly, raises it."""

MARK = "charlemagne_event"
"""The part that says what the file is, and of which version."""

Content = dict[str, Any]

TEXT, PLAIN, SWITCH, MOMENT, WHOLE, ANY_NUMBER = Text(), Plain(), Switch(), Moment(), Whole(), Whole(-(2**63))
ENTRY, NUMBER = Whole(1, 99_999), Whole(1, 9_999)
ENTRIES, ROUNDS = ListOf(ENTRY), ListOf(NUMBER)
SIDE = Text(tuple(side.name for side in Side))
PAIR = ListOf(WHOLE, 2)
NUMBERED = NamedBy(ANY_NUMBER)
REASONS = ListOf(NamedBy(PLAIN))

RESULTS = (*(each.value for each in SatOut), "A", "B", "drawn", "forfeit A", "forfeit B", "forfeit")
SECTION = parts(name=TEXT, first_table=OrNull(NUMBER), last_table=OrNull(NUMBER))

RULING = parts({"games_won": PAIR, "points": PAIR}, kind=Text(("forfeit", "adjusted")), winner=OrNull(SIDE))
DONE_BY: dict[str, Shape] = {"at": MOMENT, "by": TEXT, "origin": TEXT, "reason": TEXT}

MATCH = parts(
    opened_at=MOMENT,
    closed_at=OrNull(MOMENT),
    first_dealer=OrNull(Whole(0, 3)),
    players=ListOf(TEXT),
    summary=PLAIN,
    is_over=SWITCH,
    has_rivals=SWITCH,
    marks=ListOf(
        parts(
            place=NUMBER,
            record=NamedBy(PLAIN),
            status=Text(tuple(status.value for status in MarkStatus)),
            supersedes=OrNull(NUMBER),
            at=MOMENT,
            by=TEXT,
            device=TEXT,
            reason=TEXT,
        )
    ),
    agreements=ListOf(parts(game=NUMBER, side=SIDE, agreed_to=TEXT, device=TEXT, at=MOMENT)),
    calls=ListOf(
        parts(
            note=TEXT,
            device=TEXT,
            at=MOMENT,
            settled_at=OrNull(MOMENT),
            settled_by=TEXT,
            ruling=TEXT,
        )
    ),
)

TABLE = parts(
    number=NUMBER,
    slot=TEXT,
    a=ENTRIES,
    b=ENTRIES,
    reasons=REASONS,
    ruling=OrNull(RULING),
    match=OrNull(MATCH),
)
BYE = parts(entry=ENTRY, slot=TEXT, reasons=REASONS)
_CHANGED_TABLE = parts(number=NUMBER, slot=TEXT, a=ENTRIES, b=ENTRIES, reasons=REASONS)

DRAWN_FROM = parts(
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
                "arrives": NUMBER,
                "leaves_after": WHOLE,
                "absent": ROUNDS,
                "byes_asked": ROUNDS,
            },
            number=ENTRY,
        )
    ),
    adjustments=ListOf(Row((ENTRY, TEXT, ANY_NUMBER, OrNull(NUMBER)))),
    held=ListOf(Row((NUMBER, ENTRIES, ENTRIES))),
    earlier=ListOf(ListOf(Row((WHOLE, ENTRIES, ENTRIES, TEXT, OrNull(Text(RESULTS)))))),
)

CERTIFICATE = parts(
    units=NamedBy(Digits()),
    prices=ListOf(Row((OrNull(ENTRY), Digits()))),
    blossoms=ListOf(Row((ListOf(OrNull(ENTRY)), Digits()))),
)

ROUND = parts(
    number=NUMBER,
    state=Text(tuple(state.value for state in RoundState)),
    published_at=OrNull(MOMENT),
    started_at=OrNull(MOMENT),
    closed_at=OrNull(MOMENT),
    draw=parts(
        format=TEXT,
        settings=NamedBy(PLAIN),
        seed=ANY_NUMBER,
        order=ENTRIES,
        drawn_from=OrNull(DRAWN_FROM),
        price=NUMBERED,
        certificate=OrNull(CERTIFICATE),
        held=ROUNDS,
    ),
    tables=ListOf(TABLE),
    byes=ListOf(BYE),
    by_hand=ListOf(
        parts(
            **DONE_BY,
            kind=TEXT,
            is_of_draft=SWITCH,
            tables=ListOf(ListOf(OrNull(_CHANGED_TABLE), 2)),
            byes=ListOf(ListOf(OrNull(BYE), 2)),
        )
    ),
    rulings=ListOf(parts(**DONE_BY, kind=TEXT, table=NUMBER, before=OrNull(RULING), after=OrNull(RULING))),
)

EVENT = parts(
    name=TEXT,
    short=TEXT,
    club=TEXT,
    held_on=TEXT,
    state=Text(tuple(state.value for state in EventState)),
    settings=parts(
        ruleset=NamedBy(PLAIN),
        rules_name=TEXT,
        match_format=NamedBy(PLAIN),
        details=ListOf(TEXT),
        table_count=WHOLE,
        stages=ListOf(NamedBy(PLAIN)),
        ranking=NamedBy(PLAIN),
        sections=ListOf(SECTION),
        is_seeded=SWITCH,
        rates=parts(member=WHOLE, guest=WHOLE),
    ),
    lot=ANY_NUMBER,
)

ENTRY_LINE = parts(
    number=ENTRY,
    players=ListOf(TEXT),
    section=TEXT,
    team=TEXT,
    rating=OrNull(WHOLE),
    table=OrNull(NUMBER),
    is_waiting=SWITCH,
    signed_up_at=OrNull(MOMENT),
    present_at=OrNull(MOMENT),
    arrives=NUMBER,
    leaves_after=OrNull(WHOLE),
    absent=ROUNDS,
    byes_asked=ROUNDS,
)

FORM: Shape = parts(
    **{MARK: Whole()},
    sum=TEXT,
    sums=NamedBy(TEXT),
    event=EVENT,
    entries=ListOf(ENTRY_LINE),
    adjustments=ListOf(parts(entry=ENTRY, metric=TEXT, amount=ANY_NUMBER, round=OrNull(NUMBER), reason=TEXT)),
    rounds=ListOf(ROUND),
    set_aside=ListOf(parts(round=NUMBER, table=NUMBER, match=MATCH)),
    standings=OrNull(
        parts(
            computed_at=OrNull(MOMENT),
            rows=ListOf(NamedBy(PLAIN)),
            counted=NamedBy(NamedBy(PLAIN)),
            contradictions=ListOf(NamedBy(PLAIN)),
        )
    ),
)

_NOT_SUMMED = (MARK, "sum", "sums")
_EACH_BY_ITSELF = "rounds"
_LINES_TO_DEPTH, _PARTS_TO_DEPTH = 4, 2


def canonical(value: Any) -> bytes:
    """The one way to write a value: names in order, no spaces, letters as they are, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def with_sums(content: Mapping[str, Any]) -> Content:
    """The content with the version and the sums: one for each part, one for each round, and one of all."""
    summed = {name: part for name, part in content.items() if name not in _NOT_SUMMED}
    sums = sums_of(summed)
    return {MARK: VERSION, "sum": sum_of(sums), "sums": sums, **summed}


def sums_of(content: Mapping[str, Any]) -> dict[str, str]:
    """SHA-256 of each part, and of each round by its place (``rounds.0``)."""
    sums: dict[str, str] = {}
    for name, part in content.items():
        if name == _EACH_BY_ITSELF:
            sums |= {f"{name}.{place}": sum_of(each) for place, each in enumerate(part)}
        elif name not in _NOT_SUMMED:
            sums[name] = sum_of(part)
    return sums


def sum_of(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def written(content: Mapping[str, Any]) -> bytes:
    """The bytes of a file: names in order, a line for each entry, table and row of the standings."""
    return "".join((*_lines(content, 0), "\n")).encode()


def _lines(value: Any, depth: int) -> Iterator[str]:
    if not _has_lines(value, depth):
        yield canonical(value).decode()
        return
    is_list = isinstance(value, list)
    yield "[\n" if is_list else "{\n"
    for place, name in enumerate(range(len(value)) if is_list else sorted(value)):
        yield ",\n" if place else ""
        yield "" if is_list else f"{json.dumps(name, ensure_ascii=False)}:"
        yield from _lines(value[name], depth + 1)
    yield "\n]" if is_list else "\n}"


def _has_lines(value: Any, depth: int) -> bool:
    """Whether it is written over several lines: a part of objects is, and what holds such a part."""
    if depth == 0:
        return True
    if depth == _LINES_TO_DEPTH or not isinstance(value, list | dict):
        return False
    members = value if isinstance(value, list) else list(value.values())
    if members and all(isinstance(member, dict) for member in members):
        return True
    return depth <= _PARTS_TO_DEPTH and any(
        isinstance(member, list) and member and isinstance(member[0], dict) for member in members
    )
