"""Targets: the opponent that an entry should meet within its score group, and the distance of others from
that.

Places count from 0 within a group of ``size``. A distance is 0 for the target opponent; between groups, the
last of the upper one should meet the first of the lower one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class Target(Protocol):
    """A way to pair a score group within itself."""

    def compute_distance(self, place: int, other: int, size: int) -> int:
        """Return how far these two, ``place`` before ``other``, are from the target."""

    def get_places_within(self, place: int, size: int, reach: int) -> tuple[range, ...]:
        """Return the places at most ``reach`` from the target of this place, some perhaps beyond the
        group."""


@dataclass(frozen=True, slots=True)
class Slide:
    """The upper half against the lower half, in order: 1 v 5, 2 v 6, 3 v 7, 4 v 8."""

    def compute_distance(self, place: int, other: int, size: int) -> int:
        return abs(2 * (other - place) - size)

    def get_places_within(self, place: int, size: int, reach: int) -> tuple[range, ...]:
        near, far = max(1, -((reach - size) // 2)), (size + reach) // 2
        return range(place - far, place - near + 1), range(place + near, place + far + 1)


@dataclass(frozen=True, slots=True)
class Fold:
    """The first against the last: 1 v 8, 2 v 7, 3 v 6, 4 v 5."""

    def compute_distance(self, place: int, other: int, size: int) -> int:
        return abs(place + other - (size - 1))

    def get_places_within(self, place: int, size: int, reach: int) -> tuple[range, ...]:
        opposite = size - 1 - place
        return (range(opposite - reach, opposite + reach + 1),)


@dataclass(frozen=True, slots=True)
class Adjacent:
    """Neighbours: 1 v 2, 3 v 4, 5 v 6, 7 v 8."""

    def compute_distance(self, place: int, other: int, size: int) -> int:
        return other - place - 1

    def get_places_within(self, place: int, size: int, reach: int) -> tuple[range, ...]:
        return range(place - 1 - reach, place), range(place + 1, place + 2 + reach)


RANDOM_TARGET = "lot"
"""Neighbours, in a field whose order was made by lot."""

TARGETS: Mapping[str, Target] = {
    "slide": Slide(),
    "fold": Fold(),
    "adjacent": Adjacent(),
    RANDOM_TARGET: Adjacent(),
}
