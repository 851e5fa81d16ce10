"""Slots of the core's pages and services, which features fill in their own ``slots`` modules.

A slot adds values to what a page shows. Where no feature adds one, the template shows nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .models import Event

Fill = Callable[..., Mapping[str, Any]]


class Slot:
    """A place in a page: each function in it gets the same facts, and returns values for the template."""

    def __init__(self) -> None:
        self._fills: list[Fill] = []

    def fill(self, fill: Fill) -> Fill:
        """Add the decorated function."""
        self._fills.append(fill)
        return fill

    def collect_values(self, *facts: Any) -> dict[str, Any]:
        """Return the values of all functions for these facts."""
        return {name: value for fill in self._fills for name, value in fill(*facts).items()}


CLUB_PAGE = Slot()
"""The club's page with its nights. Facts: the club, and today."""
DESK = Slot()
"""The desk. Facts: the event, and now."""
CHECK_IN = Slot()
"""The check-in list. Facts: the event, and its entries."""
EFFECTS = Slot()
"""The effects of a change before it is made. Facts: the event."""
PUBLIC_STANDINGS = Slot()
"""Standings, or one rank in them, as everybody sees them. Facts: the event."""
PUBLIC_LIST = Slot()
"""The public page of all standings. Facts: the event, and its entries."""
REASONS = Slot()
"""The reasons for the rank of an entry. Facts: the event, its entries, and the entry's number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedPart:
    """A part of an event that its copies and night templates take over, as JSON."""

    read: Callable[[Event], Mapping[str, Any]]
    write: Callable[[Event, Mapping[str, Any]], None]


COPIED_PARTS: dict[str, CopiedPart] = {}
"""Parts that features add to the settings of a copied event, by their key there."""


def read_copied_parts(event: Event) -> dict[str, Mapping[str, Any]]:
    """Return the parts of the event that a copy takes over."""
    return {key: part.read(event) for key, part in COPIED_PARTS.items()}
