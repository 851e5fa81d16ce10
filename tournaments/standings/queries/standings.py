"""Counted results, and the standings as last computed."""

from datetime import datetime

from engine.draws import EntryId
from engine.ranking import WHOLE, Outcome
from engine.results import SCORE_GAINS, WON, EventSnapshot
from engine.standings import (
    ContradictionJson,
    EntryAdjustmentJson,
    StandingsJson,
    StandingsRowJson,
    build_count_key,
    list_manual_slots,
    standings_to_json,
)
from engine.visibility import Ranks
from tournaments.models import Event, Standings, Table
from tournaments.models.standings import parse_moment


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
