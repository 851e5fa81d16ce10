"""Lines of a file that spreadsheets open, and in which they compute nothing."""

import csv
import io
from collections.abc import Sequence

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet would work out, whoever typed it."""


def line_of_sheet(values: Sequence[str], *, parted_by: str = ",") -> str:
    """One line, with its end; what looks like a formula has an apostrophe before it."""
    line = io.StringIO()
    csv.writer(line, delimiter=parted_by).writerow([disarmed(value) for value in values])
    return line.getvalue()


def disarmed(value: str) -> str:
    """The value as text, and nothing to be worked out."""
    return f"'{value}" if value.startswith(_FORMULAS) or value.lstrip().startswith(_FORMULAS) else value
