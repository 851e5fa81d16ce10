"""Counted results, the structure of their matches, and the standings as last computed."""

from datetime import datetime

from engine.charts import EventStructure, build_structure
from engine.draws import EntryId
from engine.draws.stages import POOLS, get_slot_stage
from engine.ranking import WHOLE, Outcome
from engine.results import SCORE_GAINS, WON, EventSnapshot, has_pools
from engine.standings import (
    ContradictionJson,
    EntryAdjustmentJson,
    StandingsJson,
    StandingsRowJson,
    build_count_key,
    get_chart_input,
    list_manual_slots,
    standings_to_json,
)
from engine.visibility import Ranks
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Seating, Standings, Table
from tournaments.models.standings import parse_moment
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


def get_standings_rows(event: Event) -> list[StandingsRowJson]:
    """Return the rows as last computed, best first; empty before the first time. One query."""
    return Standings.objects.filter(event=event).values_list("rows", flat=True).first() or []


def map_wins(event: Event) -> dict[int, int]:
    """Return the wins of each entry by number, in hundredths of a percent, from the standings as last computed: a
    whole for a round that counts as won, half for a tied one, its share for one that counts an average. One query."""
    stored = Standings.objects.filter(event=event).values_list("rows", "counted").first()
    rows, counts = stored or ([], {})
    rounds = {row["entry"]: counts.get(build_count_key(row["entry"]), {}).get("rounds") for row in rows}
    return {
        row["entry"]: WHOLE * row["match_wins"]  # of an older program, which kept no rounds
        if (counted_rounds := rounds[row["entry"]]) is None
        else sum(
            counted_round.get("share", SCORE_GAINS[Outcome(counted_round["outcome"])] * WHOLE // WON)
            for counted_round in counted_rounds
        )
        for row in rows
    }


def get_computed_at(event: Event) -> datetime | None:
    """Return the time at which the standings were last computed. One query."""
    return Standings.objects.filter(event=event).values_list("computed_at", flat=True).first()


def get_publicly_changed_at(event: Event) -> datetime | None:
    """Return the time at which the public standings last changed; None if none are public. One query, or
    none."""
    ranks = event.visible.standings
    if ranks is Ranks.NOTHING:
        return None
    name = "before_silence__computed_at" if ranks is Ranks.BEFORE_SILENCE else "computed_at"
    return parse_moment(Standings.objects.filter(event=event).values_list(name, flat=True).first())


def list_contradictions(event: Event) -> list[ContradictionJson]:
    """List the places of the bracket that contradict the results, as last found. One query."""
    contradictions = Standings.objects.filter(event=event).values_list("contradictions", flat=True).first()
    return contradictions or []


def compute_event_standings(event: Event, snapshot: EventSnapshot, *, last_round: int | None = None) -> StandingsJson:
    """Compute the standings from the event's snapshot with ``standings_to_json``, up to a round. Two
    queries."""
    snapshot = snapshot if last_round is None else snapshot.truncate(last_round)
    adjustments = [
        EntryAdjustmentJson(
            entry=number,
            metric=adjustment.metric,
            amount=adjustment.amount,
            round=adjustment.round,
            reason=adjustment.reason,
        )
        for adjustment in event.adjustments.all()
        if (number := snapshot.numbers.get(EntryId(adjustment.entry_id)))
        and (last_round is None or (adjustment.round or 0) <= last_round)
    ]
    return standings_to_json(snapshot, adjustments, manual_slots=find_manual_slots(event))


def find_manual_slots(event: Event) -> set[str]:
    """Return the bracket slots of the tables that the director set. One query."""
    tables = Table.objects.filter(round__event=event).exclude(slot="").values_list("slot", "reasons")
    return list_manual_slots(tables)
