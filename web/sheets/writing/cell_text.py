"""A cell as people read it, where a file has nothing but text."""

from decimal import Decimal
from typing import Any


def shown(value: Any, *, decimal: str) -> str:
    """
    >>> shown(Decimal("52.50"), decimal=","), shown(-3, decimal=","), shown(None, decimal=",")
    ('52,50', '-3', '')
    """
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return str(value).replace(".", decimal)
    return str(value)
