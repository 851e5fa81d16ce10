"""The next round of an event, between two rounds."""

from collections.abc import Collection
from dataclasses import dataclass

from engine.results import get_next_round, list_upcoming_slots
from engine.visibility import Results
from tournaments.models import Event
from tournaments.rounds.queries.event_snapshot import read_event_snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingRound:
    """The round to be drawn next; ``seats_entries`` if one of some given entries may be at its tables."""

    number: int
    seats_entries: bool


def find_upcoming_round(event: Event, last_round: int, entries: Collection[int]) -> UpcomingRound | None:
    """Return the round after ``last_round``, which is closed; None once everything is played. As long as the results
    are hidden, all entries may be at its tables. Four queries at most."""
    snapshot = read_event_snapshot(event)
    if last_round and not list_upcoming_slots(snapshot):
        return None
    is_hidden = last_round > 0 and event.visible.get_results(last_round) is Results.NOTHING
    seats_entries = is_hidden or not get_next_round(snapshot).entries.isdisjoint(entries)
    return UpcomingRound(number=last_round + 1, seats_entries=seats_entries)
