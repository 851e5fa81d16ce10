"""Attributes that templates look up on our values: a missing one shows nothing and raises no error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.http import HttpRequest
from django.template.base import VariableDoesNotExist

from operations.data_dir import PROJECT

OUR_PACKAGES = {path.parent.name for path in PROJECT.glob("*/__init__.py")}
PHONE_ATTRIBUTES = {("scoring.models", "is_kept")}
"""Attributes that only the values of a phone have, which renders these templates, too."""


@contextmanager
def collect_missing_names() -> Iterator[set[str]]:
    """Collect the attributes that templates look up in the block and that our classes lack.

    An attribute is known if any class in the module of the value has it: a template may be shown either.
    """
    found: set[str] = set()

    def record_missing(self: VariableDoesNotExist, msg: str, params: tuple[str, Any] = ("", None)) -> None:
        self.msg, self.params = msg, params
        name, value = params
        module = type(value).__module__
        is_ours = module.partition(".")[0] in OUR_PACKAGES and not isinstance(value, HttpRequest)
        if is_ours and not _is_known_in_module(module, name):
            found.add(f"{module}.{type(value).__qualname__} has no {name}")

    with patch.object(VariableDoesNotExist, "__init__", record_missing):
        yield found


def _is_known_in_module(module: str, name: str) -> bool:
    beside = [one for one in vars(sys.modules[module]).values() if isinstance(one, type)]
    return (module, name) in PHONE_ATTRIBUTES or any(
        hasattr(one, name) or name in getattr(one, "__annotations__", ()) for one in beside
    )
