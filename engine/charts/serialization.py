"""Charts as plain data, and back: default values are left out."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from engine.draws.brackets.structure import LoserOf, Seed, WinnerOf

from .values import StageChart

_SOURCES: dict[str, type] = {"seed": Seed, "winner": WinnerOf, "loser": LoserOf}
_WORDS = {source: word for word, source in _SOURCES.items()}
"""The word stored beside the source of a side, by its type."""


PlainChart = dict[str, Any]
"""A chart as plain data: ``{"stage": 0, "format": "knockout", "bracket": {"parts": [...]}}``."""


def charts_to_json(charts: Iterable[StageChart]) -> list[PlainChart]:
    return [_plain(chart) for chart in charts]


def chart_from_json(plain: Mapping[str, Any]) -> StageChart:
    """Return one chart from its part of the output of ``charts_to_json``."""
    chart: StageChart = _value_of(StageChart, plain)
    return chart


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if not is_dataclass(value):
        return value
    held = ((each, getattr(value, each.name)) for each in fields(value))
    found = {each.name: _plain(it) for each, it in held if it != each.default}
    return {"from": _WORDS[type(value)], **found} if type(value) in _WORDS else found


def _value_of(kind: Any, plain: Any) -> Any:
    """Return the value of this kind: a dataclass, a tuple of one kind of values, one of several kinds, or a
    word or number."""
    if plain is None:
        return None
    if get_origin(kind) is tuple:
        return tuple(_value_of(get_args(kind)[0], each) for each in plain)
    if get_origin(kind) in (Union, UnionType):
        of = plain.get("from", "") if isinstance(plain, Mapping) else ""
        return _value_of(_SOURCES.get(of, get_args(kind)[0]), plain)
    return _dataclass_of(kind, plain) if is_dataclass(kind) else kind(plain)


def _dataclass_of(kind: Any, plain: Mapping[str, Any]) -> Any:
    hints = _hints(kind)
    return kind(**{name: _value_of(hints[name], plain[name]) for name in hints if name in plain})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
