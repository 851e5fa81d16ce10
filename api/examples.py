"""Examples of requests and responses in the API reference, recorded from one evening that a test plays."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .operation import Operation
from .sheets import SheetOut

FILE = Path(__file__).with_name("examples.json")


@cache
def examples() -> Mapping[str, Any]:
    """Return bodies and responses by the name of their schema, and tables by the operation."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def name_of_answer(operation: Operation) -> str:
    """Return the name under which the example of the response is stored."""
    if operation.gives is None or operation.gives is SheetOut:
        return operation.name[0].upper() + operation.name[1:]
    return page_name(operation.gives) if operation.is_paged else operation.gives.__name__


def page_name(gives: type[Any]) -> str:
    return gives.__name__.removesuffix("Out") + "Page"
