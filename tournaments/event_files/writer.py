"""Writing of an event file, and its sums."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID, uuid5

from engine.checksums import compute_digest, to_canonical_json

from .schema import COPY_SPECIFIC_PARTS, FORMAT_KEY, VERSION, Content

_FILE_NAMESPACE = UUID("6c0a7a5e-4c0b-5b0e-9a34-7f3f2f7f4a11")
_EXCLUDED_KEYS = (FORMAT_KEY, "sum", "sums")
_PART_BY_PART = "rounds"
_MAX_LINE_DEPTH, _MAX_PART_DEPTH = 4, 2


def add_checksums(content: Mapping[str, Any]) -> Content:
    """Add the version and the sums to the content. There is one sum for each part, for each round, and for
    all together."""
    summed_parts = {name: part for name, part in content.items() if name not in _EXCLUDED_KEYS}
    sums = compute_part_digests(summed_parts)
    return {FORMAT_KEY: VERSION, "sum": compute_combined_digest(sums), "sums": sums, **summed_parts}


def compute_part_digests(content: Mapping[str, Any]) -> dict[str, str]:
    """Compute the SHA-256 of each part, and of each round by its place (``rounds.0``)."""
    sums: dict[str, str] = {}
    for name, part in content.items():
        if name == _PART_BY_PART:
            sums |= {f"{name}.{place}": compute_digest(item) for place, item in enumerate(part)}
        elif name not in _EXCLUDED_KEYS:
            sums[name] = compute_digest(part)
    return sums


def compute_combined_digest(sums: Mapping[str, str]) -> str:
    """Compute the one sum of an event, equal in every copy of it."""
    return compute_digest({name: digest for name, digest in sums.items() if name not in COPY_SPECIFIC_PARTS})


def get_file_key(content: Mapping[str, Any]) -> UUID:
    """Return the key of the event that this file becomes when imported anywhere."""
    return uuid5(_FILE_NAMESPACE, content["sum"])


def serialize_event_file(content: Mapping[str, Any]) -> bytes:
    """Write the bytes of a file: names in order, a line for each entry, table and row of the standings."""
    return "".join((*_serialize_lines(content, 0), "\n")).encode()


def _serialize_lines(value: Any, depth: int) -> Iterator[str]:
    if not _spans_lines(value, depth):
        yield to_canonical_json(value).decode()
        return
    is_list = isinstance(value, list)
    yield "[\n" if is_list else "{\n"
    for place, name in enumerate(range(len(value)) if is_list else sorted(value)):
        yield ",\n" if place else ""
        yield "" if is_list else f"{json.dumps(name, ensure_ascii=False)}:"
        yield from _serialize_lines(value[name], depth + 1)
    yield "\n]" if is_list else "\n}"


def _spans_lines(value: Any, depth: int) -> bool:
    """Check whether a value is written over several lines: a part of objects, or one that contains such a
    part."""
    if depth == 0:
        return True
    if depth == _MAX_LINE_DEPTH or not isinstance(value, list | dict):
        return False
    members = value if isinstance(value, list) else list(value.values())
    if members and all(isinstance(member, dict) for member in members):
        return True
    return depth <= _MAX_PART_DEPTH and any(
        isinstance(member, list) and member and isinstance(member[0], dict) for member in members
    )
