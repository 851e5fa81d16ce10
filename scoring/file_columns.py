"""Columns of rows in an event file (docs/api/event-files.md): the name of each there and here."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class FileColumns:
    """Columns of a row by their names in a file; those ``optional`` have the same name, and only if not empty."""

    required: Mapping[str, str]
    optional: tuple[str, ...] = ()

    def write(self, row: Any) -> dict[str, Any]:
        """Return the values of a row for a file."""
        values = {name: moment_to_json(getattr(row, column)) for name, column in self.required.items()}
        return values | {name: value for name in self.optional if (value := getattr(row, name))}

    def read(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a file for a row."""
        values = {column: line[name] for name, column in self.required.items()}
        moments = {column: moment_from_json(text) for column, text in values.items() if column.endswith("_at")}
        return values | moments | {name: line[name] for name in self.optional if name in line}


def moment_to_json(value: Any) -> Any:
    """Convert a time to ISO 8601, with its time zone; any other value is returned as it is."""
    return value.isoformat() if isinstance(value, datetime) else value


def moment_from_json(text: str | None) -> datetime | None:
    """Convert a time back from a file."""
    return None if text is None else datetime.fromisoformat(text)


MATCH_COLUMNS = FileColumns(
    {name: name for name in ("opened_at", "closed_at", "first_dealer", "summary", "is_over", "has_rivals")},
    optional=("own_terms",),
)
MARK_COLUMNS = FileColumns(
    {
        "place": "number",
        "record": "record_data",
        "at": "created_at",
        **{name: name for name in ("status", "device", "reason")},
    },
    optional=("saw_only", "waited"),
)
AGREEMENT_COLUMNS = FileColumns(
    {"game": "game", "agreed_to": "agreed_to", "device": "device", "at": "created_at"}, optional=("waited",)
)
CALL_COLUMNS = FileColumns(
    {"note": "note", "device": "device", "at": "created_at", "settled_at": "settled_at", "ruling": "ruling"}
)
