"""Attributes that templates ask of our values: a missing one shows nothing, and fails nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.template.base import VariableDoesNotExist

from operations.data_dir import PROJECT

OURS = {path.parent.name for path in PROJECT.glob("*/__init__.py")}
ONLY_ON_PHONES = {("scoring.models", "is_kept")}
"""A phone draws the same templates, of values that are somewhat more."""


@contextmanager
def missing_names() -> Iterator[set[str]]:
    """Yield what is asked meanwhile of values of our classes, and none has: neither theirs nor one that
    stands beside theirs, which the same template may be shown instead."""
    found: set[str] = set()

    def is_missed(self: VariableDoesNotExist, msg: str, params: tuple[str, Any] = ("", None)) -> None:
        self.msg, self.params = msg, params
        name, value = params
        module = type(value).__module__
        if module.partition(".")[0] in OURS and not _is_known_beside(module, name):
            found.add(f"{module}.{type(value).__qualname__} has no {name}")

    with patch.object(VariableDoesNotExist, "__init__", is_missed):
        yield found


def _is_known_beside(module: str, name: str) -> bool:
    beside = [one for one in vars(sys.modules[module]).values() if isinstance(one, type)]
    return (module, name) in ONLY_ON_PHONES or any(
        hasattr(one, name) or name in getattr(one, "__annotations__", ()) for one in beside
    )
