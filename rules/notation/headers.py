"""The lines above the first place of a match: its ruleset, its length, the first dealer, and the sides."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from errors import Refusal
from rules.folds import MatchFormat
from rules.house_rules import house_rules_between, ruleset_named, with_house_rules
from rules.rulesets import RULESETS, Ruleset
from rules.seats import Seat
from rules.serialization import (
    match_format_from_json,
    match_format_to_json,
    ruleset_from_json,
    ruleset_to_json,
)

from .words import on_line, read_seat, single_spaces

_WHOLE_NUMBER = re.compile("[0-9]{1,9}")
_FORMAT = {item.name.replace("_", " "): item.name for item in fields(MatchFormat)}
_HEADER = ("rules", *_FORMAT, "first dealer", "side a", "side b")
_HOUSE_RULE = re.compile(r"house rule ((?!contracts )[a-z_]+|contracts\.[a-z0-9_]+\.[a-z]+) (.+)")
_LISTS = ("ladder", "modes")
_YES_OR_NO = {"yes": True, "no": False}


def ruleset_lines(ruleset: Ruleset) -> list[str]:
    """Return the built-in ruleset with its house rules; or the whole value, if these do not describe it."""
    difference = _difference(ruleset)
    if difference is None:
        return [f"rules: {json.dumps(ruleset_to_json(ruleset))}"]
    changes = [f"house rule: {name} {_text_of(value)}" for name, value in _flat(difference)]
    return [f"rules: {ruleset.key}", *changes]


def _difference(ruleset: Ruleset) -> Mapping[str, Any] | None:
    """Return the house rules on the built-in ruleset of that key; None if these do not make this ruleset."""
    base = RULESETS.get(ruleset.key)
    keys = [contract.key for contract in ruleset.contracts]
    if base is None or keys != [contract.key for contract in base.contracts]:
        return None
    difference = house_rules_between(base, ruleset)
    try:
        return difference if with_house_rules(base, difference) == ruleset else None
    except Refusal:
        return None


def _flat(difference: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in difference.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(value) if isinstance(value, list) else str(value)


def format_lines(match_format: MatchFormat) -> list[str]:
    return [
        f"{name.replace('_', ' ')}: {value}" for name, value in match_format_to_json(match_format).items()
    ]


@dataclass(frozen=True, slots=True)
class Header:
    """The lines above the first place, by name, each with its number and its value."""

    lines: Mapping[str, tuple[int, str]]

    @classmethod
    def of(cls, said: list[tuple[int, str]]) -> "Header":
        """Read the header. Refuses: not_understood, said_twice."""
        lines: dict[str, tuple[int, str]] = {}
        for number, line in said:
            name, colon, value = (part.strip() for part in line.partition(":"))
            name = single_spaces(name).lower()
            rule = _HOUSE_RULE.fullmatch(single_spaces(f"{name} {value}").lower())
            if not colon or (rule is None and name not in _HEADER):
                raise Refusal("not_understood", line=number, text=line)
            if rule is not None:
                name, value = f"house rule {rule[1]}", rule[2]
            if name in lines:
                raise Refusal("said_twice", line=number, name=name)
            lines[name] = number, value
        return cls(lines)

    def line(self, *names: str) -> int:
        """Return the line number of the first of these names that is present; else that of the rules."""
        return next((self.lines[name][0] for name in (*names, "rules") if name in self.lines), 1)

    def value(self, name: str, *, default: str | None = None) -> str:
        """Return the value of a line. Refuses: header_required."""
        if name not in self.lines and default is None:
            raise Refusal("header_required", line=1, name=name)
        return self.lines[name][1] if name in self.lines else default or ""

    def ruleset(self) -> Ruleset:
        said = self.value("rules")
        try:
            base = ruleset_from_json(_json(said)) if said.startswith("{") else ruleset_named(said.lower())
            return with_house_rules(base, self._house_rules())
        except Refusal as refusal:
            with on_line(self.line(f"house rule {refusal.field}")):
                raise

    def _house_rules(self) -> dict[str, Any]:
        difference: dict[str, Any] = {}
        for name, (_, value) in self.lines.items():
            if name.startswith("house rule "):
                *within, rule = name.removeprefix("house rule ").split(".")
                place = difference
                for part in within:
                    place = place.setdefault(part, {})
                place[rule] = value.split() if rule in _LISTS else _value(value)
        return difference

    def match_format(self) -> MatchFormat:
        plain = {
            _FORMAT[name]: _value(value[1].lower()) for name, value in self.lines.items() if name in _FORMAT
        }
        try:
            return match_format_from_json(plain)
        except Refusal as refusal:
            with on_line(self.line(str(refusal.field).replace("_", " "))):
                raise

    def first_dealer(self, ruleset: Ruleset) -> Seat:
        said = self.value("first dealer")
        with on_line(self.line("first dealer"), field="first_dealer"):
            seat = read_seat(said)
            if seat not in range(ruleset.seats):
                raise Refusal("no_such_seat", seats=ruleset.seats)
        return seat


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal("not_an_object", field="rules") from None


def _value(text: str) -> Any:
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return _YES_OR_NO.get(text, text)
