"""Matches and records as text: a line for each place of the score sheet, its course indented below.

::

    Charlemagne notation 1
    rules: bas-saint-laurent
    house rule: target 32
    games to win: 2
    first dealer: B2
    side A: Gagnon, Ouellet

    1. A 6 made
    2. B2 petite failed 1 dealer A1
    3. passed out
    4. totals 34 27
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from errors import Refusal
from rules.courses import follow_course
from rules.folds import MatchFormat, check_format
from rules.record_reader import read_record, record_to_json
from rules.records import Misdeal, PassedOutHand, PlayedHand, Record, TimeCall, UndoneRecord, VoidHand, check_record
from rules.rulesets import Ruleset, check_ruleset
from rules.seats import Seat, Side

from .courses import format_course, list_tricks
from .headers import Header, format_lines, format_ruleset
from .tokens import add_line_number, collapse_spaces, format_seat, read_seat

FIRST_LINE = "Charlemagne notation 1"

_PLACE = re.compile(r"([0-9]{1,4})(?: ?\. ?| )(.*)")
_HAND = re.compile(
    r"(?P<who>[ab][12]?) (?P<contract>[^ ]+?)(?:(?: |(?<=[0-9]))(?P<trump>[shdc]))? (?P<outcome>made|failed)"
    r"(?: (?P<tricks>[0-9]+))?(?P<more>(?: .*)?)"
)
_TOTALS = re.compile(r"totals (?P<points_a>[0-9]+) (?P<points_b>[0-9]+)(?P<more>(?: .*)?)")
_DETAIL = re.compile(r" (?:(dealer|mode|winner) ([^ ]+)|(awarded))")
_SIMPLE_RECORDS: dict[type[Record], tuple[str, ...]] = {
    PassedOutHand: ("dealer",),
    Misdeal: ("dealer",),
    VoidHand: ("dealer",),
    UndoneRecord: (),
    TimeCall: (),
}
"""Records named by their kind, with the details that they may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSheet:
    """A match as written down: the input of ``fold``, the records of places 1, 2, 3 …, and the names of the
    two sides, if given."""

    ruleset: Ruleset
    match_format: MatchFormat
    first_dealer: Seat
    records: tuple[Record, ...] = ()
    names: tuple[str, str] = ("", "")

    @property
    def places(self) -> tuple[tuple[int, Record], ...]:
        """The number and record of each place, as ``fold`` takes them."""
        return tuple(enumerate(self.records, start=1))


def format_match(sheet: MatchSheet) -> str:
    """Return the whole match, ending with a line break.

    Refuses: no_such_seat, not_one_line (a name), and what ``check_ruleset``, ``check_format`` and
    ``check_record`` refuse.
    """
    check_ruleset(sheet.ruleset)
    check_format(sheet.match_format)
    if sheet.first_dealer not in range(sheet.ruleset.seats):
        raise Refusal("no_such_seat", field="first_dealer", seats=sheet.ruleset.seats)
    for side, name in zip(Side, sheet.names, strict=True):
        if name != collapse_spaces(name):
            raise Refusal("not_one_line", field=f"side_{side.name.lower()}", value=name)
    lines = [FIRST_LINE, *format_ruleset(sheet.ruleset)]
    lines += format_lines(sheet.match_format)
    lines.append(f"first dealer: {format_seat(sheet.first_dealer)}")
    lines += [f"side {side.name}: {name}" for side, name in zip(Side, sheet.names, strict=True) if name]
    lines += [""] if sheet.records else []
    lines += [f"{number}. {format_record(sheet.ruleset, record)}" for number, record in sheet.places]
    return "\n".join(lines) + "\n"


def format_record(ruleset: Ruleset, record: Record) -> str:
    """Return one line for the record, and one for each part of its course, indented.

    Refuses: see ``check_record``.
    """
    check_record(ruleset, record)
    lines = [_format_record_line(record)]
    if isinstance(record, PlayedHand | PassedOutHand) and record.course is not None and record.dealer is not None:
        play = follow_course(ruleset, record.course, dealer=record.dealer).play
        tricks = None if play is None else list_tricks(play)
        lines += [f"    {line}" for line in format_course(record.course, tricks=tricks).split("\n")]
    return "\n".join(lines)


def _format_record_line(record: Record) -> str:
    data = record_to_json(record)
    parts = [record.kind.replace("_", " ")]
    if isinstance(record, PlayedHand):
        player = record.side.name if record.declarer is None else format_seat(record.declarer)
        values = [data.get(name) for name in ("contract", "trump", "outcome", "tricks")]
        parts = [player, *(str(value) for value in values if value is not None)]
    parts += [str(data[name]) for name in ("points_a", "points_b") if name in data]
    parts += [f"{name} {data[name]}" for name in ("mode", "winner") if name in data]
    parts += [f"dealer {format_seat(data['dealer'])}"] if "dealer" in data else []
    parts += ["awarded"] if "awarded" in data else []
    return " ".join(parts)


