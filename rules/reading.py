"""Reading of records from a form, a JSON body or a line of a sheet; and their plain data.

The plain form of a record is a flat mapping; ``kind`` says which record it is::

    {"kind": "hand", "side": "A", "contract": "6", "tricks": 7, "trump": "H", "declarer": 2, "mode": "kitty"}
    {"kind": "hand", "side": "B", "contract": "mulot", "outcome": "failed"}
    {"kind": "totals", "points_a": 34, "points_b": 27}
    {"kind": "passed_out"}, {"kind": "misdeal"}, {"kind": "void"}, {"kind": "undone"}, {"kind": "time_called"}

A hand and a passed out one may also have their ``course``, in the text form of ``notation.courses``.

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
from .notation.courses import course_lines, course_text, read_course_text
from .records import (
    GameTotals,
    Misdeal,
    PassedOut,
    PlayedHand,
    Record,
    TimeCalled,
    Undone,
    VoidHand,
    record_refusals,
)
from .rulesets import Ruleset
from .seats import Seat, Side, Suit, side_of

KINDS: tuple[type[Record], ...] = (PlayedHand, PassedOut, Misdeal, VoidHand, Undone, GameTotals, TimeCalled)

_T = TypeVar("_T")
_OUTCOMES = {"made": True, "failed": False}
_SUITS = {suit.value: suit for suit in Suit}
_SWITCH = {"true": True, "True": True, "on": True, "1": True, "false": False, "False": False, "0": False}

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
"""The form of a number. ``int`` would also read 1_0, +7 and ８, which the script on a phone does not."""


def read_record(ruleset: Ruleset, plain: Mapping[str, Any]) -> Record:
    """Read the record from a mapping, checked against the ruleset. Refuses: see ``reading_refusals``."""
    record, refusals = _read_with_refusals(ruleset, plain)
    for refusal in refusals:
        raise refusal
    return record


def reading_refusals(ruleset: Ruleset, plain: Mapping[str, Any]) -> list[Refusal]:
    """Return all faults of such a mapping, at most one refusal to a field.

    Codes: those of ``record_refusals``, and no_such_kind, side_required, contract_required, result_required,
    not_a_number, not_yes_or_no, no_such_outcome, no_such_side, no_such_suit, totals_required, not_text (a
    course); and of ``read_course_text``.
    """
    return _read_with_refusals(ruleset, plain)[1]


def record_to_json(record: Record) -> dict[str, Any]:
    """Return the plain form of a record, which ``read_record`` reads, without absent values."""
    plain: dict[str, Any] = {"kind": record.kind}
    match record:
        case PlayedHand():
            plain |= {"side": record.side.name, "contract": record.contract}
            plain["outcome"] = "made" if record.made else "failed"
            plain |= {"tricks": record.tricks, "trump": record.trump and record.trump.value}
            plain |= {"declarer": record.declarer, "mode": record.mode, "dealer": record.dealer}
            plain["awarded"] = record.awarded or None
            plain["course"] = record.course and course_text(record.course)
        case PassedOut():
            plain |= {"dealer": record.dealer, "course": record.course and course_text(record.course)}
        case Misdeal() | VoidHand():
            plain["dealer"] = record.dealer
        case GameTotals():
            plain["points_a"], plain["points_b"] = record.points
            plain["winner"] = None if record.winner is None else record.winner.name
            plain["awarded"] = record.awarded or None
    return {name: value for name, value in plain.items() if value is not None}


@dataclass(slots=True)
class _Reader:
    """A reader of one field after another that collects a refusal for each unreadable one."""

    plain: Mapping[str, Any]
    refusals: list[Refusal] = field(default_factory=list)

    def refuse(self, code: str, name: str, **details: Any) -> None:
        self.refusals.append(Refusal(code, field=name, **details))

    def text(self, name: str) -> str | None:
        value = self.plain.get(name)
        if value is None:
            return None
        return (value if isinstance(value, str) else reprlib.repr(value)).strip() or None

    def require(self, name: str, code: str) -> str:
        value = self.text(name)
        if value is None:
            self.refuse(code, name)
        return value or ""

    def number(self, name: str) -> int | None:
        value = self.text(name)
        if value is None or _WHOLE_NUMBER.fullmatch(value):
            return None if value is None else int(value)
        self.refuse("not_a_number", name, value=value)
        return None

    def seat(self, name: str) -> Seat | None:
        seat = self.number(name)
        return None if seat is None else Seat(seat)

    def one_of(self, name: str, choices: Mapping[str, _T], code: str) -> _T | None:
        value = self.text(name)
        if value is None or value in choices:
            return None if value is None else choices[value]
        self.refuse(code, name, value=value, choices=tuple(choices))
        return None

    def is_set(self, name: str) -> bool:
        return self.one_of(name, _SWITCH, "not_yes_or_no") or False

    def course(self, ruleset: Ruleset, dealer: Seat | None) -> HandCourse | None:
        """Return the course of the text; None after an unreadable field, since its substitute value might
        contradict the course."""
        text = self.plain.get("course")
        if text is None or (isinstance(text, str) and not text.strip()):
            return None
        if not isinstance(text, str):
            self.refuse("not_text", "course", value=reprlib.repr(text))
            return None
        try:
            course_lines(text, seats=ruleset.seats)
            if dealer is None:
                raise Refusal("dealer_required", field="dealer")
            course = read_course_text(ruleset, text, dealer=dealer)
        except Refusal as refusal:
            if refusal.field not in {earlier.field for earlier in self.refusals}:
                self.refusals.append(refusal)
            return None
        return None if self.refusals else course


def _read_with_refusals(ruleset: Ruleset, plain: Mapping[str, Any]) -> tuple[Record, list[Refusal]]:
    """Return the record, and all its faults. An unreadable field gets a value that agrees with the others, so
    that those are checked too."""
    reader = _Reader(plain)
    record = _record(ruleset, reader)
    refused = {refusal.field for refusal in reader.refusals}
    others = [refusal for refusal in record_refusals(ruleset, record) if refusal.field not in refused]
    return record, reader.refusals + others


def _record(ruleset: Ruleset, reader: _Reader) -> Record:
    kind = reader.text("kind") or PlayedHand.kind
    record: Record = Undone()
    match kind:
        case PlayedHand.kind:
            record = _hand(ruleset, reader)
        case PassedOut.kind:
            dealer = reader.seat("dealer")
            record = PassedOut(dealer=dealer, course=reader.course(ruleset, dealer))
        case Misdeal.kind:
            record = Misdeal(dealer=reader.seat("dealer"))
        case VoidHand.kind:
            record = VoidHand(dealer=reader.seat("dealer"))
        case GameTotals.kind:
            record = _totals(reader)
        case TimeCalled.kind:
            record = TimeCalled()
        case Undone.kind:
            pass
        case _:
            reader.refuse("no_such_kind", "kind", value=kind, choices=tuple(known.kind for known in KINDS))
    return record


def _hand(ruleset: Ruleset, reader: _Reader) -> PlayedHand:
    reader.require("side", "side_required")
    side = reader.one_of("side", Side.__members__, "no_such_side")
    contract = reader.require("contract", "contract_required")
    tricks = reader.number("tricks")
    made = reader.one_of("outcome", _OUTCOMES, "no_such_outcome")
    if reader.text("tricks") is None and reader.text("outcome") is None:
        reader.refuse("result_required", "tricks")
    if made is None:
        made = tricks is not None and _makes(ruleset, contract, tricks)
    declarer = reader.seat("declarer")
    if side is None:
        side = Side.A if declarer is None else side_of(declarer)
    trump = reader.one_of("trump", _SUITS, "no_such_suit")
    awarded = reader.is_set("awarded")
    dealer = reader.seat("dealer")
    return PlayedHand(
        side=side,
        contract=contract,
        made=made,
        tricks=tricks,
        trump=trump,
        declarer=declarer,
        mode=reader.text("mode"),
        awarded=awarded,
        dealer=dealer,
        course=reader.course(ruleset, dealer),
    )


def _makes(ruleset: Ruleset, contract: str, tricks: int) -> bool:
    return contract in ruleset.played_keys and ruleset.contract(contract).is_made_with(tricks)


def _totals(reader: _Reader) -> GameTotals:
    for name in ("points_a", "points_b"):
        reader.require(name, "totals_required")
    a, b = reader.number("points_a"), reader.number("points_b")
    winner = reader.one_of("winner", Side.__members__, "no_such_side")
    awarded = reader.is_set("awarded")
    if a is None or b is None:
        return GameTotals(points=(a or 0, b or 0))
    return GameTotals(points=(a, b), winner=winner, awarded=awarded)
