"""Examples of requests and responses in the API reference, recorded from one evening that a test plays."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .operation import Operation
from .sheets import SheetOut

EXAMPLES_FILE = Path(__file__).with_name("examples.json")


@cache
def load_examples() -> Mapping[str, Any]:
    """Return bodies and responses by the name of their schema, and tables by the operation."""
    data: dict[str, Any] = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    return data


def get_example_name(operation: Operation) -> str:
    """Return the name under which the example of the response is stored."""
    if operation.response_shape is None or operation.response_shape is SheetOut:
        return operation.name[0].upper() + operation.name[1:]
    return get_page_name(operation.response_shape) if operation.is_paged else operation.response_shape.__name__


def get_page_name(response_shape: type[Any]) -> str:
    return response_shape.__name__.removesuffix("Out") + "Page"
