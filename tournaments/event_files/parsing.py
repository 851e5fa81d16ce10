"""Reading of an event file, with one refusal that says what is wrong, and where."""

import json
from pathlib import Path
from typing import Any, NoReturn

from engine.checksums import to_canonical_json
from errors import Refusal

from .schema import FORMAT_KEY, SCHEMAS, VERSION, Content

MOST_BYTES = 256 * 1024 * 1024
"""Largest file; a tournament of four thousand entries needs a quarter of it."""
MAX_VALUES = 8_000_000
"""Most values in a file, counted by the characters before them and before parsing. Each takes up to seventy
bytes of memory, and twelve bytes of a file that this program wrote."""


def read_event_path(path: Path) -> Content:
    """Read an event from a path.

    Refuses: no_such_file, event_file_too_large, and what ``read_event_file`` refuses.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Refusal("event_file_too_large", field="file", most=MOST_BYTES // 1024**2)
        content = path.read_bytes()
    except OSError:
        raise Refusal("no_such_file", path=str(path)) from None
    return read_event_file(content)


def read_event_file(content: bytes) -> Content:
    """Read an event file of the current form or an older one (``upgrade_content``); ``verify`` checks whether
    its content is true.

    Refuses: event_file_too_large, not_an_event_file, event_file_broken (with the line), event_file_version,
    event_file_part_missing, part_unknown, part_twice, part_wrong, part_not_whole.
    """
    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise Refusal("event_file_too_large", field="file", most=MOST_BYTES // 1024**2)
    try:
        text = content.decode("utf-8-sig")
        parsed = json.loads(
            text, object_pairs_hook=_build_unique_object, parse_float=_refuse_number, parse_constant=_refuse_number
        )
    except json.JSONDecodeError as error:
        if not content.lstrip().startswith(b"{"):
            raise Refusal("not_an_event_file", field="file") from None
        raise Refusal("event_file_broken", field="file", line=error.lineno) from None
    except (ValueError, RecursionError):
        raise Refusal("not_an_event_file", field="file") from None
    if not isinstance(parsed, dict) or type(parsed.get(FORMAT_KEY)) is not int:
        raise Refusal("not_an_event_file", field="file")
    schema = SCHEMAS.get(parsed[FORMAT_KEY])
    if schema is None:
        raise Refusal("event_file_version", field="file", version=parsed[FORMAT_KEY], known=VERSION)
    schema.check(parsed, ())
    try:
        to_canonical_json(parsed)
    except UnicodeEncodeError:  # a lone surrogate: valid JSON, but not encodable
        raise Refusal("not_an_event_file", field="file") from None
    return parsed


def _build_unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; refuse one with a repeated name."""
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise Refusal("part_twice", field="file", part=name[:80])
        values[name] = value
    return values


def _refuse_number(text: str) -> NoReturn:
    raise Refusal("part_not_whole", field="file", value=text[:60])
