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

from errors import Refusal, get_or_refuse
from rules.cards import Card, read_card
from rules.courses import CourseState, HandCourse, follow_course
from rules.dealing import DealtCards
from rules.play import Play, Trick
from rules.preparation import Preparation
from rules.rulesets import Ruleset
from rules.seats import Seat

from .tokens import (
    SEATS,
    add_line_number,
    collapse_spaces,
    format_calls,
    format_cards,
    format_seat,
    read_calls,
    read_cards,
    read_seat,
    read_suit,
)

_T = TypeVar("_T")

_LINE = re.compile(r"([a-z][a-z0-9 ]*?) ?: ?(.*)")
_TRICK = re.compile(r"(trick [1-8])(?: led by ([ab][12]))?")

_Readers = dict[str, tuple[str, Callable[[str], Any]]]

_DECLARER_READERS: _Readers = {
    "trump": ("trump", read_suit),
    "partner card": ("partner_card", read_card),
    "discards": ("discards", read_cards),
}
_DEFENDER_READERS: _Readers = {
    "takes": ("opponent_card", read_card),
    "discards": ("opponent_discard", read_card),
}
"""Choices of a preparation by their words in the text: the field, and the function that reads it."""


def format_course(course: HandCourse, *, tricks: Iterable[Trick] | None = None) -> str:
    """Return the lines of a course. Its cards are on one line, unless ``tricks`` are given."""
    lines = []
    if course.dealt is not None:
        lines += [
            f"hand {format_seat(Seat(seat))}: {format_cards(hand)}" for seat, hand in enumerate(course.dealt.hands)
        ]
        lines += [f"kitty: {format_cards(course.dealt.kitty)}"] if course.dealt.kitty else []
    if course.calls is not None:
        lines.append(f"calls: {format_calls(course.calls)}")
    if course.preparation is not None:
        lines += _format_preparation(course.preparation)
    if tricks is not None:
        lines += [_format_trick(number, trick) for number, trick in enumerate(tricks, start=1)]
    elif course.plays:
        lines.append(f"play: {format_cards(course.plays)}")
    return "\n".join(lines)


def list_tricks(play: Play) -> tuple[Trick, ...]:
    """Return the tricks of a play, with the unfinished one."""
    return (*play.tricks, play.trick) if play.trick else play.tricks


def _format_preparation(choices: Preparation) -> list[str]:
    lines = [f"mode: {choices.mode}{_format_choices(choices, _DECLARER_READERS)}"]
    if choices.defender is not None:
        lines.append(f"defender: {format_seat(choices.defender)}{_format_choices(choices, _DEFENDER_READERS)}")
    return lines


def _format_choices(choices: Preparation, readers: _Readers) -> str:
    values = [(label, getattr(choices, name)) for label, (name, _) in readers.items()]
    return "".join(
        f", {label} {format_cards(value) if isinstance(value, tuple) else value}" for label, value in values if value
    )


def _format_trick(number: int, trick: Trick) -> str:
    return f"trick {number} led by {format_seat(trick[0][0])}: {format_cards(card for _, card in trick)}"


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
    lines = split_course_lines(text, seats=ruleset.seats)
    tricks = _read_tricks(lines)
    course = HandCourse(
        dealt=_read_deal(lines, ruleset, dealer),
        calls=_read_part(lines, "calls", "course.calls", read_calls),
        preparation=_read_preparation(lines),
        plays=tuple(card for _, cards in tricks for card in cards),
    )
    prepared_state = _follow_course(ruleset, replace(course, plays=()), dealer, lines) if course.preparation else None
    if prepared_state is not None and prepared_state.play is not None and "play" not in lines:
        _check_sizes(tricks, players=len(prepared_state.play.active))
    end = _follow_course(ruleset, course, dealer, lines)
    if end.play is not None:
        _check_leaders(tricks, list_tricks(end.play))
    return course


def split_course_lines(text: str, *, seats: int) -> dict[str, CourseLine]:
    """Return the lines by name. Refuses, with its line: not_understood, said_twice."""
    hands = {f"hand {name.lower()}" for name, seat in SEATS.items() if seat < seats}
    lines: dict[str, CourseLine] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        normalized = collapse_spaces(line).lower()
        if not normalized:
            continue
        parts = _LINE.fullmatch(normalized)
        trick = parts and _TRICK.fullmatch(parts[1])
        if parts is None or not (trick or parts[1] in hands | {"kitty", "calls", "mode", "defender", "play"}):
            raise Refusal("not_understood", field="course", line=number, text=collapse_spaces(line))
        name = trick[1] if trick else parts[1]
        if name in lines:
            raise Refusal("said_twice", field="course", line=number, name=name)
        leader = read_seat(trick[2]) if trick and trick[2] else None
        lines[name] = CourseLine(number, parts[2], leader)
    return lines


def _read_part(lines: dict[str, CourseLine], name: str, field: str, reader: Callable[[str], _T]) -> _T | None:
    if name not in lines:
        return None
    with add_line_number(lines[name].number, field=field):
        return reader(lines[name].value)


