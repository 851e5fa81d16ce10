"""Tables as text: CSV for spreadsheets, JSON for programs, and columns to paste into an e-mail."""

import csv
import io
import json
from datetime import date
from decimal import Decimal
from typing import Any

from web.sheets.formula_escapes import escape_formula
from web.sheets.tables import ColumnKind, Sheet

BYTE_ORDER_MARK = "\ufeff"

_RIGHT_ALIGNED_KINDS = frozenset({ColumnKind.NUMBER, ColumnKind.MONEY})


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


def render_csv(table: Sheet, *, decimal: str) -> bytes:
    """Render UTF-8 with a byte order mark; text that looks like a formula gets an apostrophe before it.

    Excel opens it correctly by a double click. It expects the list separator of the computer's region: a
    semicolon where numbers have a decimal comma, as in French Canada, else a comma. The reader's language tells
    which is likely. A first line ``sep=;`` would be certain, but other programs take it for the headings, and
    Excel then misreads accents, which it recognizes by the byte order mark. Dates are written 2026-11-17, as in
    French Canada; Excel recognizes that everywhere.
    """
    file = io.StringIO()
    file.write(BYTE_ORDER_MARK)
    lines = csv.writer(file, delimiter=";" if decimal == "," else ",")
    lines.writerow([escape_formula(column.heading) for column in table.columns])
    lines.writerows([_format_csv_cell(value, decimal) for value in row] for row in table.rows)
    return file.getvalue().encode()


def _format_csv_cell(value: Any, decimal: str) -> str:
    return escape_formula(value) if isinstance(value, str) else format_cell(value, decimal=decimal)


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


def render_text_table(table: Sheet, *, decimal: str) -> bytes:
    """Render the title, the headings, a rule and the rows, with numbers aligned to the right."""
    rows = [[" ".join(format_cell(value, decimal=decimal).split()) for value in row] for row in table.rows]
    headings = [column.heading for column in table.columns]
    widths = [max(map(len, cells)) for cells in zip(headings, *rows, strict=True)]
    right_aligned = [column.kind in _RIGHT_ALIGNED_KINDS for column in table.columns]

    def format_line(cells: list[str]) -> str:
        padded = zip(cells, widths, right_aligned, strict=True)
        return "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width) for cell, width, is_right in padded
        ).rstrip()

    lines = [format_line(headings), format_line(["-" * width for width in widths]), *map(format_line, rows)]
    return "\n".join([table.title, "", *lines, ""]).encode()
