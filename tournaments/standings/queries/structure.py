"""Structure of the matches of an event."""

from engine.charts import EventStructure, structure_of
from engine.standings import seated_of
from tournaments.models import Event
from tournaments.rounds.queries.event_snapshot import event_snapshot


def event_structure(event: Event) -> EventStructure:
    """Return the structure that places each table in its stage. No query; four at most if there is a
    bracket."""
    if not event.has_bracket:
        return EventStructure(plan=event.plan)
    return structure_of(*seated_of(event_snapshot(event)))