def _read_deal(lines: dict[str, CourseLine], ruleset: Ruleset, dealer: Seat) -> DealtCards | None:
    names = [f"hand {format_seat(Seat(seat)).lower()}" for seat in range(ruleset.seats)]
    if not any(name in lines for name in (*names, "kitty")):
        return None
    *hands, kitty = (_read_part(lines, name, "course.dealt", read_cards) or () for name in (*names, "kitty"))
    return DealtCards(dealer=dealer, hands=tuple(hands), kitty=kitty)


def _read_preparation(lines: dict[str, CourseLine]) -> Preparation | None:
    mode = _read_part(lines, "mode", "course.preparation", lambda text: _read_choices(text, _DECLARER_READERS))
    defender = _read_part(lines, "defender", "course.preparation", lambda text: _read_choices(text, _DEFENDER_READERS))
    if mode is None:
        if defender is not None:
            line = lines["defender"].number
            raise Refusal("part_missing", field="course.preparation", line=line, part="preparation")
        return None
    if defender is None:
        return Preparation(mode=mode[0], **mode[1])
    with add_line_number(lines["defender"].number, field="course.preparation"):
        return Preparation(mode=mode[0], defender=read_seat(defender[0]), **mode[1], **defender[1])


def _read_choices(text: str, readers: _Readers) -> tuple[str, dict[str, Any]]:
    """Return the text before the first comma, and the choices after it, each at most once."""
    first, *items = (collapse_spaces(item) for item in text.split(","))
    choices: dict[str, Any] = {}
    for item in items:
        label = get_or_refuse(
            next((label for label in readers if item.startswith(f"{label} ")), None), "not_understood", text=item
        )
        name, reader = readers[label]
        if name in choices:
            raise Refusal("said_twice", name=label)
        choices[name] = reader(item.removeprefix(label))
    return first, choices


def _read_tricks(lines: dict[str, CourseLine]) -> _Tricks:
    """Return the lines of cards in the order of play. Tricks are numbered without a gap, from 1."""
    tricks = [(name, line) for name, line in lines.items() if name == "play" or name.startswith("trick ")]
    for number, (name, line) in enumerate(tricks, start=1):
        if name not in (f"trick {number}", "play") or (name == "play" and len(tricks) > 1):
            raise Refusal("wrong_trick", field="course.plays", line=line.number, trick=number)
    trick_lines = []
    for _, line in tricks:
        with add_line_number(line.number, field="course.plays"):
            trick_lines.append((line, read_cards(line.value)))
    return trick_lines


def _check_sizes(tricks: _Tricks, *, players: int) -> None:
    """Check that every trick has a card from each player, except the last, which may be incomplete."""
    for number, (line, cards) in enumerate(tricks, start=1):
        if len(cards) != players and not (number == len(tricks) and 0 < len(cards) < players):
            raise Refusal("wrong_trick", field="course.plays", line=line.number, trick=number, players=players)


def _check_leaders(tricks: _Tricks, played: tuple[Trick, ...]) -> None:
    for (line, _), trick in zip(tricks, played, strict=False):
        if line.leader not in (None, trick[0][0]):
            raise Refusal("wrong_leader", field="course.plays", line=line.number, leader=format_seat(trick[0][0]))


def _follow_course(ruleset: Ruleset, course: HandCourse, dealer: Seat, lines: dict[str, CourseLine]) -> CourseState:
    """Follow the course, and name the line of an illegal step."""
    try:
        return follow_course(ruleset, course, dealer=dealer)
    except Refusal as refusal:
        with add_line_number(_find_line(refusal, lines), field=refusal.field):
            raise


def _find_line(refusal: Refusal, lines: dict[str, CourseLine]) -> int:
    match refusal.field:
        case "course.calls":
            names = ["calls"]
        case "course.preparation":
            names = ["mode"]
        case "course.plays":
            names = _find_trick_lines(refusal.details.get("at", 0), lines)
        case _:
            names = _find_hand_lines(refusal, lines)
    return next((lines[name].number for name in names if name in lines), 1)


def _find_hand_lines(refusal: Refusal, lines: dict[str, CourseLine]) -> list[str]:
    """Return the line with the card in question, for the second time; or with too many cards, or too few."""
    hands = {name: line.value.split() for name, line in lines.items() if name[:4] == "hand" or name == "kitty"}
    card = str(refusal.details.get("card")).lower()
    found = [name for name, cards in hands.items() if card in cards][::-1]
    sizes = {name: refusal.details.get("kitty" if name == "kitty" else "cards") for name in hands}
    return found or [name for name, cards in hands.items() if len(cards) != sizes[name]] or list(hands)


def _find_trick_lines(place: int, lines: dict[str, CourseLine]) -> list[str]:
    """Return the line of the card in that place of the order of play."""
    for name, line in lines.items():
        if name == "play" or name.startswith("trick "):
            cards = len(line.value.split())
            if place < cards:
                return [name]
            place -= cards
    return []
