"""Moments as a file has them."""

from datetime import datetime


def moment_to_json(moment: datetime | None) -> str | None:
    """With its zone, as ISO 8601 writes it."""
    return None if moment is None else moment.isoformat()
