"""Charts as plain data, and back: default values are left out."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from engine.draws.brackets.structure import Seed, SlotLoser, SlotWinner
from engine.json_values import build_reader

from .values import StageChart

_SOURCES: dict[str, type] = {"seed": Seed, "winner": SlotWinner, "loser": SlotLoser}
_SOURCE_NAMES = {source: word for word, source in _SOURCES.items()}
"""The word stored beside the source of a side, by its type."""
_read_chart = build_reader(StageChart, tuple(_SOURCES.items()))

ChartJson = dict[str, Any]
"""A chart as plain data: ``{"stage": 0, "format": "knockout", "bracket": {"parts": [...]}}``."""


def charts_to_json(charts: Iterable[StageChart]) -> list[ChartJson]:
    return [_to_json(chart) for chart in charts]


def chart_from_json(data: Mapping[str, Any]) -> StageChart:
    """Return one chart from its part of the output of ``charts_to_json``."""
    chart: StageChart = _read_chart(data)
    return chart


def _to_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_to_json(each) for each in value]
    if not is_dataclass(value):
        return value
    field_values = ((each, getattr(value, each.name)) for each in fields(value))
    found = {each.name: _to_json(field_value) for each, field_value in field_values if field_value != each.default}
    return {"from": _SOURCE_NAMES[type(value)], **found} if type(value) in _SOURCE_NAMES else found
