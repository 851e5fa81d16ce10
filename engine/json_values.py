"""Frozen values from JSON data, by the types of their fields."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import date, datetime, time
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

Reader = Callable[[Any], Any]
Tags = tuple[tuple[str, type], ...]
_MOMENTS = (date, time, datetime)


def read_value(kind: Any, data: Any) -> Any:
    """Return the value of this kind from JSON data."""
    return build_reader(kind)(data)


@cache
def build_reader(kind: Any, tags: Tags = ()) -> Reader:
    """Return the function that reads values of this kind. A dataclass is an object, whose missing values are the
    usual ones; a named tuple and a tuple are lists. Of several dataclasses, ``tags`` has the one for the text under
    ``from``."""
    if get_origin(kind) is not None:
        return _build_parts_reader(kind, tags)
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        readers = {name: build_reader(hint, tags) for name, hint in get_type_hints(kind).items()}
        return partial(_read_fields, kind, readers)
    if kind is Any:
        return _keep
    reader: Reader = kind.fromisoformat if kind in _MOMENTS else kind
    return reader


def _build_parts_reader(kind: Any, tags: Tags) -> Reader:
    """Return the reader of a tuple, a mapping, or one of several kinds."""
    origin, kinds = get_origin(kind), get_args(kind)
    first, *others = (build_reader(each, tags) for each in kinds if each not in (Ellipsis, NoneType))
    if origin is Mapping:
        return lambda data: {first(name): others[0](value) for name, value in data.items()}
    if origin is tuple and kinds[-1] is Ellipsis:
        return lambda data: tuple(map(first, data))
    if origin is tuple:
        return lambda data: tuple(read(each) for read, each in zip((first, *others), data, strict=True))
    assert origin in (Union, UnionType), f"no values of kind {kind}"
    if not others:
        return lambda data: None if data is None else first(data)
    tagged_readers = {tag: build_reader(each, tags) for tag, each in tags}
    return lambda data: None if data is None else tagged_readers[data["from"]](data)


def _read_fields(kind: Any, readers: Mapping[str, Reader], data: Any) -> Any:
    found = dict(zip(readers, data, strict=True)) if isinstance(data, list | tuple) else data
    return kind(**{name: readers[name](value) for name, value in found.items() if name in readers})


def _keep(data: Any) -> Any:
    return data
