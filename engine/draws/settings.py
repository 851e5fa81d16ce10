"""Settings of a format, by name from a JSON object: the right value, or a refusal that names the field."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from errors import Refusal

_Choice = TypeVar("_Choice", int, str)

MIXES = "mixes_sections"
"""The setting by which the sections of an event play together; by default they play apart."""


def check_setting_names(data: Mapping[str, Any], allowed: Iterable[str]) -> None:
    """Check that all settings are known. Refuses: no_such_setting."""
    settings = tuple(allowed)
    for name in data:
        if name not in settings:
            raise Refusal("no_such_setting", field=name, known=settings)


def parse_whole_number(data: Mapping[str, Any], name: str, *, least: int) -> int | None:
    """Return a number from ``least`` up; None if not set. Refuses: not_a_number, number_too_small."""
    value = data.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refusal("not_a_number", field=name, value=value)
    if value < least:
        raise Refusal("number_too_small", field=name, value=value, least=least)
    return value


def parse_choice(data: Mapping[str, Any], name: str, choices: tuple[_Choice, ...]) -> _Choice:
    """Return one of these choices, the first if not set. Refuses: no_such_choice."""
    value = data.get(name, choices[0])
    for choice in choices:
        if type(choice) is type(value) and choice == value:
            return choice
    raise Refusal("no_such_choice", field=name, value=value, choices=choices)


def parse_boolean(data: Mapping[str, Any], name: str, *, usual: bool = False) -> bool:
    """Return a boolean, the usual one if not set. Refuses: no_such_choice."""
    return bool(parse_choice(data, name, (usual, not usual)))


def parse_names(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a list of names; empty if not set. Refuses: not_a_list."""
    value = data.get(name, ())
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise Refusal("not_a_list", field=name, value=value)
    return tuple(value)
