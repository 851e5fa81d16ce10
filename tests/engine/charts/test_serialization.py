"""Charts as they are kept: what comes back is what was put away, and less of it is written than there is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.charts import StageChart, cross_table, pool_tables
from engine.charts.serialization import chart_from_json, charts_to_json
from engine.draws import Entrant, EntryId, PlayedPairing
from tests.engine.draws.bracket_events import favourites, play, start

from .events import charted

BRACKETS = ("knockout", "double_elimination", "consolation")


def kept(chart: StageChart) -> StageChart:
    """The chart after a database had it."""
    (plain,) = json.loads(json.dumps(charts_to_json([chart])))
    return chart_from_json(plain)


@given(st.sampled_from(BRACKETS), st.integers(2, 9), st.integers(0, 6))
def test_a_bracket_comes_back_as_it_was(format_key: str, entrants: int, rounds: int) -> None:
    event = play(format_key, start(entrants), favourites, rounds=rounds)
    chart = StageChart(stage=1, format=format_key, bracket=charted(format_key, event.after, event.history))
    assert kept(chart) == chart


def test_pools_and_cross_tables_come_back_as_they_were() -> None:
    entrants = [Entrant(id=EntryId(number), number=number) for number in range(1, 7)]
    pool = PlayedPairing(round=1, a=(EntryId(1),), b=(EntryId(4),), slot="A", table=2)
    tables = pool_tables({"pools": 2}, entrants, [pool], open_rounds={1})
    chart = StageChart(stage=0, format="pools", tables=tables)
    assert kept(chart) == chart
    met = cross_table([EntryId(1), EntryId(4)], [pool], rounds_before=3)
    assert kept(StageChart(stage=2, format="swiss", tables=(met,))).tables == (met,)


@pytest.mark.parametrize("format_key", BRACKETS)
def test_what_is_as_usual_is_not_written(format_key: str) -> None:
    event = play(format_key, start(4), favourites, rounds=1)
    (plain,) = charts_to_json(
        [StageChart(stage=0, format=format_key, bracket=charted(format_key, event.after, event.history))]
    )
    assert set(plain) == {"stage", "format", "bracket"}
    assert '"name": ""' not in json.dumps(plain)
