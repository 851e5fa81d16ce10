"""Line-ups that one captain has given, in a file: encoded, so that nobody who looks into it reads them."""

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

LINEUPS = "team_lineups"


def hide_lineups(lineups: Mapping[str, Any]) -> str:
    """Return line-ups by team as text."""
    return base64.b64encode(json.dumps(lineups).encode()).decode()


def reveal_lineups(text: str) -> dict[str, Any]:
    """Return the line-ups from the output of ``hide_lineups``. Raises ValueError for any other text."""
    lineups: dict[str, Any] = json.loads(base64.b64decode(text, validate=True))
    return lineups


def convert_history(history: Iterable[Mapping[str, Any]], convert: Callable[[Any], Any]) -> list[dict[str, Any]]:
    """Return the lines of a history with their line-ups converted."""
    return [{**line, "changes": _convert_changes(line["changes"], convert)} for line in history]


def convert_columns(columns: Mapping[str, Any] | None, convert: Callable[[Any], Any]) -> dict[str, Any] | None:
    """Return the columns of a row with its line-ups converted, if it has any."""
    if columns is None or not columns.get(LINEUPS):
        return None if columns is None else dict(columns)
    return {**columns, LINEUPS: convert(columns[LINEUPS])}


def _convert_changes(changes: Mapping[str, Any], convert: Callable[[Any], Any]) -> Mapping[str, Any]:
    if "rows" not in changes:
        return changes
    rows = [
        [kind, pk, *(convert_columns(columns, convert) for columns in sides)] for kind, pk, *sides in changes["rows"]
    ]
    return {**changes, "rows": rows}
