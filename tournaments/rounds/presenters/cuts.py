"""Where those who go on to a stage end, and only the lot, or the starting list, parts who is level there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.draws.stages import POOLS, block_before, stage_of_slot
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.models import Entry, Event, Round, Seating
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.standings.queries.standings import standings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Those who share a ``rank``: some are ``above`` the cut, the others ``below`` it. Where each
    ``pool`` is cut, those of one."""

    rank: int
    pool: str
    above: tuple[str, ...]
    below: tuple[str, ...]


def cuts_among_equals(event: Event, drawn: Round, entries: Sequence[Entry]) -> Iterator[Cut]:
    """Of the stages that begin with this draft, those in which not all who share the last rank have a place.
    No query where nobody goes on from an earlier stage; else one, and another where a stage begins."""
    members = _members_of_stages_that_choose(event, drawn)
    slots = _slots_of_entries(event) if members else []
    beginning = sorted(members.keys() - {stage_of_slot(slot) for _, slot in slots})
    if not beginning:
        return
    pools = _pools_before(event, beginning[0], slots)
    by_number = {entry.number: entry for entry in entries if entry.plays_in(drawn.number)}
    left = {by_number[row["entry"]]: row["rank"] for row in standings_of(event) if row["entry"] in by_number}
    named = entries_named_in_full(entries)
    for stage in beginning:
        is_by_pool = event.plan[stage].takes == "pool_top"
        for pool in sorted(set(pools.values())) if is_by_pool else [""]:
            here = {entry: rank for entry, rank in left.items() if not pool or pools.get(entry.pk) == pool}
            last = max((rank for entry, rank in here.items() if entry.pk in members[stage]), default=0)
            level = [entry for entry, rank in here.items() if rank == last]
            above = tuple(named(entry) for entry in level if entry.pk in members[stage])
            below = tuple(named(entry) for entry in level if entry.pk not in members[stage])
            if below:
                yield Cut(rank=last, pool=pool, above=above, below=below)
        left = {entry: rank for entry, rank in left.items() if entry.pk not in members[stage]}


def _members_of_stages_that_choose(event: Event, drawn: Round) -> dict[int, set[int]]:
    """By stage after the first that does not take everybody, whom the draft has in it, by id."""
    lineup = lineup_of(drawn)
    placed = [(table.slot, (*table.a, *table.b)) for table in lineup.tables]
    placed += [(bye.slot, (bye.entry,)) for bye in lineup.byes]
    members: dict[int, set[int]] = {}
    for slot, those in placed:
        stage = stage_of_slot(slot)
        if stage and event.plan[stage].takes != "all":
            members.setdefault(stage, set()).update(those)
    return members


def _slots_of_entries(event: Event) -> list[tuple[int, str]]:
    """Entries, by id, and the slots in which they were, earliest round first. One query."""
    seatings = Seating.objects.filter(round__event=event).order_by("round__number")
    return [
        (entry, table_slot or slot)
        for entry, table_slot, slot in seatings.values_list("entry_id", "table__slot", "slot")
    ]


def _pools_before(event: Event, stage: int, slots: Sequence[tuple[int, str]]) -> dict[int, str]:
    """The pool in which each entry, by id, came to a stage."""
    before = [index for index in block_before(event.plan, stage) if event.plan[index].format == POOLS]
    named = [(entry, stage_of_slot(slot), slot.partition(":")[2]) for entry, slot in slots]
    return {entry: pool for entry, index, pool in named if index in before and pool}
