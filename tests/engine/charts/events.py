"""Bracket charts in a short text form."""

from collections.abc import Sequence
from typing import Any

from engine.charts import BracketChart, ChartSlot, build_bracket_chart
from engine.draws import Draw, DrawInput, PlayedPairing
from tests.engine.draws.bracket_events import Result, favourite_wins, play, start


def list_pairings(drawn: Draw) -> list[PlayedPairing]:
    """Return the tables and byes of a published round without results."""
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
    """Return the chart after this number of rounds of a bracket; entry k is seed k."""
    event = play(format_key, start(entrants, **settings), result, rounds=rounds)
    return build_chart(format_key, event.draw_input, event.history)


def list_slots(chart: BracketChart) -> list[ChartSlot]:
    return [slot for part in chart.parts for column in part.rounds for slot in column.slots]


def format_slot(slot: ChartSlot) -> tuple[str, str]:
    """Return the text of both sides: ``4``, ``4!`` for the winner, ``winner 3``, ``loser 3``, or ``-`` if empty."""
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
    """Return the texts of both sides by slot."""
    return {slot.key: format_slot(slot) for slot in list_slots(chart)}
