"""Schema of plain data, with a refusal that names the place of an error.

A place is written as ``rounds.3.tables.2.slot``; members of lists count from 0.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Protocol

from errors import Refusal

ValuePath = tuple[str | int, ...]

MAX_NUMBER = 2**63 - 1
MAX_TEXT_LENGTH = 10_000
MAX_DEPTH = 20


class Shape(Protocol):
    """Schema of a value."""

    def check(self, value: Any, path: ValuePath) -> None:
        """Check a value. Refuses: part_wrong, event_file_part_missing, part_unknown."""


@dataclass(frozen=True, slots=True)
class TextShape:
    """Text of up to ``most`` characters without NUL; with ``choices``, one of them."""

    choices: tuple[str, ...] = ()
    most: int = MAX_TEXT_LENGTH

    def check(self, value: Any, path: ValuePath) -> None:
        if not isinstance(value, str) or not _is_storable(value, self.most):
            raise build_wrong_part_refusal(value, path)
        if self.choices and value not in self.choices:
            raise build_wrong_part_refusal(value, path)


@dataclass(frozen=True, slots=True)
class PatternShape:
    """Text that matches this ``pattern`` as a whole."""

    pattern: str

    def check(self, value: Any, path: ValuePath) -> None:
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value):
            raise build_wrong_part_refusal(value, path)


@dataclass(frozen=True, slots=True)
class DatetimeShape:
    """Time with its zone in ISO 8601."""

    def check(self, value: Any, path: ValuePath) -> None:
        try:
            if not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is None:
                raise build_wrong_part_refusal(value, path)
            datetime.fromisoformat(value).astimezone(UTC)
        except (ValueError, OverflowError):
            raise build_wrong_part_refusal(value, path) from None


@dataclass(frozen=True, slots=True)
class DateShape:
    def check(self, value: Any, path: ValuePath) -> None:
        try:
            is_day = isinstance(value, str) and date.fromisoformat(value).isoformat() == value
        except ValueError:
            is_day = False
        if not is_day:
            raise build_wrong_part_refusal(value, path)


@dataclass(frozen=True, slots=True)
class IntegerShape:
    least: int = 0
    most: int = MAX_NUMBER

    def check(self, value: Any, path: ValuePath) -> None:
        if type(value) is not int or not self.least <= value <= self.most:
            raise build_wrong_part_refusal(value, path)


@dataclass(frozen=True, slots=True)
class BooleanShape:
    def check(self, value: Any, path: ValuePath) -> None:
        if not isinstance(value, bool):
            raise build_wrong_part_refusal(value, path)


@dataclass(frozen=True, slots=True)
class NullableShape:
    shape: Shape

    def check(self, value: Any, path: ValuePath) -> None:
        if value is not None:
            self.shape.check(value, path)


@dataclass(frozen=True, slots=True)
class ListShape:
    shape: Shape
    length: int | None = None

    def check(self, value: Any, path: ValuePath) -> None:
        if not isinstance(value, list) or self.length not in (None, len(value)):
            raise build_wrong_part_refusal(value, path)
        for place, item in enumerate(value):
            self.shape.check(item, (*path, place))


@dataclass(frozen=True, slots=True)
class TupleShape:
    """List with a schema for each of its members."""

    shapes: tuple[Shape, ...]

    def check(self, value: Any, path: ValuePath) -> None:
        if not isinstance(value, list) or len(value) != len(self.shapes):
            raise build_wrong_part_refusal(value, path)
        for place, (item, shape) in enumerate(zip(value, self.shapes, strict=True)):
            shape.check(item, (*path, place))


@dataclass(frozen=True, slots=True)
class MappingShape:
    """Object with any names, and values of one schema."""

    shape: Shape

    def check(self, value: Any, path: ValuePath) -> None:
        if not isinstance(value, dict):
            raise build_wrong_part_refusal(value, path)
        for name, item in value.items():
            TextShape().check(name, path)
            self.shape.check(item, (*path, name))


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """Object with these parts and no others; those in ``may`` are optional."""

    parts: Mapping[str, Shape]
    may: Mapping[str, Shape]

    def check(self, value: Any, path: ValuePath) -> None:
        if not isinstance(value, dict):
            raise build_wrong_part_refusal(value, path)
        for name in self.parts:
            if name not in value:
                raise Refusal("event_file_part_missing", field="file", part=format_path((*path, name)))
        for name, item in value.items():
            shape = self.parts.get(name) or self.may.get(name)
            if shape is None:
                raise Refusal("part_unknown", field="file", part=format_path((*path, name)))
            shape.check(item, (*path, name))


@dataclass(frozen=True, slots=True)
class AnyShape:
    """Any JSON value without fractional numbers; its meaning is checked elsewhere."""

    def check(self, value: Any, path: ValuePath, depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            raise build_wrong_part_refusal(value, path)
        if isinstance(value, dict):
            for name, item in value.items():
                TextShape().check(name, path)
                self.check(item, (*path, name), depth + 1)
        elif isinstance(value, list):
            for place, item in enumerate(value):
                self.check(item, (*path, place), depth + 1)
        elif type(value) is int:
            IntegerShape(-MAX_NUMBER).check(value, path)
        elif isinstance(value, str):
            TextShape().check(value, path)


def build_object_shape(optional_parts: Mapping[str, Shape] | None = None, /, **named_parts: Shape) -> ObjectShape:
    return ObjectShape(named_parts, optional_parts or {})


def _is_storable(text: str, max_length: int) -> bool:
    """Check that a database can store the text: short enough, and without NUL."""
    return len(text) <= max_length and "\x00" not in text


def build_wrong_part_refusal(value: Any, path: ValuePath) -> Refusal:
    return Refusal("part_wrong", field="file", part=format_path(path), value=shorten_value(value))


def format_path(path: ValuePath) -> str:
    return ".".join(str(step)[:80] for step in path)


def shorten_value(value: Any) -> str:
    """Shorten a value for display."""
    text = str(value) if isinstance(value, str | int) else type(value).__name__
    return text if len(text) <= 60 else f"{text[:59]}…"
