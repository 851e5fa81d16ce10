"""What of an event's file is signed with its final standings, and what stands in it of that."""

from collections.abc import Mapping
from typing import Any

from engine.sums import sum_of

from .form import OF_A_COPY, Content
from .writing import sums_of

SINCE_THEN = frozenset({"state"})
SETTINGS_SINCE_THEN = frozenset({"release", "announcement", "cash"})
"""Of the event, what may become another after its standings are final, and says nothing of what was
played."""


def signed_sums(content: Mapping[str, Any]) -> dict[str, str]:
    """The sums of the parts that tell what was played, by whom and when; of the event, one for each of its
    parts (``event.held_on``), so that it can be told which is another one."""
    sums = sums_of({name: part for name, part in content.items() if name not in (*OF_A_COPY, "event")})
    event: Content = {name: part for name, part in content["event"].items() if name not in SINCE_THEN}
    settings = event.get("settings", {})
    event["settings"] = {name: part for name, part in settings.items() if name not in SETTINGS_SINCE_THEN}
    return sums | {f"event.{name}": sum_of(part) for name, part in event.items()}
