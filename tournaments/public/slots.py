"""Links to people’s own pages, in a slot of the core."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.models import Entry, Event
from tournaments.slots import REASONS

from .presenters.people import list_person_links


@REASONS.fill
def show_person_links(event: Event, entries: Sequence[Entry], number: int) -> Mapping[str, Any]:
    return {"people": list_person_links(event, entries, number)}
