"""Frozen values from JSON data, by the types of their fields."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from types import MappingProxyType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

NO_TAGS: Mapping[str, type] = MappingProxyType({})


def read_value(kind: Any, data: Any, tags: Mapping[str, type] = NO_TAGS) -> Any:
    """Return the value of this kind. A dataclass is an object, whose missing values are the usual ones; a named
    tuple and a tuple are lists. Of several dataclasses, ``tags`` has the one for the text under ``from``."""
    if data is None or kind is Any:
        return data
    origin, kinds = get_origin(kind), get_args(kind)
    if origin is tuple:
        kinds = kinds[:1] * len(data) if kinds[-1] is Ellipsis else kinds
        return tuple(read_value(each, value, tags) for each, value in zip(kinds, data, strict=True))
    if origin is Mapping:
        return {read_value(kinds[0], name): read_value(kinds[1], value, tags) for name, value in data.items()}
    if origin in (Union, UnionType):
        tag = data.get("from", "") if isinstance(data, Mapping) else ""
        return read_value(tags.get(tag, kinds[0]), data, tags)
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        hints = _get_hints(kind)
        found = data if isinstance(data, Mapping) else dict(zip(hints, data, strict=True))
        return kind(**{name: read_value(hints[name], found[name], tags) for name in hints if name in found})
    return kind(data)


@cache
def _get_hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
