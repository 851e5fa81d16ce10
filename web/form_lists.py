"""Lists in a form: lines that are moved, taken out and added by buttons, whatever is typed in them.

The fields of a line are named by list, place and name, ``stages.1.count``; a list of single values has one
field for all of them, as ``order``.
"""

from collections.abc import Callable, Mapping
from typing import Any

Typed = Mapping[str, list[str]]
"""What the fields of a form hold."""

MOST_LINES = 60
"""Beyond it a form was not made by a page of ours."""


def first_of(typed: Typed, name: str) -> str:
    """What a field of one value holds; "" where it is not there."""
    return next(iter(typed.get(name, [])), "")


def places_of(typed: Typed, name: str) -> list[int]:
    """The places of a list that have fields, in order."""
    found = {field.split(".")[1] for field in typed if field.startswith(f"{name}.")}
    return sorted(int(place) for place in found if place.isascii() and place.isdecimal() and len(place) < 4)[
        :MOST_LINES
    ]


def rearrange_list(
    typed: Typed, change: str, new: Mapping[str, Callable[[Typed], Any]]
) -> dict[str, list[str]]:
    """The same form with a line moved, taken out or added: ``stages.1.up``, ``order.add``.

    ``new`` makes a line of each list there is, None for nothing to add. A change that there is not changes
    nothing.
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
    """Single values, or the fields of each line."""
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
