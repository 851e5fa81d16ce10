"""The charts of an event and the contradictions of its corrections, stage by stage, as the draws see them."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.stages import (
    POOLS,
    StagePlan,
    blocks,
    entrants_of_stage,
    inputs_of_round,
    pools_in,
    stage_of,
)

from .brackets import bracket_chart
from .contradictions import Contradiction, contradictions
from .cross_tables import TABLES
from .values import CrossTable, MeetingResult, StageChart


def charts_of(
    plan: StagePlan,
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    standings: Sequence[Sequence[EntryId]] = (),
    *,
    open_rounds: Collection[int] = (),
) -> tuple[StageChart, ...]:
    """Return the chart of each stage that has a table or a bye in ``history``.

    ``standings`` hold, for each stage that is over, all entries best first when it ended; for a stage that is
    not, the order of ``entrants`` counts. A match without a winner is still to play in ``open_rounds``.
    """
    order = [entrant.id for entrant in entrants]
    charts = []
    for index, stage in enumerate(plan):
        seen = _stage_input(plan, index, entrants, history, standings)
        if seen is None:
            continue
        own, before = seen
        tables = TABLES.get(stage.format)
        ranked = _final_order(plan, index, standings) or order
        going_on = _going_on(plan, index, own, ranked, history) if stage.format == POOLS else ()
        charts.append(
            StageChart(
                stage=index,
                format=stage.format,
                bracket=bracket_chart(
                    stage.format, stage.settings, own.entrants, own.history, rounds_before=before
                ),
                tables=tuple(
                    _mark_qualified(table, going_on)
                    for table in tables(
                        stage.settings,
                        own.entrants,
                        own.history,
                        ranked,
                        open_rounds=open_rounds,
                        rounds_before=before,
                    )
                )
                if tables is not None
                else (),
            )
        )
    return tuple(charts)


def contradictions_of(
    plan: StagePlan,
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    standings: Sequence[Sequence[EntryId]] = (),
    *,
    by_hand: Collection[str] = (),
) -> tuple[Contradiction, ...]:
    """Return the bracket slots, in all stages, whose entries differ from those that the results bring there.
    Rounds and slots are those of the event.

    ``history`` has the results as corrected, and the tables of published rounds. ``standings`` are those
    after which the stages were drawn: qualification for a stage is not checked again.
    """
    found: list[Contradiction] = []
    for index, stage in enumerate(plan):
        if (seen := _stage_input(plan, index, entrants, history, standings)) is None:
            continue
        own, before = seen
        name = f"{index + 1}:"
        own_by_hand = {slot.removeprefix(name) for slot in by_hand if slot.startswith(name)}
        found += (
            replace(each, round=each.round + before, slot=name + each.slot)
            for each in contradictions(
                stage.format, stage.settings, own.entrants, own.history, by_hand=own_by_hand
            )
        )
    return tuple(found)


def _going_on(
    plan: StagePlan, stage: int, own: DrawInput, ranked: Sequence[EntryId], history: Sequence[PlayedPairing]
) -> tuple[EntryId, ...]:
    """Return the entries of its pools that would qualify for the next stage now; empty if there is none."""
    following = next(block for block in blocks(plan) if stage in block).stop
    if following >= len(plan):
        return ()
    left = {entrant.id for entrant in own.entrants if entrant.has_left(own.round + 1)}
    here = [entry for entry in ranked if entry not in left]
    return entrants_of_stage(plan, following, here, pools_in(history, stage))


def _mark_qualified(table: CrossTable, going_on: Collection[EntryId]) -> CrossTable:
    """Mark the qualified entries of a pool; none before its first match, while the order is still that of the
    draw."""
    results = {meeting.result for row in table.rows for cell in row.cells for meeting in cell.meetings}
    if results <= {MeetingResult.TO_PLAY}:
        return table
    return replace(table, rows=tuple(replace(row, goes_on=row.entry in going_on) for row in table.rows))


def _stage_input(
    plan: StagePlan,
    stage: int,
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    standings: Sequence[Sequence[EntryId]],
) -> tuple[DrawInput, int] | None:
    """Return the input of the latest round of a stage, and the rounds before its first; None if it has not
    begun."""
    last = max((table.round for table in history if stage_of(table) == stage), default=0)
    so_far = DrawInput(
        round=max(1, last),
        entrants=tuple(entrants),
        history=tuple(table for table in history if table.round <= last),
    )
    inputs = inputs_of_round(plan, so_far, standings) if last else ()
    return next(((own, here.rounds_before) for here, own in inputs if here.stage == stage), None)


def _final_order(plan: StagePlan, stage: int, standings: Sequence[Sequence[EntryId]]) -> Sequence[EntryId]:
    """Return the final order of this stage, best first; empty while it is not over."""
    last = next(block for block in blocks(plan) if stage in block)[-1]
    return standings[last] if last < len(standings) else ()
