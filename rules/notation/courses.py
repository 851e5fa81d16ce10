"""The course of one hand as text, a line for each part of it.

::

    hand A1: X1 JS AS KS 10S AH KH 9D
    hand B1: …
    calls: pass, 6 C, pass, charlemagne S
    mode: card_vs_1, partner card QH, discards 7D
    defender: B1, takes 8H, discards 7C
    trick 1 led by B1: 7S 8S AS 9S

Instead of a line for each trick, ``play:`` may hold all cards in the order in which they were played. The
record of the course names the dealer.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from errors import Refusal
from rules.cards import Card, read_card
from rules.courses import CourseState, HandCourse, follow_course
from rules.dealing import Dealt
from rules.play import Play, Trick
from rules.preparation import Preparation
from rules.rulesets import Ruleset
from rules.seats import Seat

from .words import (
    SEATS,
    calls_text,
    cards_text,
    on_line,
    read_calls,
    read_cards,
    read_seat,
    read_suit,
    seat_text,
    single_spaces,
)

_T = TypeVar("_T")

_LINE = re.compile(r"([a-z][a-z0-9 ]*?) ?: ?(.*)")
_TRICK = re.compile(r"(trick [1-8])(?: led by ([ab][12]))?")

_Readers = dict[str, tuple[str, Callable[[str], Any]]]

_DECLARING: _Readers = {
    "trump": ("trump", read_suit),
    "partner card": ("partner_card", read_card),
    "discards": ("discards", read_cards),
}
_DEFENDING: _Readers = {
    "takes": ("opponent_card", read_card),
    "discards": ("opponent_discard", read_card),
}
"""Choices of a preparation by their words in the text: the field, and the function that reads it."""


def course_text(course: HandCourse, *, tricks: Iterable[Trick] | None = None) -> str:
    """Return the lines of a course. Its cards are on one line, unless ``tricks`` are given."""
    lines = []
    if course.dealt is not None:
        lines += [
            f"hand {seat_text(Seat(seat))}: {cards_text(hand)}"
            for seat, hand in enumerate(course.dealt.hands)
        ]
        lines += [f"kitty: {cards_text(course.dealt.kitty)}"] if course.dealt.kitty else []
    if course.calls is not None:
        lines.append(f"calls: {calls_text(course.calls)}")
    if course.preparation is not None:
        lines += _preparation_lines(course.preparation)
    if tricks is not None:
        lines += [_trick_text(number, trick) for number, trick in enumerate(tricks, start=1)]
    elif course.plays:
        lines.append(f"play: {cards_text(course.plays)}")
    return "\n".join(lines)


def tricks_of(play: Play) -> tuple[Trick, ...]:
    """Return the tricks of a play, with the unfinished one."""
    return (*play.tricks, play.trick) if play.trick else play.tricks


def _preparation_lines(choices: Preparation) -> list[str]:
    lines = [f"mode: {choices.mode}{_choices_text(choices, _DECLARING)}"]
    if choices.defender is not None:
        lines.append(f"defender: {seat_text(choices.defender)}{_choices_text(choices, _DEFENDING)}")
    return lines


def _choices_text(choices: Preparation, readers: _Readers) -> str:
    said = [(words, getattr(choices, name)) for words, (name, _) in readers.items()]
    return "".join(
        f", {words} {cards_text(what) if isinstance(what, tuple) else what}" for words, what in said if what
    )


def _trick_text(number: int, trick: Trick) -> str:
    return f"trick {number} led by {seat_text(trick[0][0])}: {cards_text(card for _, card in trick)}"


@dataclass(frozen=True, slots=True)
class CourseLine:
    """One line of the text: its number, its value, and the leader if it names one."""

    number: int
    value: str
    leader: Seat | None = None


_Tricks = list[tuple[CourseLine, tuple[Card, ...]]]


def read_course_text(ruleset: Ruleset, text: str, *, dealer: Seat) -> HandCourse:
    """Read the course from its lines, checking that every step is legal.

    Refuses, with its line: not_understood, said_twice, no_such_card, not_a_seat, no_such_suit, wrong_trick,
    wrong_leader, and what ``follow_course`` refuses.
    """
    lines = course_lines(text, seats=ruleset.seats)
    tricks = _tricks(lines)
    course = HandCourse(
        dealt=_read_deal(lines, ruleset, dealer),
        calls=_part(lines, "calls", "course.calls", read_calls),
        preparation=_preparation(lines),
        plays=tuple(card for _, cards in tricks for card in cards),
    )
    prepared = (
        _follow_course(ruleset, replace(course, plays=()), dealer, lines) if course.preparation else None
    )
    if prepared is not None and prepared.play is not None and "play" not in lines:
        _check_sizes(tricks, players=len(prepared.play.active))
    end = _follow_course(ruleset, course, dealer, lines)
    if end.play is not None:
        _check_leaders(tricks, tricks_of(end.play))
    return course


def course_lines(text: str, *, seats: int) -> dict[str, CourseLine]:
    """Return the lines by name. Refuses, with its line: not_understood, said_twice."""
    hands = {f"hand {name.lower()}" for name, seat in SEATS.items() if seat < seats}
    lines: dict[str, CourseLine] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        said = single_spaces(line).lower()
        if not said:
            continue
        parts = _LINE.fullmatch(said)
        trick = parts and _TRICK.fullmatch(parts[1])
        if parts is None or not (trick or parts[1] in hands | {"kitty", "calls", "mode", "defender", "play"}):
            raise Refusal("not_understood", field="course", line=number, text=single_spaces(line))
        name = trick[1] if trick else parts[1]
        if name in lines:
            raise Refusal("said_twice", field="course", line=number, name=name)
        leader = read_seat(trick[2]) if trick and trick[2] else None
        lines[name] = CourseLine(number, parts[2], leader)
    return lines


def _part(lines: dict[str, CourseLine], name: str, field: str, reader: Callable[[str], _T]) -> _T | None:
    if name not in lines:
        return None
    with on_line(lines[name].number, field=field):
        return reader(lines[name].value)


def _read_deal(lines: dict[str, CourseLine], ruleset: Ruleset, dealer: Seat) -> Dealt | None:
    names = [f"hand {seat_text(Seat(seat)).lower()}" for seat in range(ruleset.seats)]
    if not any(name in lines for name in (*names, "kitty")):
        return None
    *hands, kitty = (_part(lines, name, "course.dealt", read_cards) or () for name in (*names, "kitty"))
    return Dealt(dealer=dealer, hands=tuple(hands), kitty=kitty)


def _preparation(lines: dict[str, CourseLine]) -> Preparation | None:
    mode = _part(lines, "mode", "course.preparation", lambda text: _choices(text, _DECLARING))
    defender = _part(lines, "defender", "course.preparation", lambda text: _choices(text, _DEFENDING))
    if mode is None:
        if defender is not None:
            line = lines["defender"].number
            raise Refusal("part_missing", field="course.preparation", line=line, part="preparation")
        return None
    if defender is None:
        return Preparation(mode=mode[0], **mode[1])
    with on_line(lines["defender"].number, field="course.preparation"):
        return Preparation(mode=mode[0], defender=read_seat(defender[0]), **mode[1], **defender[1])


def _choices(text: str, readers: _Readers) -> tuple[str, dict[str, Any]]:
    """Return the text before the first comma, and the choices after it, each at most once."""
    first, *items = (single_spaces(item) for item in text.split(","))
    choices: dict[str, Any] = {}
    for item in items:
        words = next((words for words in readers if item.startswith(f"{words} ")), None)
        if words is None:
            raise Refusal("not_understood", text=item)
        name, reader = readers[words]
        if name in choices:
            raise Refusal("said_twice", name=words)
        choices[name] = reader(item.removeprefix(words))
    return first, choices


def _tricks(lines: dict[str, CourseLine]) -> _Tricks:
    """Return the lines of cards in the order of play. Tricks are numbered without a gap, from 1."""
    tricks = [(name, line) for name, line in lines.items() if name == "play" or name.startswith("trick ")]
    for number, (name, line) in enumerate(tricks, start=1):
        if name not in (f"trick {number}", "play") or (name == "play" and len(tricks) > 1):
            raise Refusal("wrong_trick", field="course.plays", line=line.number, trick=number)
    read = []
    for _, line in tricks:
        with on_line(line.number, field="course.plays"):
            read.append((line, read_cards(line.value)))
    return read


def _check_sizes(tricks: _Tricks, *, players: int) -> None:
    """Check that every trick has a card from each player, except the last, which may be incomplete."""
    for number, (line, cards) in enumerate(tricks, start=1):
        if len(cards) != players and not (number == len(tricks) and 0 < len(cards) < players):
            raise Refusal(
                "wrong_trick", field="course.plays", line=line.number, trick=number, players=players
            )


def _check_leaders(tricks: _Tricks, played: tuple[Trick, ...]) -> None:
    for (line, _), trick in zip(tricks, played, strict=False):
        if line.leader not in (None, trick[0][0]):
            raise Refusal(
                "wrong_leader", field="course.plays", line=line.number, leader=seat_text(trick[0][0])
            )


def _follow_course(
    ruleset: Ruleset, course: HandCourse, dealer: Seat, lines: dict[str, CourseLine]
) -> CourseState:
    """Follow the course, and name the line of an illegal step."""
    try:
        return follow_course(ruleset, course, dealer=dealer)
    except Refusal as refusal:
        with on_line(_line_of(refusal, lines), field=refusal.field):
            raise


def _line_of(refusal: Refusal, lines: dict[str, CourseLine]) -> int:
    match refusal.field:
        case "course.calls":
            names = ["calls"]
        case "course.preparation":
            names = ["mode"]
        case "course.plays":
            names = _named_tricks(refusal.details.get("at", 0), lines)
        case _:
            names = _named_hands(refusal, lines)
    return next((lines[name].number for name in names if name in lines), 1)


def _named_hands(refusal: Refusal, lines: dict[str, CourseLine]) -> list[str]:
    """Return the line with the card in question, for the second time; or with too many cards, or too few."""
    hands = {
        name: line.value.split() for name, line in lines.items() if name[:4] == "hand" or name == "kitty"
    }
    card = str(refusal.details.get("card")).lower()
    named = [name for name, cards in hands.items() if card in cards][::-1]
    sizes = {name: refusal.details.get("kitty" if name == "kitty" else "cards") for name in hands}
    return named or [name for name, cards in hands.items() if len(cards) != sizes[name]] or list(hands)


def _named_tricks(at: int, lines: dict[str, CourseLine]) -> list[str]:
    """Return the line of the card in that place of the order of play."""
    for name, line in lines.items():
        if name == "play" or name.startswith("trick "):
            cards = len(line.value.split())
            if at < cards:
                return [name]
            at -= cards
    return []
