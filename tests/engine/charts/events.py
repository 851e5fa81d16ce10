"""Brackets as a reader of the chart finds them."""

from collections.abc import Sequence
from typing import Any

from engine.charts import BracketChart, ChartSlot, build_bracket_chart
from engine.draws import Draw, DrawInput, PlayedPairing
from tests.engine.draws.bracket_events import Result, favourite_wins, play, start


def list_pairings(drawn: Draw) -> list[PlayedPairing]:
    """The tables and byes of a round that was published and not played."""
    tables = [
        PlayedPairing(round=drawn.round, table=table.number, slot=table.slot, a=table.a, b=table.b)
        for table in drawn.tables
    ]
    return tables + [PlayedPairing(round=drawn.round, a=(bye.entry,), slot=bye.slot) for bye in drawn.byes]


def build_chart(format_key: str, before: DrawInput, history: Sequence[PlayedPairing] = ()) -> BracketChart:
    chart = build_bracket_chart(format_key, before.settings, before.entrants, history)
    assert chart is not None
    return chart


def chart_after(
    format_key: str, entrants: int, result: Result = favourite_wins, *, rounds: int = 30, **settings: Any
) -> BracketChart:
    """The chart of so many rounds of a bracket, where entry k is seed k."""
    event = play(format_key, start(entrants, **settings), result, rounds=rounds)
    return build_chart(format_key, event.draw_input, event.history)


def list_slots(chart: BracketChart) -> list[ChartSlot]:
    return [slot for part in chart.parts for column in part.rounds for slot in column.slots]


def format_slot(slot: ChartSlot) -> tuple[str, str]:
    """Return what stands on the two sides: ``4``, ``4!`` who won, ``winner 3``, ``loser 3``, or nobody."""
    one, other = (
        f"{side.entry}{'!' * side.has_won}"
        if side.entry is not None
        else f"{type(side.source).__name__.lower().removeprefix('slot')} {side.match}"
        if side.source is not None
        else "-"
        for side in slot.sides
    )
    return one, other


def format_board(chart: BracketChart) -> dict[str, tuple[str, str]]:
    """By slot, what stands on its two sides."""
    return {slot.key: format_slot(slot) for slot in list_slots(chart)}
