"""CSV that Excel opens correctly by a double click.

Excel expects the list separator of the computer's region: a semicolon where numbers have a decimal comma, as
in French Canada, else a comma. The reader's language tells which is likely. A first line ``sep=;`` would be
certain, but other programs take it for the headings, and Excel then misreads accents, which it recognizes by
the byte order mark. Dates are written 2026-11-17, as in French Canada; Excel recognizes that everywhere.
"""

import csv
import io
from typing import Any

from web.sheets.formula_escapes import escape_formula
from web.sheets.tables import Sheet

from .cell_text import format_cell

BYTE_ORDER_MARK = "\ufeff"


def render_csv(table: Sheet, *, decimal: str) -> bytes:
    """Render UTF-8 with a byte order mark; text that looks like a formula gets an apostrophe before it."""
    file = io.StringIO()
    file.write(BYTE_ORDER_MARK)
    lines = csv.writer(file, delimiter=";" if decimal == "," else ",")
    lines.writerow([escape_formula(column.heading) for column in table.columns])
    lines.writerows([_format_csv_cell(value, decimal) for value in row] for row in table.rows)
    return file.getvalue().encode()


def _format_csv_cell(value: Any, decimal: str) -> str:
    return escape_formula(value) if isinstance(value, str) else format_cell(value, decimal=decimal)
