"""The parts of an event that its organizer makes public."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from engine.json_values import read_value


class Results(StrEnum):
    """The public detail of the results at a table."""

    HANDS = "hands"
    TOTALS = "totals"
    NOTHING = "nothing"


class RanksRelease(StrEnum):
    """The time at which the standings are public: as results come in, once they are published as final, or
    never."""

    LIVE = "live"
    FINAL = "final"
    NEVER = "never"


class Names(StrEnum):
    """The public form of names: as each person agreed, by first name and initial at most, or without a
    name."""

    AGREED = "agreed"
    SHORT = "short"
    NUMBERS = "numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The public parts of an event. ``is_public``: whether the event is public at all. ``entries`` is the
    list of entries, before the first draw; ``draw`` the pairings and tables. From the round ``silent_from``
    on, results are hidden until the final standings are published."""

    is_public: bool = True
    entries: bool = True
    draw: bool = True
    results: Results = Results.HANDS
    silent_from: int | None = None
    ranked: RanksRelease = RanksRelease.LIVE
    names: Names = Names.AGREED


USUAL = Release()
"""The release of a club night: everything, at once."""


def release_to_json(release: Release) -> dict[str, Any]:
    """Return the release as JSON data."""
    return asdict(release)


def release_from_json(data: Mapping[str, Any]) -> Release:
    """Return the release from the output of ``release_to_json``; missing values are as usual."""
    release: Release = read_value(Release, data)
    return release
