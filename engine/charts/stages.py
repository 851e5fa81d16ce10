"""The charts of an event and the contradictions of its corrections, stage by stage, as the draws see them."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.stages import (
    POOLS,
    StagePlan,
    build_round_inputs,
    get_pools_by_entry,
    get_stage,
    list_blocks,
    list_stage_entrants,
)

from .brackets import build_bracket_chart
from .contradictions import Contradiction, find_contradictions
from .cross_tables import TABLES
from .values import CrossTable, MeetingResult, StageChart


def build_charts(
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
        found = _build_stage_input(plan, index, entrants, history, standings)
        if found is None:
            continue
        stage_input, round_offset = found
        tables = TABLES.get(stage.format)
        ranking = _get_final_order(plan, index, standings) or order
        qualifiers = _find_qualifiers(plan, index, stage_input, ranking, history) if stage.format == POOLS else ()
        charts.append(
            StageChart(
                stage=index,
                format=stage.format,
                bracket=build_bracket_chart(
                    stage.format, stage.settings, stage_input.entrants, stage_input.history, round_offset=round_offset
                ),
                tables=tuple(
                    _mark_qualified(table, qualifiers)
                    for table in tables(
                        stage.settings,
                        stage_input.entrants,
                        stage_input.history,
                        ranking,
                        open_rounds=open_rounds,
                        round_offset=round_offset,
                    )
                )
                if tables is not None
                else (),
            )
        )
    return tuple(charts)


def find_event_contradictions(
    plan: StagePlan,
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    standings: Sequence[Sequence[EntryId]] = (),
    *,
    manual_slots: Collection[str] = (),
) -> tuple[Contradiction, ...]:
    """Return the bracket slots, in all stages, whose entries differ from those that the results bring there.
    Rounds and slots are those of the event.

    ``history`` has the results as corrected, and the tables of published rounds. ``standings`` are those
    after which the stages were drawn: qualification for a stage is not checked again.
    """
    found: list[Contradiction] = []
    for index, stage in enumerate(plan):
        if (found_input := _build_stage_input(plan, index, entrants, history, standings)) is None:
            continue
        stage_input, round_offset = found_input
        name = f"{index + 1}:"
        stage_manual_slots = {slot.removeprefix(name) for slot in manual_slots if slot.startswith(name)}
        found += (
            replace(each, round=each.round + round_offset, slot=name + each.slot)
            for each in find_contradictions(
                stage.format, stage.settings, stage_input.entrants, stage_input.history, manual_slots=stage_manual_slots
            )
        )
    return tuple(found)


def _find_qualifiers(
    plan: StagePlan, stage: int, stage_input: DrawInput, ranking: Sequence[EntryId], history: Sequence[PlayedPairing]
) -> tuple[EntryId, ...]:
    """Return the entries of its pools that would qualify for the next stage now; empty if there is none."""
    next_stage = next(block for block in list_blocks(plan) if stage in block).stop
    if next_stage >= len(plan):
        return ()
    departed = {entrant.id for entrant in stage_input.entrants if not entrant.takes_part(stage_input.round + 1)}
    remaining = [entry for entry in ranking if entry not in departed]
    return list_stage_entrants(plan, next_stage, remaining, get_pools_by_entry(history, stage))


def _mark_qualified(table: CrossTable, qualifiers: Collection[EntryId]) -> CrossTable:
    """Mark the qualified entries of a pool; none before its first match, while the order is still that of the
    draw."""
    results = {meeting.result for row in table.rows for cell in row.cells for meeting in cell.meetings}
    if results <= {MeetingResult.PENDING}:
        return table
    return replace(table, rows=tuple(replace(row, goes_on=row.entry in qualifiers) for row in table.rows))


def _build_stage_input(
    plan: StagePlan,
    stage: int,
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    standings: Sequence[Sequence[EntryId]],
) -> tuple[DrawInput, int] | None:
    """Return the input of the latest round of a stage, and the rounds before its first; None if it has not
    begun."""
    last = max((table.round for table in history if get_stage(table) == stage), default=0)
    current_input = DrawInput(
        round=max(1, last),
        entrants=tuple(entrants),
        history=tuple(table for table in history if table.round <= last),
    )
    inputs = build_round_inputs(plan, current_input, standings) if last else ()
    return next(
        ((stage_input, stage_round.round_offset) for stage_round, stage_input in inputs if stage_round.stage == stage),
        None,
    )


def _get_final_order(plan: StagePlan, stage: int, standings: Sequence[Sequence[EntryId]]) -> Sequence[EntryId]:
    """Return the final order of this stage, best first; empty while it is not over."""
    last = next(block for block in list_blocks(plan) if stage in block)[-1]
    return standings[last] if last < len(standings) else ()
