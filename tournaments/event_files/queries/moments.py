"""Times in an event file."""

from datetime import datetime


def moment_to_json(moment: datetime | None) -> str | None:
    """Convert a time to ISO 8601, with its time zone."""
    return None if moment is None else moment.isoformat()
