"""Where those who go on to a stage end, and only the lot parts who is level there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.draws.stages import stage_of_slot
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.models import Entry, Event, Round, Table
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.standings.queries.standings import standings_of

BY_RANK = {"top", "ranked"}
"""Stages that take who is ahead of all; of others, a pool or the whole field decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LotCut:
    """Those who share a ``rank``: by lot some are ``above`` the cut, the others ``below`` it."""

    rank: int
    above: tuple[str, ...]
    below: tuple[str, ...]


def lot_cuts(event: Event, drawn: Round, entries: Sequence[Entry]) -> Iterator[LotCut]:
    """Of the stages that begin with this draft, those in which not all who share the last rank have a place.
    No query where nobody goes on from an earlier stage, else two."""
    beginning = _members_of_beginning_stages(event, drawn)
    if not beginning:
        return
    by_number = {entry.number: entry for entry in entries if entry.plays_in(drawn.number)}
    ranks = {by_number[row["entry"]]: row["rank"] for row in standings_of(event) if row["entry"] in by_number}
    named = entries_named_in_full(entries)
    left = dict(ranks)
    for _, members in sorted(beginning.items()):
        inside = {entry: rank for entry, rank in left.items() if entry.pk in members}
        left = {entry: rank for entry, rank in left.items() if entry.pk not in members}
        last = max(inside.values(), default=0)
        if min(left.values(), default=0) == last:
            yield LotCut(
                rank=last,
                above=tuple(named(entry) for entry, rank in inside.items() if rank == last),
                below=tuple(named(entry) for entry, rank in left.items() if rank == last),
            )


def _members_of_beginning_stages(event: Event, drawn: Round) -> dict[int, set[int]]:
    """By stage that takes who is ahead of all and begins with the draft, whom the draft has in it, by id."""
    plan, lineup = event.plan, lineup_of(drawn)
    placed = [(table.slot, (*table.a, *table.b)) for table in lineup.tables]
    placed += [(bye.slot, (bye.entry,)) for bye in lineup.byes]
    members: dict[int, set[int]] = {}
    for slot, those in placed:
        if plan[stage_of_slot(slot)].takes in BY_RANK:
            members.setdefault(stage_of_slot(slot), set()).update(those)
    if not members:
        return members
    slots = Table.objects.filter(round__event=event).values_list("slot", flat=True).distinct()
    begun = {stage_of_slot(slot) for slot in slots}
    return {stage: those for stage, those in members.items() if stage and stage not in begun}
