"""JSON: a name, the columns, and a row as an object whose keys are those of the columns, in any language."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

from web.sheets.tables import Sheet


def render_json(table: Sheet, *, decimal: str) -> bytes:
    """``{"name": …, "columns": [{"key": …, "name": …}], "rows": [{key: value}]}``; days as ISO 8601, money in
    dollars. However people write numbers, JSON has a point."""
    keys = [column.key for column in table.columns]
    told = {
        "name": table.title,
        "columns": [{"key": column.key, "name": column.heading} for column in table.columns],
        "rows": [dict(zip(keys, row, strict=True)) for row in table.rows],
    }
    return json.dumps(told, ensure_ascii=False, default=_plain, indent=1).encode()


def _plain(value: Any) -> float | str:
    if isinstance(value, Decimal):
        return float(value)
    assert isinstance(value, date)
    return value.isoformat()
