"""What a draw depends on, and what comes of it."""

from collections.abc import Sequence
from dataclasses import replace

from tournaments.draws import Draw, DrawInput, Entrant, LockedTable, Played
from tournaments.draws.lineups import Lineup
from tournaments.draws.stages import StagePlan, draw_stage, inputs_of_round
from tournaments.models import Event
from tournaments.ranking import lot

from .played import played_so_far, stage_standings
from .results import ranked


def draw_input(
    event: Event, *, seed: int, held: Sequence[LockedTable] = (), before: int | None = None
) -> DrawInput:
    """All that a draw of the next round depends on, or of round ``before`` as it would be drawn today."""
    played = played_so_far(event, before=before)
    return replace(
        played,
        entrants=tuple(_best_first(event, played, seed)),
        locked=tuple(held),
        section_tables={
            section["name"]: (section["first_table"], section["last_table"])
            for section in event.sections
            if section["first_table"] is not None
        },
        seed=seed,
    )


FIRST_BY_LOT = frozenset({"swiss_individual", "by_rank"})
"""Formats in which who sits together in a first round would follow from the order of typing alone."""


def _best_first(event: Event, played: DrawInput, seed: int) -> list[Entrant]:
    """Those of one rank by the event's lot, unless the starting list goes by strength: nobody goes on to a
    final for having been typed first. A first round of some formats goes by the lot of the draw."""
    known = {entrant.id: entrant for entrant in played.entrants}
    if event.is_seeded:
        return [known[row.entry] for row in ranked(event)]
    of_draw = not played.history and event.plan[0].format in FIRST_BY_LOT
    lots = {entrant.id: lot(seed if of_draw else event.lot, entrant.number) for entrant in played.entrants}
    return [known[row.entry] for row in sorted(ranked(event), key=lambda row: (row.rank, -lots[row.entry]))]


def draw_of(event: Event, draw: DrawInput) -> Draw:
    """The round as the stages of the event draw it of this input; without tables, once all is played. One
    query."""
    return draw_stage(_plan_of(event, draw), draw, stage_standings(event, draw))


def price_inputs(event: Event, draw: DrawInput, lineup: Lineup) -> list[tuple[str, DrawInput]]:
    """The formats that drew this line-up, each with the draw as its stage sees it."""
    drafted = tuple(
        Played(round=draw.round, a=table.a, b=table.b, slot=table.slot) for table in lineup.tables
    )
    known = replace(draw, history=(*draw.history, *drafted))
    plan = _plan_of(event, draw)
    return [
        (
            plan[here.stage].format,
            replace(own, history=tuple(table for table in own.history if table.round < own.round)),
        )
        for here, own in inputs_of_round(plan, known, stage_standings(event, draw))
    ]


def _plan_of(event: Event, draw: DrawInput) -> StagePlan:
    """The stages of the event, as this round is drawn by them: where nothing tells the entries of a first
    round apart but the order in which they were typed, a Swiss stage begins by lot."""
    plan = event.plan
    if event.is_seeded or draw.history or plan[0].format != "swiss":
        return plan
    return (replace(plan[0], settings={**plan[0].settings, "target": "lot"}), *plan[1:])
