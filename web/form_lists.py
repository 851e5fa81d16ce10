"""Lists in a form, whose lines can be moved, removed and added by buttons without losing input.

A line's fields are named by list, position and name, ``stages.1.count``; a list of single values has one
field for all of them, such as ``order``.
"""

from collections.abc import Callable, Mapping
from typing import Any

Typed = Mapping[str, list[str]]
"""Field values of a form."""

MOST_LINES = 60
"""The most lines: our own pages never send more."""


def first_of(typed: Typed, name: str) -> str:
    """Return the value of a field with one value; "" if it is missing."""
    return next(iter(typed.get(name, [])), "")


def places_of(typed: Typed, name: str) -> list[int]:
    """Return the positions of a list that have fields, in order."""
    found = {field.split(".")[1] for field in typed if field.startswith(f"{name}.")}
    return sorted(int(place) for place in found if place.isascii() and place.isdecimal() and len(place) < 4)[
        :MOST_LINES
    ]


def rearrange_list(
    typed: Typed, change: str, new: Mapping[str, Callable[[Typed], Any]]
) -> dict[str, list[str]]:
    """Return the form with a line moved, removed or added: ``stages.1.up``, ``order.add``.

    ``new`` makes a line for each list by name, or None to add nothing. An unknown change does nothing.
    """
    name, _, rest = change.partition(".")
    place, _, step = rest.rpartition(".")
    if name not in new:
        return dict(typed)
    lines = _lines(typed, name)
    at = int(place) if place.isascii() and place.isdecimal() and len(place) < 4 else len(lines)
    if step == "add" and (line := new[name](typed)) is not None and len(lines) < MOST_LINES:
        lines.append(line)
    elif step in _STEPS and at < len(lines):
        _STEPS[step](lines, at)
    others = {field: values for field, values in typed.items() if field.partition(".")[0] != name}
    return {**others, **_fields(name, lines)}


def _lines(typed: Typed, name: str) -> list[Any]:
    """Return the list's single values, or the fields of each line."""
    if name in typed:
        return list(typed[name])
    return [
        {field.removeprefix(start): values for field, values in typed.items() if field.startswith(start)}
        for start in (f"{name}.{place}." for place in places_of(typed, name))
    ]


def _fields(name: str, lines: list[Any]) -> dict[str, list[str]]:
    if lines and isinstance(lines[0], str):
        return {name: lines}
    return {f"{name}.{at}.{field}": values for at, line in enumerate(lines) for field, values in line.items()}


def _up(lines: list[Any], at: int) -> None:
    lines.insert(max(0, at - 1), lines.pop(at))


def _down(lines: list[Any], at: int) -> None:
    lines.insert(at + 1, lines.pop(at))


def _remove(lines: list[Any], at: int) -> None:
    del lines[at]


_STEPS: Mapping[str, Callable[[list[Any], int], None]] = {"up": _up, "down": _down, "remove": _remove}
