"""The lines above the first place of a match: its ruleset, its length, the first dealer, and the sides."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from errors import Refusal
from rules.folds import MatchFormat
from rules.house_rules import apply_house_rules, diff_house_rules, get_ruleset
from rules.rulesets import RULESETS, Ruleset
from rules.seats import Seat
from rules.serialization import match_format_from_json, match_format_to_json, ruleset_from_json, ruleset_to_json

from .tokens import add_line_number, collapse_spaces, read_seat

_WHOLE_NUMBER = re.compile("[0-9]{1,9}")
_FORMAT = {item.name.replace("_", " "): item.name for item in fields(MatchFormat)}
_HEADER = ("rules", *_FORMAT, "first dealer", "side a", "side b")
_HOUSE_RULE = re.compile(r"house rule ((?!contracts )[a-z_]+|contracts\.[a-z0-9_]+\.[a-z]+) (.+)")
_LISTS = ("ladder", "modes")
_BOOLEANS = {"yes": True, "no": False}


def format_ruleset(ruleset: Ruleset) -> list[str]:
    """Return the built-in ruleset with its house rules; or the whole value, if these do not describe it."""
    difference = _get_house_rules(ruleset)
    if difference is None:
        return [f"rules: {json.dumps(ruleset_to_json(ruleset))}"]
    changes = [f"house rule: {name} {_format_value(value)}" for name, value in _flatten_difference(difference)]
    return [f"rules: {ruleset.key}", *changes]


def _get_house_rules(ruleset: Ruleset) -> Mapping[str, Any] | None:
    """Return the house rules on the built-in ruleset of that key; None if these do not make this ruleset."""
    base = RULESETS.get(ruleset.key)
    keys = [contract.key for contract in ruleset.contracts]
    if base is None or keys != [contract.key for contract in base.contracts]:
        return None
    difference = diff_house_rules(base, ruleset)
    try:
        return difference if apply_house_rules(base, difference) == ruleset else None
    except Refusal:
        return None


def _flatten_difference(difference: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in difference.items():
        if isinstance(value, Mapping):
            yield from _flatten_difference(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(value) if isinstance(value, list) else str(value)


def format_lines(match_format: MatchFormat) -> list[str]:
    return [f"{name.replace('_', ' ')}: {value}" for name, value in match_format_to_json(match_format).items()]


@dataclass(frozen=True, slots=True)
class Header:
    """The lines above the first place, by name, each with its number and its value."""

    lines: Mapping[str, tuple[int, str]]

    @classmethod
    def parse(cls, numbered_lines: list[tuple[int, str]]) -> "Header":
        """Read the header. Refuses: not_understood, said_twice."""
        lines: dict[str, tuple[int, str]] = {}
        for number, line in numbered_lines:
            name, colon, value = (part.strip() for part in line.partition(":"))
            name = collapse_spaces(name).lower()
            rule = _HOUSE_RULE.fullmatch(collapse_spaces(f"{name} {value}").lower())
            if not colon or (rule is None and name not in _HEADER):
                raise Refusal("not_understood", line=number, text=line)
            if rule is not None:
                name, value = f"house rule {rule[1]}", rule[2]
            if name in lines:
                raise Refusal("said_twice", line=number, name=name)
            lines[name] = number, value
        return cls(lines)

    def get_line_number(self, *names: str) -> int:
        """Return the line number of the first of these names that is present; else that of the rules."""
        return next((self.lines[name][0] for name in (*names, "rules") if name in self.lines), 1)

    def get_value(self, name: str, *, default: str | None = None) -> str:
        """Return the value of a line. Refuses: header_required."""
        if name not in self.lines and default is None:
            raise Refusal("header_required", line=1, name=name)
        return self.lines[name][1] if name in self.lines else default or ""

    def read_ruleset(self) -> Ruleset:
        text = self.get_value("rules")
        try:
            base = ruleset_from_json(_parse_json(text)) if text.startswith("{") else get_ruleset(text.lower())
            return apply_house_rules(base, self._read_house_rules())
        except Refusal as refusal:
            with add_line_number(self.get_line_number(f"house rule {refusal.field}")):
                raise

    def _read_house_rules(self) -> dict[str, Any]:
        difference: dict[str, Any] = {}
        for name, (_, value) in self.lines.items():
            if name.startswith("house rule "):
                *path, rule = name.removeprefix("house rule ").split(".")
                place = difference
                for part in path:
                    place = place.setdefault(part, {})
                place[rule] = value.split() if rule in _LISTS else _parse_value(value)
        return difference

    def read_match_format(self) -> MatchFormat:
        values = {
            _FORMAT[name]: _parse_value(value[1].lower()) for name, value in self.lines.items() if name in _FORMAT
        }
        try:
            return match_format_from_json(values)
        except Refusal as refusal:
            with add_line_number(self.get_line_number(str(refusal.field).replace("_", " "))):
                raise

    def read_first_dealer(self, ruleset: Ruleset) -> Seat:
        text = self.get_value("first dealer")
        with add_line_number(self.get_line_number("first dealer"), field="first_dealer"):
            seat = read_seat(text)
            if seat not in range(ruleset.seats):
                raise Refusal("no_such_seat", seats=ruleset.seats)
        return seat


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal("not_an_object", field="rules") from None


def _parse_value(text: str) -> Any:
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return _BOOLEANS.get(text, text)
