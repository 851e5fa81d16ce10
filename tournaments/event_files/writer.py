"""Writing of an event file, and its sums."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID, uuid5

from engine.sums import canonical, digest_of

from .form import MARK, OF_A_COPY, VERSION, Content

_FILES = UUID("6c0a7a5e-4c0b-5b0e-9a34-7f3f2f7f4a11")
_NOT_SUMMED = (MARK, "sum", "sums")
_EACH_BY_ITSELF = "rounds"
_LINES_TO_DEPTH, _PARTS_TO_DEPTH = 4, 2


def with_sums(content: Mapping[str, Any]) -> Content:
    """Add the version and the sums to the content. There is one sum for each part, for each round, and for
    all together."""
    summed = {name: part for name, part in content.items() if name not in _NOT_SUMMED}
    sums = digests_of(summed)
    return {MARK: VERSION, "sum": combined_digest(sums), "sums": sums, **summed}


def digests_of(content: Mapping[str, Any]) -> dict[str, str]:
    """Compute the SHA-256 of each part, and of each round by its place (``rounds.0``)."""
    sums: dict[str, str] = {}
    for name, part in content.items():
        if name == _EACH_BY_ITSELF:
            sums |= {f"{name}.{place}": digest_of(each) for place, each in enumerate(part)}
        elif name not in _NOT_SUMMED:
            sums[name] = digest_of(part)
    return sums


def combined_digest(sums: Mapping[str, str]) -> str:
    """Compute the one sum of an event, equal in every copy of it."""
    return digest_of({name: each for name, each in sums.items() if name not in OF_A_COPY})


def key_of_file(content: Mapping[str, Any]) -> UUID:
    """Return the key of the event that this file becomes when imported anywhere."""
    return uuid5(_FILES, content["sum"])


def serialize_event_file(content: Mapping[str, Any]) -> bytes:
    """Write the bytes of a file: names in order, a line for each entry, table and row of the standings."""
    return "".join((*_lines(content, 0), "\n")).encode()


def _lines(value: Any, depth: int) -> Iterator[str]:
    if not _has_lines(value, depth):
        yield canonical(value).decode()
        return
    is_list = isinstance(value, list)
    yield "[\n" if is_list else "{\n"
    for place, name in enumerate(range(len(value)) if is_list else sorted(value)):
        yield ",\n" if place else ""
        yield "" if is_list else f"{json.dumps(name, ensure_ascii=False)}:"
        yield from _lines(value[name], depth + 1)
    yield "\n]" if is_list else "\n}"


def _has_lines(value: Any, depth: int) -> bool:
    """Check whether a value is written over several lines: a part of objects, or one that contains such a
    part."""
    if depth == 0:
        return True
    if depth == _LINES_TO_DEPTH or not isinstance(value, list | dict):
        return False
    members = value if isinstance(value, list) else list(value.values())
    if members and all(isinstance(member, dict) for member in members):
        return True
    return depth <= _PARTS_TO_DEPTH and any(
        isinstance(member, list) and member and isinstance(member[0], dict) for member in members
    )
