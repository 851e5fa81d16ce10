"""Attributes that templates ask of our values: a missing one shows nothing, and fails nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.template.base import VariableDoesNotExist

from operations.data_dir import PROJECT

OUR_PACKAGES = {path.parent.name for path in PROJECT.glob("*/__init__.py")}
PHONE_ATTRIBUTES = {("scoring.models", "is_kept")}
"""A phone draws the same templates, of values that are somewhat more."""


@contextmanager
def collect_missing_names() -> Iterator[set[str]]:
    """Yield what is asked meanwhile of values of our classes, and none has: neither theirs nor one that
    stands beside theirs, which the same template may be shown instead."""
    found: set[str] = set()

    def record_missing(self: VariableDoesNotExist, msg: str, params: tuple[str, Any] = ("", None)) -> None:
        self.msg, self.params = msg, params
        name, value = params
        module = type(value).__module__
        if module.partition(".")[0] in OUR_PACKAGES and not _is_known_in_module(module, name):
            found.add(f"{module}.{type(value).__qualname__} has no {name}")

    with patch.object(VariableDoesNotExist, "__init__", record_missing):
        yield found


def _is_known_in_module(module: str, name: str) -> bool:
    beside = [one for one in vars(sys.modules[module]).values() if isinstance(one, type)]
    return (module, name) in PHONE_ATTRIBUTES or any(
        hasattr(one, name) or name in getattr(one, "__annotations__", ()) for one in beside
    )
