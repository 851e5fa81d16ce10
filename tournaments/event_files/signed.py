"""The signed parts of an event file."""

from collections.abc import Mapping
from typing import Any

from engine.sums import digest_of

from .form import OF_A_COPY, Content
from .writer import digests_of

SINCE_THEN = frozenset({"state"})
SETTINGS_SINCE_THEN = frozenset({"release", "announcement", "cash"})
"""Settings that may change after the standings are final, and do not affect what was played."""


def signed_sums(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the sums of the parts that tell what was played, by whom and when. The event has a sum for each
    of its parts (``event.held_on``), so that a changed one can be named."""
    sums = digests_of({name: part for name, part in content.items() if name not in (*OF_A_COPY, "event")})
    event: Content = {name: part for name, part in content["event"].items() if name not in SINCE_THEN}
    settings = event.get("settings", {})
    event["settings"] = {name: part for name, part in settings.items() if name not in SETTINGS_SINCE_THEN}
    return sums | {f"event.{name}": digest_of(part) for name, part in event.items()}
