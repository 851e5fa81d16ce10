"""Ties at the cut to a stage that only the lot, or the starting list, can break."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.draws.stages import POOLS, block_before, stage_of_slot
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.models import Entry, Event, Round, Seating, Table
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.standings.queries.standings import standings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Entries tied at the cut: some ``above`` it, the others ``below``. They share a ``rank``, within one
    ``pool`` if pools are cut separately."""

    rank: int
    pool: str
    above: tuple[str, ...]
    below: tuple[str, ...]


def cuts_among_equals(event: Event, drawn: Round, entries: Sequence[Entry]) -> Iterator[Cut]:
    """Yield the ties at the cut to each stage that begins with this draft. In a tie, not all of the last rank
    have a place.

    No query where nobody goes on from an earlier stage; else one, another where a stage begins, and a third
    where the best of each pool qualify.
    """
    members = _members_of_beginning_stages(event, drawn)
    if not members:
        return
    takes = {stage: event.plan[stage].takes for stage in members}
    pools = _pools_before(event, min(members)) if "pool_top" in takes.values() else {}
    by_number = {entry.number: entry for entry in entries if entry.plays_in(drawn.number)}
    left = {by_number[row["entry"]]: row["rank"] for row in standings_of(event) if row["entry"] in by_number}
    named = entries_named_in_full(entries)
    for stage in sorted(members):
        for pool in sorted(set(pools.values())) if takes[stage] == "pool_top" else [""]:
            here = {entry: rank for entry, rank in left.items() if not pool or pools.get(entry.pk) == pool}
            last = max((rank for entry, rank in here.items() if entry.pk in members[stage]), default=0)
            level = [entry for entry, rank in here.items() if rank == last]
            above = tuple(named(entry) for entry in level if entry.pk in members[stage])
            below = tuple(named(entry) for entry in level if entry.pk not in members[stage])
            if below:
                yield Cut(rank=last, pool=pool, above=above, below=below)
        left = {entry: rank for entry, rank in left.items() if entry.pk not in members[stage]}


def _members_of_beginning_stages(event: Event, drawn: Round) -> dict[int, set[int]]:
    """Return the entries that the draft has in each beginning stage that does not take everybody, by id."""
    lineup = lineup_of(drawn)
    placed = [(table.slot, (*table.a, *table.b)) for table in lineup.tables]
    placed += [(bye.slot, (bye.entry,)) for bye in lineup.byes]
    members: dict[int, set[int]] = {}
    for slot, those in placed:
        stage = stage_of_slot(slot)
        if stage and event.plan[stage].takes != "all":
            members.setdefault(stage, set()).update(those)
    if not members:
        return members
    slots = Table.objects.filter(round__event=event).values_list("slot", flat=True).distinct()
    begun = {stage_of_slot(slot) for slot in slots}
    return {stage: those for stage, those in members.items() if stage not in begun}


def _pools_before(event: Event, stage: int) -> dict[int, str]:
    """Return the pool from which each entry, by id, came to a stage. One query."""
    pools: dict[int, str] = {}
    seated = Seating.objects.filter(round__event=event, table__isnull=False).order_by("round__number")
    before = {index for index in block_before(event.plan, stage) if event.plan[index].format == POOLS}
    for entry, slot in seated.values_list("entry_id", "table__slot"):
        if stage_of_slot(slot) in before:
            pools[entry] = slot.partition(":")[2]
    return pools
