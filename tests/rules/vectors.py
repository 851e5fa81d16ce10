"""The data files of ``tests/vectors`` that any implementation of the game can be held against."""

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "vectors"

Case = dict[str, Any]


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def parametrize_cases(name: str, *, with_key: str = "name") -> list[Any]:
    """The cases of a file, each under the name that it has there; only those with that key."""
    return [pytest.param(case, id=case["name"]) for case in read(name) if with_key in case]
