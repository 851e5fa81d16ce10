"""Test vectors of ``tests/vectors``, usable by any implementation of the game."""

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "vectors"

Case = dict[str, Any]


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def parametrize_cases(name: str, *, with_key: str = "name") -> list[Any]:
    """Return the cases of a file that have this key, each with its name as test id."""
    return [pytest.param(case, id=case["name"]) for case in read(name) if with_key in case]
