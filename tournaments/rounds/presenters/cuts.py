"""Ties at the cut to a stage that only the lot, or the starting list, can break."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.draws.stages import POOLS, get_previous_block, get_slot_stage
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.models import Entry, Event, Round, Seating, Table
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.standings.queries.standings import get_standings_rows


def find_tied_cuts(event: Event, round_row: Round, entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Yield the ties at the cut to each stage that begins with this draft: entries of one ``rank``, some ``above`` it,
    the others ``below``, within one ``pool`` if pools are cut separately.

    No query where nobody goes on from an earlier stage; else one, another where a stage begins, and a third
    where the best of each pool qualify.
    """
    members = _map_new_stage_members(event, round_row)
    if not members:
        return
    takes = {stage: event.plan[stage].takes for stage in members}
    pools = _map_earlier_pools(event, min(members)) if "pool_top" in takes.values() else {}
    entries_by_number = {entry.number: entry for entry in entries if entry.plays_in(round_row.number)}
    remaining_ranks = {
        entries_by_number[row["entry"]]: row["rank"]
        for row in get_standings_rows(event)
        if row["entry"] in entries_by_number
    }
    format_entry = build_full_entry_formatter(entries)
    for stage in sorted(members):
        for pool in sorted(set(pools.values())) if takes[stage] == "pool_top" else [""]:
            pool_ranks = {
                entry: rank for entry, rank in remaining_ranks.items() if not pool or pools.get(entry.pk) == pool
            }
            last_rank = max((rank for entry, rank in pool_ranks.items() if entry.pk in members[stage]), default=0)
            tied = [entry for entry, rank in pool_ranks.items() if rank == last_rank]
            above = [format_entry(entry) for entry in tied if entry.pk in members[stage]]
            below = [format_entry(entry) for entry in tied if entry.pk not in members[stage]]
            if below:
                yield {"rank": last_rank, "pool": pool, "above": above, "below": below}
        remaining_ranks = {entry: rank for entry, rank in remaining_ranks.items() if entry.pk not in members[stage]}


def _map_new_stage_members(event: Event, round_row: Round) -> dict[int, set[int]]:
    """Return the entries that the draft has in each beginning stage that does not take everybody, by id."""
    lineup = lineup_of(round_row)
    placements = [(table.slot, (*table.a, *table.b)) for table in lineup.tables]
    placements += [(bye.slot, (bye.entry,)) for bye in lineup.byes]
    members: dict[int, set[int]] = {}
    for slot, entries in placements:
        stage = get_slot_stage(slot)
        if stage and event.plan[stage].takes != "all":
            members.setdefault(stage, set()).update(entries)
    if not members:
        return members
    slots = Table.objects.filter(round__event=event).values_list("slot", flat=True).distinct()
    begun_stages = {get_slot_stage(slot) for slot in slots}
    return {stage: entries for stage, entries in members.items() if stage not in begun_stages}


def _map_earlier_pools(event: Event, stage: int) -> dict[int, str]:
    """Return the pool from which each entry, by id, came to a stage. One query."""
    pools: dict[int, str] = {}
    seatings = Seating.objects.filter(round__event=event, table__isnull=False).order_by("round__number")
    earlier_stages = {index for index in get_previous_block(event.plan, stage) if event.plan[index].format == POOLS}
    for entry, slot in seatings.values_list("entry_id", "table__slot"):
        if get_slot_stage(slot) in earlier_stages:
            pools[entry] = slot.partition(":")[2]
    return pools
