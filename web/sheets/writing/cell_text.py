"""Cells as text, for formats that have nothing else."""

from decimal import Decimal
from typing import Any


def format_cell(value: Any, *, decimal: str) -> str:
    """Return a value as text; None is "".

    >>> format_cell(Decimal("52.50"), decimal=","), format_cell(-3, decimal=","), format_cell(None, decimal=",")
    ('52,50', '-3', '')
    """
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return str(value).replace(".", decimal)
    return str(value)
