"""Templates rendered in Node as a phone does: contexts as JSON, and the attributes that they need."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import pytest
from django.utils.functional import Promise

from operations.data_dir import PROJECT
from tests import external_tools

SINGLE_VALUES: dict[Any, Callable[[Any], Any]] = {
    Enum: lambda value: value.value,
    bool | int | str | None: lambda value: value,
    datetime: datetime.isoformat,
    timedelta: timedelta.total_seconds,
    UUID | Promise: str,
}
FILTER_ATTRIBUTES = frozenset({"contract", "made", "ends_at", "left", "code", "details"})


def draw_in_node(drawings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the script's rendering of each template, and the names of its filters."""
    return {"drawn": _call_node("drawn", drawings), "filters": _call_node("filters")}


def draw_from_known(drawings: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return each table as the phone's own modules render it."""
    return _call_node("drawnFromKnown", drawings)


def _call_node(function: str, drawings: Sequence[Mapping[str, Any]] = ()) -> list[Any]:
    process = _get_node_process()
    if process is None:
        pytest.skip("no Node")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps([function, drawings]).encode() + b"\n")
    process.stdin.flush()
    answer: list[Any] = json.loads(process.stdout.readline())
    return answer


@cache
def _get_node_process() -> subprocess.Popen[bytes] | None:
    """Start one Node process for all rendering in this process; return None without Node."""
    node = external_tools.find_node()
    if node is None:
        return None
    with TemporaryDirectory() as folder:
        shutil.copytree(PROJECT / "static/js", folder, dirs_exist_ok=True)
        Path(folder, "package.json").write_text('{"type": "module"}', encoding="utf-8")
        command = [node, str(PROJECT / "tests/support/draw.mjs"), folder]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    return process


def list_attribute_names(program: Mapping[str, Any]) -> frozenset[str]:
    """Return all names that the program's templates may look up as attributes."""
    return FILTER_ATTRIBUTES | frozenset(_iter_names(program["templates"]))


def _iter_names(part: Any) -> Iterable[str]:
    if isinstance(part, str):
        yield from part.split(".") if re.fullmatch(r"[\w.]+", part) else ()
    elif isinstance(part, list | dict):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _iter_names(inner)


def to_json_value(value: Any, names: frozenset[str], parents: tuple[int, ...] = ()) -> Any:
    """Convert a value to JSON with the attributes of these names.

    A value that contains itself is repeated once.
    """
    for kind, single in SINGLE_VALUES.items():
        if isinstance(value, kind):
            return single(value)
    if isinstance(value, Mapping):
        pairs = [[key, to_json_value(held, names, parents)] for key, held in value.items()]
        return dict(pairs) if all(isinstance(key, str) for key in value) else {"items": pairs}
    if isinstance(value, Iterable):
        return [to_json_value(held, names, parents) for held in value]
    if parents.count(id(value)) == 2:
        return None
    attributes = {name: getattr(value, name) for name in names if hasattr(value, name)}
    inside = (*parents, id(value))
    return {name: to_json_value(held, names, inside) for name, held in attributes.items() if not callable(held)}
