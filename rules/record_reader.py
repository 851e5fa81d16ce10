"""Reading of records from a form, a JSON body or a line of a sheet; and their plain data.

The plain form of a record is a flat mapping; ``kind`` says which record it is::

    {"kind": "hand", "side": "A", "contract": "6", "tricks": 7, "trump": "H", "declarer": 2, "mode": "kitty"}
    {"kind": "hand", "side": "B", "contract": "mulot", "outcome": "failed"}
    {"kind": "totals", "points_a": 34, "points_b": 27}
    {"kind": "passed_out"}, {"kind": "misdeal"}, {"kind": "void"}, {"kind": "undone"}, {"kind": "time_called"}

A played or passed-out hand may also have its ``course``, in the text form of ``notation.courses``.

Values may be strings, as forms send them, or whatever else a JSON body holds; a blank string is an absent
value. ``outcome`` (made, failed) may be left out if ``tricks`` implies it.
"""

import re
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from errors import Refusal

from .courses import HandCourse
from .notation.courses import format_course, read_course_text, split_course_lines
from .records import (
    GameTotals,
    Misdeal,
    PassedOutHand,
    PlayedHand,
    Record,
    TimeCall,
    UndoneRecord,
    VoidHand,
    list_record_refusals,
)
from .rulesets import Ruleset
from .seats import Seat, Side, Suit, get_side

KINDS: tuple[type[Record], ...] = (PlayedHand, PassedOutHand, Misdeal, VoidHand, UndoneRecord, GameTotals, TimeCall)

_T = TypeVar("_T")
_OUTCOMES = {"made": True, "failed": False}
_SUITS = {suit.value: suit for suit in Suit}
_BOOLEANS = {"true": True, "True": True, "on": True, "1": True, "false": False, "False": False, "0": False}

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
"""The form of a number. ``int`` would also read 1_0, +7 and ８, which the script on a phone does not."""


def read_record(ruleset: Ruleset, data: Mapping[str, Any]) -> Record:
    """Read the record from a mapping, checked against the ruleset. Refuses: see ``list_reading_refusals``."""
    record, refusals = _read_with_refusals(ruleset, data)
    for refusal in refusals:
        raise refusal
    return record


def list_reading_refusals(ruleset: Ruleset, data: Mapping[str, Any]) -> list[Refusal]:
    """Return all faults of such a mapping, at most one refusal to a field.

    Codes: those of ``list_record_refusals``, and no_such_kind, side_required, contract_required, result_required,
    not_a_number, not_yes_or_no, no_such_outcome, no_such_side, no_such_suit, totals_required, not_text (a
    course); and of ``read_course_text``.
    """
    return _read_with_refusals(ruleset, data)[1]


def record_to_json(record: Record) -> dict[str, Any]:
    """Return the plain form of a record, which ``read_record`` reads, without absent values."""
    data: dict[str, Any] = {"kind": record.kind}
    match record:
        case PlayedHand():
            data |= {"side": record.side.name, "contract": record.contract}
            data["outcome"] = "made" if record.made else "failed"
            data |= {"tricks": record.tricks, "trump": record.trump and record.trump.value}
            data |= {"declarer": record.declarer, "mode": record.mode, "dealer": record.dealer}
            data["awarded"] = record.awarded or None
            data["course"] = record.course and format_course(record.course)
        case PassedOutHand():
            data |= {"dealer": record.dealer, "course": record.course and format_course(record.course)}
        case Misdeal() | VoidHand():
            data["dealer"] = record.dealer
        case GameTotals():
            data["points_a"], data["points_b"] = record.points
            data["winner"] = None if record.winner is None else record.winner.name
            data["awarded"] = record.awarded or None
    return {name: value for name, value in data.items() if value is not None}


