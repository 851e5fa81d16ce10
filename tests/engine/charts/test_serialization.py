"""Serialized charts: they survive a round trip and omit default values."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.charts import StageChart, build_cross_table, build_pool_tables
from engine.charts.serialization import chart_from_json, charts_to_json
from engine.draws import Entrant, EntryId, PlayedPairing
from tests.engine.draws.bracket_events import favourite_wins, play, start

from .events import build_chart

BRACKETS = ("knockout", "double_elimination", "consolation")


def round_trip(chart: StageChart) -> StageChart:
    """Return the chart after serialization to JSON and back."""
    (chart_json,) = json.loads(json.dumps(charts_to_json([chart])))
    return chart_from_json(chart_json)


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), st.integers(2, 9), st.integers(0, 6))
def test_bracket_chart_survives_a_round_trip(format_key: str, entrants: int, rounds: int) -> None:
    event = play(format_key, start(entrants), favourite_wins, rounds=rounds)
    chart = StageChart(stage=1, format=format_key, bracket=build_chart(format_key, event.draw_input, event.history))
    assert round_trip(chart) == chart


def test_pools_and_cross_tables_survive_a_round_trip() -> None:
    entrants = [Entrant(id=EntryId(number), number=number) for number in range(1, 7)]
    pool = PlayedPairing(round=1, a=(EntryId(1),), b=(EntryId(4),), slot="A", table=2)
    tables = build_pool_tables({"pools": 2}, entrants, [pool], open_rounds={1})
    chart = StageChart(stage=0, format="pools", tables=tables)
    assert round_trip(chart) == chart
    met = build_cross_table([EntryId(1), EntryId(4)], [pool], round_offset=3)
    assert round_trip(StageChart(stage=2, format="swiss", tables=(met,))).tables == (met,)


@pytest.mark.parametrize("format_key", BRACKETS)
def test_default_values_are_omitted(format_key: str) -> None:
    event = play(format_key, start(4), favourite_wins, rounds=1)
    (chart_json,) = charts_to_json(
        [StageChart(stage=0, format=format_key, bracket=build_chart(format_key, event.draw_input, event.history))]
    )
    assert set(chart_json) == {"stage", "format", "bracket"}
    assert '"name": ""' not in json.dumps(chart_json)
