"""Cells as text, for formats that have nothing else."""

from decimal import Decimal
from typing import Any


def cell_text(value: Any, *, decimal: str) -> str:
    """Return a value as text; None is "".

    >>> cell_text(Decimal("52.50"), decimal=","), cell_text(-3, decimal=","), cell_text(None, decimal=",")
    ('52,50', '-3', '')
    """
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return str(value).replace(".", decimal)
    return str(value)
