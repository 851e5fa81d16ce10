"""A play-off between the entries that share first place once everything else is played."""

from dataclasses import replace

from engine.draws import FORMATS, EntryId
from engine.draws.stages import Stage, StagePlan, has_an_end
from engine.ranking import rank_field
from errors import Refusal

from .played_rounds import list_first_rounds
from .ranking_field import build_counted_field, filter_arrived
from .round_draw import list_upcoming_slots
from .values import EventSnapshot, before_play_off


def find_tied_leaders(snapshot: EventSnapshot) -> tuple[EntryId, ...]:
    """Return the entries that a play-off would decide between: those still there of several that share first
    place. None before a round was played, while rounds of the plan are left, and where people, clubs or
    sections are ranked.
    """
    plan, last = snapshot.basis.plan, max((sat.round for sat in snapshot.tables), default=0)
    first = FORMATS[plan[0].format]
    is_over = not all(map(has_an_end, plan)) or not list_upcoming_slots(snapshot)
    if not last or not is_over or plan[-1].is_play_off or snapshot.basis.sections:
        return ()
    if first.draws_partners or any(FORMATS[stage.format].is_interclub for stage in plan):
        return ()
    field = filter_arrived(snapshot, build_counted_field(snapshot))
    order = before_play_off(field.rules.order)
    orders = {entry: before_play_off(own_order) for entry, own_order in field.orders.items()}
    if not all((order, *orders.values())):
        return ()
    rows = rank_field(replace(field, rules=replace(field.rules, order=order), orders=orders))
    gone = {entrant.id for entrant in snapshot.entrants if entrant.has_left(last + 1)}
    tied = tuple(row.entry for row in rows if row.rank == 1 and row.entry not in gone)
    return tied if len(tied) > 1 else ()


def add_play_off(snapshot: EventSnapshot) -> StagePlan:
    """Return the plan with a play-off of those tied now, in place of one that was only drafted. Stages without a
    number of rounds end with those that they have had.

    Refuses: nobody_tied_for_first.
    """
    plan = snapshot.basis.plan
    began = list_first_rounds(plan, ((sat.round, sat.slot) for sat in snapshot.tables))
    if plan[-1].is_play_off and began[-1]:
        return plan
    if not (tied := find_tied_leaders(snapshot.without_play_off)):
        raise Refusal("nobody_tied_for_first", field="is_play_off")
    rounds = max(sat.round for sat in snapshot.tables) + 1 - max(1, *filter(None, began))
    ended = (
        stage if has_an_end(stage) else replace(stage, rounds=rounds) for stage in snapshot.without_play_off.basis.plan
    )
    return (*ended, Stage(format="knockout", takes="tied", count=len(tied)))


def renew_play_off(snapshot: EventSnapshot) -> EventSnapshot:
    """Return the snapshot with the play-off that its results call for, or none; unchanged if it has none."""
    if not snapshot.basis.plan[-1].is_play_off:
        return snapshot
    try:
        return replace(snapshot, basis=replace(snapshot.basis, plan=add_play_off(snapshot)))
    except Refusal:
        return snapshot.without_play_off