@dataclass(slots=True)
class _Reader:
    """A reader of one field after another that collects a refusal for each unreadable one."""

    data: Mapping[str, Any]
    refusals: list[Refusal] = field(default_factory=list)

    def refuse(self, code: str, name: str, **details: Any) -> None:
        self.refusals.append(Refusal(code, field=name, **details))

    def read_text(self, name: str) -> str | None:
        value = self.data.get(name)
        if value is None:
            return None
        return (value if isinstance(value, str) else reprlib.repr(value)).strip() or None

    def require(self, name: str, code: str) -> str:
        value = self.read_text(name)
        if value is None:
            self.refuse(code, name)
        return value or ""

    def read_number(self, name: str) -> int | None:
        value = self.read_text(name)
        if value is None or _WHOLE_NUMBER.fullmatch(value):
            return None if value is None else int(value)
        self.refuse("not_a_number", name, value=value)
        return None

    def read_seat(self, name: str) -> Seat | None:
        seat = self.read_number(name)
        return None if seat is None else Seat(seat)

    def one_of(self, name: str, choices: Mapping[str, _T], code: str) -> _T | None:
        value = self.read_text(name)
        if value is None or value in choices:
            return None if value is None else choices[value]
        self.refuse(code, name, value=value, choices=tuple(choices))
        return None

    def read_boolean(self, name: str) -> bool:
        return self.one_of(name, _BOOLEANS, "not_yes_or_no") or False

    def read_course(self, ruleset: Ruleset, dealer: Seat | None) -> HandCourse | None:
        """Return the course of the text; None after an unreadable field, since its substitute value might
        contradict the course."""
        text = self.data.get("course")
        if text is None or (isinstance(text, str) and not text.strip()):
            return None
        if not isinstance(text, str):
            self.refuse("not_text", "course", value=reprlib.repr(text))
            return None
        try:
            split_course_lines(text, seats=ruleset.seats)
            if dealer is None:
                raise Refusal("dealer_required", field="dealer")
            course = read_course_text(ruleset, text, dealer=dealer)
        except Refusal as refusal:
            if refusal.field not in {earlier.field for earlier in self.refusals}:
                self.refusals.append(refusal)
            return None
        return None if self.refusals else course


def _read_with_refusals(ruleset: Ruleset, data: Mapping[str, Any]) -> tuple[Record, list[Refusal]]:
    """Return the record, and all its faults. An unreadable field gets a value that agrees with the others, so
    that those are checked too."""
    reader = _Reader(data)
    record = _read_record(ruleset, reader)
    refused_fields = {refusal.field for refusal in reader.refusals}
    others = [refusal for refusal in list_record_refusals(ruleset, record) if refusal.field not in refused_fields]
    return record, reader.refusals + others


def _read_record(ruleset: Ruleset, reader: _Reader) -> Record:
    kind = reader.read_text("kind") or PlayedHand.kind
    record: Record = UndoneRecord()
    match kind:
        case PlayedHand.kind:
            record = _read_hand(ruleset, reader)
        case PassedOutHand.kind:
            dealer = reader.read_seat("dealer")
            record = PassedOutHand(dealer=dealer, course=reader.read_course(ruleset, dealer))
        case Misdeal.kind:
            record = Misdeal(dealer=reader.read_seat("dealer"))
        case VoidHand.kind:
            record = VoidHand(dealer=reader.read_seat("dealer"))
        case GameTotals.kind:
            record = _read_totals(reader)
        case TimeCall.kind:
            record = TimeCall()
        case UndoneRecord.kind:
            pass
        case _:
            reader.refuse("no_such_kind", "kind", value=kind, choices=tuple(record_type.kind for record_type in KINDS))
    return record


def _read_hand(ruleset: Ruleset, reader: _Reader) -> PlayedHand:
    reader.require("side", "side_required")
    side = reader.one_of("side", Side.__members__, "no_such_side")
    contract = reader.require("contract", "contract_required")
    tricks = reader.read_number("tricks")
    made = reader.one_of("outcome", _OUTCOMES, "no_such_outcome")
    if reader.read_text("tricks") is None and reader.read_text("outcome") is None:
        reader.refuse("result_required", "tricks")
    if made is None:
        made = tricks is not None and _is_made(ruleset, contract, tricks)
    declarer = reader.read_seat("declarer")
    if side is None:
        side = Side.A if declarer is None else get_side(declarer)
    trump = reader.one_of("trump", _SUITS, "no_such_suit")
    awarded = reader.read_boolean("awarded")
    dealer = reader.read_seat("dealer")
    return PlayedHand(
        side=side,
        contract=contract,
        made=made,
        tricks=tricks,
        trump=trump,
        declarer=declarer,
        mode=reader.read_text("mode"),
        awarded=awarded,
        dealer=dealer,
        course=reader.read_course(ruleset, dealer),
    )


def _is_made(ruleset: Ruleset, contract: str, tricks: int) -> bool:
    return contract in ruleset.played_keys and ruleset.get_contract(contract).is_made_with(tricks)


def _read_totals(reader: _Reader) -> GameTotals:
    for name in ("points_a", "points_b"):
        reader.require(name, "totals_required")
    a, b = reader.read_number("points_a"), reader.read_number("points_b")
    winner = reader.one_of("winner", Side.__members__, "no_such_side")
    awarded = reader.read_boolean("awarded")
    if a is None or b is None:
        return GameTotals(points=(a or 0, b or 0))
    return GameTotals(points=(a, b), winner=winner, awarded=awarded)
