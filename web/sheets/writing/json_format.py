"""Export as JSON: a name, the columns, and each row as an object by the columns' keys."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

from web.sheets.tables import Sheet


def render_json(table: Sheet, *, decimal: str) -> bytes:
    """Render ``{"name": …, "columns": [{"key": …, "name": …}], "rows": [{key: value}]}``.

    Dates are in ISO 8601, money in dollars, and the decimal separator is always a point.
    """
    keys = [column.key for column in table.columns]
    data = {
        "name": table.title,
        "columns": [{"key": column.key, "name": column.heading} for column in table.columns],
        "rows": [dict(zip(keys, row, strict=True)) for row in table.rows],
    }
    return json.dumps(data, ensure_ascii=False, default=_serialize_value, indent=1).encode()


def _serialize_value(value: Any) -> float | str:
    if isinstance(value, Decimal):
        return float(value)
    assert isinstance(value, date)
    return value.isoformat()
