"""Counted results, and the standings as last computed."""

from datetime import datetime

from engine.draws import EntryId
from engine.ranking import Outcome
from engine.results import GAINED, EventSnapshot
from engine.standings import (
    GivenAdjustment,
    PlainContradiction,
    PlainRow,
    PlainStandings,
    count_key,
    slots_by_hand,
    standings_to_json,
)
from engine.visibility import Ranks
from tournaments.models import Event, Standings, Table
from tournaments.models.standings import moment_of


def standings_of(event: Event) -> list[PlainRow]:
    """Return the rows as last computed, best first; empty before the first time. One query."""
    return Standings.objects.filter(event=event).values_list("rows", flat=True).first() or []


def half_wins_of(event: Event) -> dict[int, int]:
    """Return the half wins of each entry by number, from the standings as last computed. The draw uses them:
    two for a round that counts as won, one for a tied one. One query."""
    kept = Standings.objects.filter(event=event).values_list("rows", "counted").first()
    rows, counted = kept or ([], {})
    rounds = {row["entry"]: counted.get(count_key(row["entry"]), {}).get("rounds") for row in rows}
    return {
        row["entry"]: 2 * row["match_wins"]  # of an older program, which kept no rounds
        if (those := rounds[row["entry"]]) is None
        else sum(GAINED[Outcome(each["outcome"])] for each in those)
        for row in rows
    }


def standings_computed_at(event: Event) -> datetime | None:
    """Return the time at which the standings were last computed. One query."""
    return Standings.objects.filter(event=event).values_list("computed_at", flat=True).first()


def standings_seen_at(event: Event) -> datetime | None:
    """Return the time at which the public standings last changed; None if none are public. One query, or
    none."""
    ranks = event.visible.standings
    if ranks is Ranks.NOTHING:
        return None
    name = "before_silence__computed_at" if ranks is Ranks.BEFORE_SILENCE else "computed_at"
    return moment_of(Standings.objects.filter(event=event).values_list(name, flat=True).first())


def contradictions_of(event: Event) -> list[PlainContradiction]:
    """List the places of the bracket that contradict the results, as last found. One query."""
    found = Standings.objects.filter(event=event).values_list("contradictions", flat=True).first()
    return found or []


def standings_now(event: Event, known: EventSnapshot, *, until: int | None = None) -> PlainStandings:
    """Compute the standings from the event's snapshot with ``standings_to_json``, up to a round. Two
    queries."""
    known = known if until is None else known.until(until)
    adjustments = [
        GivenAdjustment(
            entry=number, metric=given.metric, amount=given.amount, round=given.round, reason=given.reason
        )
        for given in event.adjustments.all()
        if (number := known.numbers.get(EntryId(given.entry_id)))
        and (until is None or (given.round or 0) <= until)
    ]
    return standings_to_json(known, adjustments, by_hand=slots_set_by_hand(event))


def slots_set_by_hand(event: Event) -> set[str]:
    """Return the bracket slots of the tables that the director set. One query."""
    tables = Table.objects.filter(round__event=event).exclude(slot="").values_list("slot", "reasons")
    return slots_by_hand(tables)
