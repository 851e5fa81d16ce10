"""Matches of a bracket that can be called while other tables of the round still play."""

from dataclasses import dataclass, replace

from engine.draws.stages import is_bracket_slot
from engine.results import EventSnapshot, list_upcoming_slots
from tournaments.models import Event, Round
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.queries.rounds import lineup_of, list_missing_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyMatches:
    """The ``slots`` of the matches whose two sides are known; ``snapshot`` is the event as if the round were
    over, with the unfinished tables held."""

    slots: tuple[str, ...]
    snapshot: EventSnapshot


def find_ready_matches(event: Event, current_round: Round) -> ReadyMatches | None:
    """Return the matches that can follow the finished tables of an open round. None where it is not of a
    bracket alone, or no table is finished. Seven queries; none without a bracket."""
    if not event.has_bracket:
        return None
    lineup, missing = lineup_of(current_round), list_missing_tables(current_round)
    is_of_bracket = all(is_bracket_slot(event.plan, table.slot) for table in lineup.tables)
    if not is_of_bracket or len(missing) == len(lineup.tables):
        return None
    snapshot = read_event_snapshot(event, locked_tables=lineup.lock_tables(missing))
    going_on = {table.slot for table in lineup.tables if table.number in missing}
    over = [table for table in snapshot.tables if table.round < current_round.number or table.table not in missing]
    snapshot = replace(snapshot, tables=tuple(over))
    slots = list_upcoming_slots(snapshot) - going_on
    return ReadyMatches(slots=tuple(sorted(slots)), snapshot=snapshot)
