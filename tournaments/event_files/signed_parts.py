"""The signed parts of an event file."""

from collections.abc import Mapping
from typing import Any

from engine.checksums import compute_digest

from .schema import COPY_SPECIFIC_PARTS, Content
from .writer import compute_part_digests

UNSIGNED_FIELDS = frozenset({"state"})
UNSIGNED_SETTINGS = frozenset({"release", "announcement", "cash"})
"""Settings that may change after the standings are final, and do not affect what was played."""


def compute_signed_sums(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the sums of the parts that tell what was played, by whom and when. The event has a sum for each
    of its parts (``event.held_on``), so that a changed one can be named."""
    sums = compute_part_digests(
        {name: part for name, part in content.items() if name not in (*COPY_SPECIFIC_PARTS, "event")}
    )
    event: Content = {name: part for name, part in content["event"].items() if name not in UNSIGNED_FIELDS}
    settings = event.get("settings", {})
    event["settings"] = {name: part for name, part in settings.items() if name not in UNSIGNED_SETTINGS}
    return sums | {f"event.{name}": compute_digest(part) for name, part in event.items()}
