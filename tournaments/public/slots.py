"""Links to people’s own pages, in a slot of the core."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.models import Entry, Event
from tournaments.slots import REASONS

from .presenters.people import people_with_pages


@REASONS.fill
def people_of_entry(event: Event, entries: Sequence[Entry], number: int) -> Mapping[str, Any]:
    return {"people": people_with_pages(event, entries, number)}
