"""The charts of an event, and what its corrections contradict: each stage by itself, as its draws see it."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from tournaments.draws import DrawInput, Entrant, EntryId, Played
from tournaments.draws.stages import StagePlan, blocks, inputs_of_round, stage_of

from .brackets import bracket_chart
from .contradictions import Contradiction, contradictions
from .cross_tables import TABLES
from .values import StageChart


def charts_of(
    plan: StagePlan,
    entrants: Sequence[Entrant],
    history: Sequence[Played],
    standings: Sequence[Sequence[EntryId]] = (),
    *,
    open_rounds: Collection[int] = (),
) -> tuple[StageChart, ...]:
    """What there is to see of each stage of which a table, or a bye, is in ``history``.

    ``standings`` hold, for each stage that is over, everybody best first when it ended; for a stage that is
    not, the order of ``entrants`` counts. A match without a winner is still to play in ``open_rounds``.
    """
    order = [entrant.id for entrant in entrants]
    charts = []
    for index, stage in enumerate(plan):
        seen = _seen(plan, index, entrants, history, standings)
        if seen is None:
            continue
        own, before = seen
        tables = TABLES.get(stage.format)
        charts.append(
            StageChart(
                stage=index,
                format=stage.format,
                bracket=bracket_chart(
                    stage.format, stage.settings, own.entrants, own.history, rounds_before=before
                ),
                tables=tables(
                    stage.settings,
                    own.entrants,
                    own.history,
                    _standing(plan, index, standings) or order,
                    open_rounds=open_rounds,
                    rounds_before=before,
                )
                if tables is not None
                else (),
            )
        )
    return tuple(charts)


def contradictions_of(
    plan: StagePlan,
    entrants: Sequence[Entrant],
    history: Sequence[Played],
    standings: Sequence[Sequence[EntryId]] = (),
    *,
    by_hand: Collection[str] = (),
) -> tuple[Contradiction, ...]:
    """Where a bracket of any stage has somebody whom its results do not bring there, in rounds and slots of
    the event.

    ``history`` has the results as corrected, and the tables of published rounds. ``standings`` are those
    after which the stages were drawn: who should have gone on to a stage is not asked.
    """
    found: list[Contradiction] = []
    for index, stage in enumerate(plan):
        if (seen := _seen(plan, index, entrants, history, standings)) is None:
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


def _seen(
    plan: StagePlan,
    stage: int,
    entrants: Sequence[Entrant],
    history: Sequence[Played],
    standings: Sequence[Sequence[EntryId]],
) -> tuple[DrawInput, int] | None:
    """Its latest round as a stage sees it, and the rounds before its first; None if it has not begun."""
    last = max((table.round for table in history if stage_of(table) == stage), default=0)
    so_far = DrawInput(
        round=max(1, last),
        entrants=tuple(entrants),
        history=tuple(table for table in history if table.round <= last),
    )
    inputs = inputs_of_round(plan, so_far, standings) if last else ()
    return next(((own, here.rounds_before) for here, own in inputs if here.stage == stage), None)


def _standing(plan: StagePlan, stage: int, standings: Sequence[Sequence[EntryId]]) -> Sequence[EntryId]:
    """Everybody, best first, as this stage has ended; nobody while it has not."""
    last = next(block for block in blocks(plan) if stage in block)[-1]
    return standings[last] if last < len(standings) else ()
