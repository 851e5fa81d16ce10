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
from rules.reading import read_record, record_to_json
from rules.records import Misdeal, PassedOut, PlayedHand, Record, TimeCalled, Undone, VoidHand, check_record
from rules.rulesets import Ruleset, check_ruleset
from rules.seats import Seat, Side

from .courses import course_text, tricks_of
from .headers import Header, format_lines, ruleset_lines
from .words import on_line, read_seat, seat_text, single_spaces

FIRST_LINE = "Charlemagne notation 1"

_PLACE = re.compile(r"([0-9]{1,4})(?: ?\. ?| )(.*)")
_HAND = re.compile(
    r"(?P<who>[ab][12]?) (?P<contract>[^ ]+?)(?:(?: |(?<=[0-9]))(?P<trump>[shdc]))? (?P<outcome>made|failed)"
    r"(?: (?P<tricks>[0-9]+))?(?P<more>(?: .*)?)"
)
_TOTALS = re.compile(r"totals (?P<points_a>[0-9]+) (?P<points_b>[0-9]+)(?P<more>(?: .*)?)")
_MORE = re.compile(r" (?:(dealer|mode|winner) ([^ ]+)|(awarded))")
_PLAIN_LINES: dict[type[Record], tuple[str, ...]] = {
    PassedOut: ("dealer",),
    Misdeal: ("dealer",),
    VoidHand: ("dealer",),
    Undone: (),
    TimeCalled: (),
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


def match_text(sheet: MatchSheet) -> str:
    """Return the whole match, ending with a line break.

    Refuses: no_such_seat, not_one_line (a name), and what ``check_ruleset``, ``check_format`` and
    ``check_record`` refuse.
    """
    check_ruleset(sheet.ruleset)
    check_format(sheet.match_format)
    if sheet.first_dealer not in range(sheet.ruleset.seats):
        raise Refusal("no_such_seat", field="first_dealer", seats=sheet.ruleset.seats)
    for side, name in zip(Side, sheet.names, strict=True):
        if name != single_spaces(name):
            raise Refusal("not_one_line", field=f"side_{side.name.lower()}", value=name)
    lines = [FIRST_LINE, *ruleset_lines(sheet.ruleset)]
    lines += format_lines(sheet.match_format)
    lines.append(f"first dealer: {seat_text(sheet.first_dealer)}")
    lines += [f"side {side.name}: {name}" for side, name in zip(Side, sheet.names, strict=True) if name]
    lines += [""] if sheet.records else []
    lines += [f"{number}. {record_text(sheet.ruleset, record)}" for number, record in sheet.places]
    return "\n".join(lines) + "\n"


def record_text(ruleset: Ruleset, record: Record) -> str:
    """Return one line for the record, and one for each part of its course, indented.

    Refuses: see ``check_record``.
    """
    check_record(ruleset, record)
    lines = [_record_line(record)]
    if isinstance(record, PlayedHand | PassedOut) and record.course is not None and record.dealer is not None:
        play = follow_course(ruleset, record.course, dealer=record.dealer).play
        tricks = None if play is None else tricks_of(play)
        lines += [f"    {line}" for line in course_text(record.course, tricks=tricks).split("\n")]
    return "\n".join(lines)


def _record_line(record: Record) -> str:
    plain = record_to_json(record)
    words = [record.kind.replace("_", " ")]
    if isinstance(record, PlayedHand):
        who = record.side.name if record.declarer is None else seat_text(record.declarer)
        said = [plain.get(name) for name in ("contract", "trump", "outcome", "tricks")]
        words = [who, *(str(word) for word in said if word is not None)]
    words += [str(plain[name]) for name in ("points_a", "points_b") if name in plain]
    words += [f"{name} {plain[name]}" for name in ("mode", "winner") if name in plain]
    words += [f"dealer {seat_text(plain['dealer'])}"] if "dealer" in plain else []
    words += ["awarded"] if "awarded" in plain else []
    return " ".join(words)


def read_match_text(text: str) -> MatchSheet:
    """Read a match from the output of ``match_text``. Lines that begin with ``#`` are skipped.

    Refuses, with its line: not_a_match, header_required, not_understood, said_twice, wrong_place_number, and
    what ``ruleset_from_json``, ``with_house_rules``, ``match_format_from_json``, ``read_record`` and
    ``read_course_text`` refuse.
    """
    lines = _without_comments(text)
    said = [(number, line) for number, line in enumerate(lines, start=1) if line]
    if not said or single_spaces(said[0][1]).lower() != FIRST_LINE.lower():
        raise Refusal("not_a_match", line=said[0][0] if said else 1, expected=FIRST_LINE)
    starts = [number for number, line in said if _PLACE.fullmatch(single_spaces(line))]
    header = Header.of([(number, line) for number, line in said[1:] if not starts or number < starts[0]])
    ruleset = header.ruleset()
    return MatchSheet(
        ruleset=ruleset,
        match_format=header.match_format(),
        first_dealer=header.first_dealer(ruleset),
        records=tuple(
            _place(ruleset, lines[start - 1 : end - 1], line=start, number=number)
            for number, (start, end) in enumerate(pairwise([*starts, len(lines) + 1]), start=1)
        ),
        names=(
            single_spaces(header.value("side a", default="")),
            single_spaces(header.value("side b", default="")),
        ),
    )


def read_record_text(ruleset: Ruleset, text: str) -> Record:
    """Read a record from the output of ``record_text``.

    Refuses, with its line: not_understood, said_twice, and what ``read_record`` and ``read_course_text``
    refuse.
    """
    lines = _without_comments(text)
    first = next((number for number, line in enumerate(lines, start=1) if line), 1)
    return _record(ruleset, lines[first - 1 :], line=first)


def _without_comments(text: str) -> list[str]:
    lines = [line.strip() for line in text.removeprefix("\ufeff").split("\n")]
    return ["" if line.startswith("#") else line for line in lines]


def _place(ruleset: Ruleset, lines: list[str], *, line: int, number: int) -> Record:
    place = _PLACE.fullmatch(single_spaces(lines[0]))
    if place is None or int(place[1]) != number:
        raise Refusal("wrong_place_number", line=line, number=number)
    return _record(ruleset, [place[2], *lines[1:]], line=line)


def _record(ruleset: Ruleset, lines: list[str], *, line: int) -> Record:
    """Read the record of these lines, the first of which has this number in the whole text."""
    with on_line(line):
        plain = _plain(single_spaces(lines[0]).lower())
    if plain["kind"] not in (PlayedHand.kind, PassedOut.kind):
        for number, more in enumerate(lines[1:], start=line + 1):
            if more:
                raise Refusal("not_understood", line=number, text=more)
    try:
        return read_record(ruleset, plain | {"course": "\n".join(lines[1:])})
    except Refusal as refusal:
        details = refusal.details | {"line": line + refusal.details.get("line", 0)}
        raise Refusal(refusal.code, field=refusal.field, **details) from None


def _plain(said: str) -> dict[str, Any]:
    """Return the plain form of a record from its line. Refuses: not_understood, said_twice, not_a_seat."""
    if hand := _HAND.fullmatch(said):
        plain = {name: value for name, value in hand.groupdict().items() if name not in ("who", "more")}
        plain |= {
            "kind": PlayedHand.kind,
            "side": hand["who"][0].upper(),
            "trump": (hand["trump"] or "").upper(),
        }
        if len(hand["who"]) > 1:
            plain["declarer"] = read_seat(hand["who"])
        return plain | _more(hand["more"], "mode", "dealer", "awarded")
    if totals := _TOTALS.fullmatch(said):
        plain = {"kind": "totals", "points_a": totals["points_a"], "points_b": totals["points_b"]}
        return plain | _more(totals["more"], "winner", "awarded")
    for record, known in _PLAIN_LINES.items():
        words = record.kind.replace("_", " ")
        if said == words or said.startswith(f"{words} "):
            return {"kind": record.kind} | _more(said.removeprefix(words), *known)
    raise Refusal("not_understood", text=said)


def _more(said: str, *known: str) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    rest = said
    while rest:
        more = _MORE.match(rest)
        name = more and (more[1] or more[3])
        if more is None or name not in known:
            raise Refusal("not_understood", text=said)
        if name in plain:
            raise Refusal("said_twice", name=name)
        plain[name] = {"dealer": read_seat, "winner": str.upper}.get(name, str)(more[2] or "true")
        rest = rest[more.end() :]
    return plain
