"""Schema of plain data, with a refusal that names the place of an error.

A place is written as ``rounds.3.tables.2.slot``; members of lists count from 0.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Protocol

from errors import Refusal

Place = tuple[str | int, ...]

MOST_NUMBER = 2**63 - 1
MOST_TEXT = 10_000
DEEPEST = 20


class Shape(Protocol):
    """Schema of a value."""

    def check(self, value: Any, at: Place) -> None:
        """Check a value. Refuses: part_wrong, event_file_part_missing, part_unknown."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text of up to ``most`` characters without NUL; with ``choices``, one of them."""

    choices: tuple[str, ...] = ()
    most: int = MOST_TEXT

    def check(self, value: Any, at: Place) -> None:
        if not isinstance(value, str) or not _can_be_kept(value, self.most):
            raise wrong(value, at)
        if self.choices and value not in self.choices:
            raise wrong(value, at)


@dataclass(frozen=True, slots=True)
class Spelled:
    """Text that matches this ``pattern`` as a whole."""

    pattern: str

    def check(self, value: Any, at: Place) -> None:
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value):
            raise wrong(value, at)


@dataclass(frozen=True, slots=True)
class MomentShape:
    """Time with its zone in ISO 8601."""

    def check(self, value: Any, at: Place) -> None:
        try:
            if not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is None:
                raise wrong(value, at)
            datetime.fromisoformat(value).astimezone(UTC)
        except (ValueError, OverflowError):
            raise wrong(value, at) from None


@dataclass(frozen=True, slots=True)
class Day:
    def check(self, value: Any, at: Place) -> None:
        try:
            is_day = isinstance(value, str) and date.fromisoformat(value).isoformat() == value
        except ValueError:
            is_day = False
        if not is_day:
            raise wrong(value, at)


@dataclass(frozen=True, slots=True)
class Whole:
    least: int = 0
    most: int = MOST_NUMBER

    def check(self, value: Any, at: Place) -> None:
        if type(value) is not int or not self.least <= value <= self.most:
            raise wrong(value, at)


@dataclass(frozen=True, slots=True)
class Switch:
    def check(self, value: Any, at: Place) -> None:
        if not isinstance(value, bool):
            raise wrong(value, at)


@dataclass(frozen=True, slots=True)
class OrNull:
    shape: Shape

    def check(self, value: Any, at: Place) -> None:
        if value is not None:
            self.shape.check(value, at)


@dataclass(frozen=True, slots=True)
class ListOf:
    shape: Shape
    length: int | None = None

    def check(self, value: Any, at: Place) -> None:
        if not isinstance(value, list) or self.length not in (None, len(value)):
            raise wrong(value, at)
        for place, item in enumerate(value):
            self.shape.check(item, (*at, place))


@dataclass(frozen=True, slots=True)
class RowShape:
    """List with a schema for each of its members."""

    shapes: tuple[Shape, ...]

    def check(self, value: Any, at: Place) -> None:
        if not isinstance(value, list) or len(value) != len(self.shapes):
            raise wrong(value, at)
        for place, (item, shape) in enumerate(zip(value, self.shapes, strict=True)):
            shape.check(item, (*at, place))


@dataclass(frozen=True, slots=True)
class NamedBy:
    """Object with any names, and values of one schema."""

    shape: Shape

    def check(self, value: Any, at: Place) -> None:
        if not isinstance(value, dict):
            raise wrong(value, at)
        for name, item in value.items():
            Text().check(name, at)
            self.shape.check(item, (*at, name))


@dataclass(frozen=True, slots=True)
class Parts:
    """Object with these parts and no others; those in ``may`` are optional."""

    parts: Mapping[str, Shape]
    may: Mapping[str, Shape]

    def check(self, value: Any, at: Place) -> None:
        if not isinstance(value, dict):
            raise wrong(value, at)
        for name in self.parts:
            if name not in value:
                raise Refusal("event_file_part_missing", field="file", part=shape_name((*at, name)))
        for name, item in value.items():
            shape = self.parts.get(name) or self.may.get(name)
            if shape is None:
                raise Refusal("part_unknown", field="file", part=shape_name((*at, name)))
            shape.check(item, (*at, name))


@dataclass(frozen=True, slots=True)
class Plain:
    """Any JSON value without fractional numbers; its meaning is checked elsewhere."""

    def check(self, value: Any, at: Place, depth: int = 0) -> None:
        if depth > DEEPEST:
            raise wrong(value, at)
        if isinstance(value, dict):
            for name, item in value.items():
                Text().check(name, at)
                self.check(item, (*at, name), depth + 1)
        elif isinstance(value, list):
            for place, item in enumerate(value):
                self.check(item, (*at, place), depth + 1)
        elif type(value) is int:
            Whole(-MOST_NUMBER).check(value, at)
        elif isinstance(value, str):
            Text().check(value, at)


def parts(may: Mapping[str, Shape] | None = None, /, **named_parts: Shape) -> Parts:
    return Parts(named_parts, may or {})


def _can_be_kept(text: str, most: int) -> bool:
    """Check that a database can store the text: short enough, and without NUL."""
    return len(text) <= most and "\x00" not in text


def wrong(value: Any, at: Place) -> Refusal:
    return Refusal("part_wrong", field="file", part=shape_name(at), value=short(value))


def shape_name(at: Place) -> str:
    return ".".join(str(step)[:80] for step in at)


def short(value: Any) -> str:
    """Shorten a value for display."""
    said = str(value) if isinstance(value, str | int) else type(value).__name__
    return said if len(said) <= 60 else f"{said[:59]}…"
