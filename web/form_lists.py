"""Lists in a form, whose lines can be moved, removed and added by buttons without losing input.

A line's fields are named by list, position and name, ``stages.1.count``; a list of single values has one
field for all of them, such as ``order``.
"""

from collections.abc import Callable, Mapping
from typing import Any

FormValues = Mapping[str, list[str]]
"""Field values of a form."""

MAX_LINES = 60
"""The most lines: our own pages never send more."""


def get_first_value(form_data: FormValues, name: str) -> str:
    """Return the value of a field with one value; "" if it is missing."""
    return next(iter(form_data.get(name, [])), "")


def list_positions(form_data: FormValues, name: str) -> list[int]:
    """Return the positions of a list that have fields, in order."""
    found = {field.split(".")[1] for field in form_data if field.startswith(f"{name}.")}
    return sorted(int(place) for place in found if place.isascii() and place.isdecimal() and len(place) < 4)[:MAX_LINES]


def rearrange_list(
    form_data: FormValues, command: str, factories: Mapping[str, Callable[[FormValues], Any]]
) -> dict[str, list[str]]:
    """Return the form with a line moved, removed or added: ``stages.1.up``, ``order.add``.

    ``factories`` has a function for each list by name, which returns a new line, or None to add nothing. An
    unknown ``command`` does nothing.
    """
    name, _, rest = command.partition(".")
    place, _, step = rest.rpartition(".")
    if name not in factories:
        return dict(form_data)
    lines = _read_lines(form_data, name)
    index = int(place) if place.isascii() and place.isdecimal() and len(place) < 4 else len(lines)
    if step == "add" and (line := factories[name](form_data)) is not None and len(lines) < MAX_LINES:
        lines.append(line)
    elif step in _STEPS and index < len(lines):
        _STEPS[step](lines, index)
    others = {field: values for field, values in form_data.items() if field.partition(".")[0] != name}
    return {**others, **_build_fields(name, lines)}


def _read_lines(form_data: FormValues, name: str) -> list[Any]:
    """Return the list's single values, or the fields of each line."""
    if name in form_data:
        return list(form_data[name])
    return [
        {field.removeprefix(start): values for field, values in form_data.items() if field.startswith(start)}
        for start in (f"{name}.{place}." for place in list_positions(form_data, name))
    ]


def _build_fields(name: str, lines: list[Any]) -> dict[str, list[str]]:
    if lines and isinstance(lines[0], str):
        return {name: lines}
    return {f"{name}.{index}.{field}": values for index, line in enumerate(lines) for field, values in line.items()}


def _move_up(lines: list[Any], index: int) -> None:
    lines.insert(max(0, index - 1), lines.pop(index))


def _move_down(lines: list[Any], index: int) -> None:
    lines.insert(index + 1, lines.pop(index))


def _remove(lines: list[Any], index: int) -> None:
    del lines[index]


_STEPS: Mapping[str, Callable[[list[Any], int], None]] = {"up": _move_up, "down": _move_down, "remove": _remove}
