"""CSV as Excel opens it by a double click.

Excel parts a file by the list separator of the computer's region: a semicolon where the comma stands in
numbers, as in French Canada, else a comma. The language of the reader says which of the two it is likely to
be. A first line ``sep=;`` would settle it, but other programs take that for the headings, and Excel then
forgets the accents; those it knows by the mark at the beginning. Days are written 2026-11-17, which is how
French Canada writes them and what Excel takes for a day everywhere.
"""

import csv
import io
from typing import Any

from web.sheets.formula_escapes import escape_formula
from web.sheets.tables import Sheet

from .cell_text import cell_text

MARK = "\ufeff"


def render_csv(table: Sheet, *, decimal: str) -> bytes:
    """In UTF-8 with its mark; text that looks like a formula has an apostrophe before it."""
    file = io.StringIO()
    file.write(MARK)
    lines = csv.writer(file, delimiter=";" if decimal == "," else ",")
    lines.writerow([escape_formula(column.heading) for column in table.columns])
    lines.writerows([_cell(value, decimal) for value in row] for row in table.rows)
    return file.getvalue().encode()


def _cell(value: Any, decimal: str) -> str:
    return escape_formula(value) if isinstance(value, str) else cell_text(value, decimal=decimal)
