"""What an organizer lets everybody see of an event."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Results(StrEnum):
    """How much of what was played at a table."""

    HANDS = "hands"
    TOTALS = "totals"
    NOTHING = "nothing"


class RanksRelease(StrEnum):
    """When the standings are seen: as results come in, once they are published as final, or never."""

    LIVE = "live"
    FINAL = "final"
    NEVER = "never"


class Names(StrEnum):
    """How people are called: as each agreed, by first name and initial at most, or without a name."""

    AGREED = "agreed"
    SHORT = "short"
    NUMBERS = "numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """``is_public``: whether the event is there at all. ``entries`` is the list of who takes part, before the
    first draw; ``draw`` who plays whom at which table. From the round ``silent_from`` on, results are kept
    back until the final standings are published."""

    is_public: bool = True
    entries: bool = True
    draw: bool = True
    results: Results = Results.HANDS
    silent_from: int | None = None
    ranked: RanksRelease = RanksRelease.LIVE
    names: Names = Names.AGREED


USUAL = Release()
"""A club night: everything, at once."""


def release_to_json(release: Release) -> dict[str, Any]:
    """As JSON has it."""
    return asdict(release)


def release_from_json(plain: Mapping[str, Any]) -> Release:
    """The inverse of ``release_to_json``; what is not said is as usual."""
    read: dict[str, Any] = {
        name: _KINDS[name](value) if name in _KINDS else value for name, value in plain.items()
    }
    return Release(**read)


_KINDS: Mapping[str, type[StrEnum]] = {"results": Results, "ranked": RanksRelease, "names": Names}
