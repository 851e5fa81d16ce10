"""Charts as plain data, and back: default values are left out."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from engine.draws.brackets.structure import Seed, SlotLoser, SlotWinner

from .values import StageChart

_SOURCES: dict[str, type] = {"seed": Seed, "winner": SlotWinner, "loser": SlotLoser}
_SOURCE_NAMES = {source: word for word, source in _SOURCES.items()}
"""The word stored beside the source of a side, by its type."""


ChartJson = dict[str, Any]
"""A chart as plain data: ``{"stage": 0, "format": "knockout", "bracket": {"parts": [...]}}``."""


def charts_to_json(charts: Iterable[StageChart]) -> list[ChartJson]:
    return [_to_json(chart) for chart in charts]


def chart_from_json(data: Mapping[str, Any]) -> StageChart:
    """Return one chart from its part of the output of ``charts_to_json``."""
    chart: StageChart = _read_value(StageChart, data)
    return chart


def _to_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_to_json(each) for each in value]
    if not is_dataclass(value):
        return value
    field_values = ((each, getattr(value, each.name)) for each in fields(value))
    found = {each.name: _to_json(field_value) for each, field_value in field_values if field_value != each.default}
    return {"from": _SOURCE_NAMES[type(value)], **found} if type(value) in _SOURCE_NAMES else found


def _read_value(kind: Any, data: Any) -> Any:
    """Return the value of this kind: a dataclass, a tuple of one kind of values, one of several kinds, or a
    word or number."""
    if data is None:
        return None
    if get_origin(kind) is tuple:
        return tuple(_read_value(get_args(kind)[0], each) for each in data)
    if get_origin(kind) in (Union, UnionType):
        source_name = data.get("from", "") if isinstance(data, Mapping) else ""
        return _read_value(_SOURCES.get(source_name, get_args(kind)[0]), data)
    return _read_dataclass(kind, data) if is_dataclass(kind) else kind(data)


def _read_dataclass(kind: Any, data: Mapping[str, Any]) -> Any:
    hints = _get_hints(kind)
    return kind(**{name: _read_value(hints[name], data[name]) for name in hints if name in data})


@cache
def _get_hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
