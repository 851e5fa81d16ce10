"""Structure of the matches of an event."""

from engine.charts import EventStructure, build_structure
from engine.draws.stages import POOLS, get_slot_stage
from engine.results import has_pools
from engine.standings import get_chart_input
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Seating
from tournaments.rounds.queries.event_snapshot import read_event_snapshot


def build_event_structure(event: Event) -> EventStructure:
    """Return the structure that places each table in its stage. No query; four at most if there is a
    bracket."""
    if not event.has_bracket:
        return EventStructure(plan=event.plan)
    return build_structure(*get_chart_input(read_event_snapshot(event)))


def map_pools(event: Event) -> dict[int, str]:
    """Return the pool of each entry, by number, whose last published round was in a pool. One query, or
    none."""
    if not has_pools(event.plan):
        return {}
    seatings = Seating.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    seats = seatings.order_by("round__number").values_list("entry__number", "table__slot", "slot")
    slots = {number: table_slot or slot for number, table_slot, slot in seats}
    plan = event.plan
    return {
        number: slot.partition(":")[2] for number, slot in slots.items() if plan[get_slot_stage(slot)].format == POOLS
    }