def read_match_text(text: str) -> MatchSheet:
    """Read a match from the output of ``format_match``. Lines that begin with ``#`` are skipped.

    Refuses, with its line: not_a_match, header_required, not_understood, said_twice, wrong_place_number, and
    what ``ruleset_from_json``, ``apply_house_rules``, ``match_format_from_json``, ``read_record`` and
    ``read_course_text`` refuse.
    """
    lines = _strip_comments(text)
    numbered_lines = [(number, line) for number, line in enumerate(lines, start=1) if line]
    if not numbered_lines or collapse_spaces(numbered_lines[0][1]).lower() != FIRST_LINE.lower():
        raise Refusal("not_a_match", line=numbered_lines[0][0] if numbered_lines else 1, expected=FIRST_LINE)
    starts = [number for number, line in numbered_lines if _PLACE.fullmatch(collapse_spaces(line))]
    header = Header.parse([(number, line) for number, line in numbered_lines[1:] if not starts or number < starts[0]])
    ruleset = header.read_ruleset()
    return MatchSheet(
        ruleset=ruleset,
        match_format=header.read_match_format(),
        first_dealer=header.read_first_dealer(ruleset),
        records=tuple(
            _read_place(ruleset, lines[start - 1 : end - 1], line=start, number=number)
            for number, (start, end) in enumerate(pairwise([*starts, len(lines) + 1]), start=1)
        ),
        names=(
            collapse_spaces(header.get_value("side a", default="")),
            collapse_spaces(header.get_value("side b", default="")),
        ),
    )


def read_record_text(ruleset: Ruleset, text: str) -> Record:
    """Read a record from the output of ``format_record``.

    Refuses, with its line: not_understood, said_twice, and what ``read_record`` and ``read_course_text``
    refuse.
    """
    lines = _strip_comments(text)
    first = next((number for number, line in enumerate(lines, start=1) if line), 1)
    return _read_record(ruleset, lines[first - 1 :], line=first)


def _strip_comments(text: str) -> list[str]:
    lines = [line.strip() for line in text.removeprefix("\ufeff").split("\n")]
    return ["" if line.startswith("#") else line for line in lines]


def _read_place(ruleset: Ruleset, lines: list[str], *, line: int, number: int) -> Record:
    place = _PLACE.fullmatch(collapse_spaces(lines[0]))
    if place is None or int(place[1]) != number:
        raise Refusal("wrong_place_number", line=line, number=number)
    return _read_record(ruleset, [place[2], *lines[1:]], line=line)


def _read_record(ruleset: Ruleset, lines: list[str], *, line: int) -> Record:
    """Read the record of these lines, the first of which has this number in the whole text."""
    with add_line_number(line):
        data = _parse_record_line(collapse_spaces(lines[0]).lower())
    if data["kind"] not in (PlayedHand.kind, PassedOutHand.kind):
        for number, extra_line in enumerate(lines[1:], start=line + 1):
            if extra_line:
                raise Refusal("not_understood", line=number, text=extra_line)
    try:
        return read_record(ruleset, data | {"course": "\n".join(lines[1:])})
    except Refusal as refusal:
        details = refusal.details | {"line": line + refusal.details.get("line", 0)}
        raise Refusal(refusal.code, field=refusal.field, **details) from None


def _parse_record_line(text: str) -> dict[str, Any]:
    """Return the plain form of a record from its line. Refuses: not_understood, said_twice, not_a_seat."""
    if hand := _HAND.fullmatch(text):
        data = {name: value for name, value in hand.groupdict().items() if name not in ("who", "more")}
        data |= {
            "kind": PlayedHand.kind,
            "side": hand["who"][0].upper(),
            "trump": (hand["trump"] or "").upper(),
        }
        if len(hand["who"]) > 1:
            data["declarer"] = read_seat(hand["who"])
        return data | _parse_details(hand["more"], "mode", "dealer", "awarded")
    if totals := _TOTALS.fullmatch(text):
        data = {"kind": "totals", "points_a": totals["points_a"], "points_b": totals["points_b"]}
        return data | _parse_details(totals["more"], "winner", "awarded")
    for record, allowed in _SIMPLE_RECORDS.items():
        label = record.kind.replace("_", " ")
        if text == label or text.startswith(f"{label} "):
            return {"kind": record.kind} | _parse_details(text.removeprefix(label), *allowed)
    raise Refusal("not_understood", text=text)


def _parse_details(text: str, *allowed: str) -> dict[str, Any]:
    details: dict[str, Any] = {}
    rest = text
    while rest:
        match = _DETAIL.match(rest)
        name = match and (match[1] or match[3])
        if match is None or name not in allowed:
            raise Refusal("not_understood", text=text)
        if name in details:
            raise Refusal("said_twice", name=name)
        details[name] = {"dealer": read_seat, "winner": str.upper}.get(name, str)(match[2] or "true")
        rest = rest[match.end() :]
    return details
