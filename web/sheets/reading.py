"""Decoding of files into lines of text."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errors import Refusal
from web import names

from .formula_escapes import as_typed
from .grid import MOST_COLUMNS, MOST_ROWS, Grid
from .sandbox import confined_grids
from .workbooks import is_workbook

DELIMITERS = "\t;,"
"""The comma is last: if it does not separate columns, it is part of a name."""
_MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_E_ACUTE = {"cp1252": b"\xe9", "mac_roman": b"\x8e", "cp850": b"\x82"}
"""An é in the encodings of Excel on Windows, older Macs and MS-DOS; elsewhere these bytes are
rare letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSheet:
    """One of several sheets of a workbook. It has a ``text``, the number of ``filled`` rows, and a refusal if
    it cannot be read."""

    name: str
    text: str
    filled: int
    refusal: Refusal | None = None


def text_of_sheet(content: bytes, *, file: str) -> str:
    """Return the text of a file, or of the only sheet with content in a workbook.

    Files may be in UTF-8, in UTF-16 with or without a byte order mark, or in the encodings of Windows, Mac or
    MS-DOS, which are told apart by their é.

    Refuses: not_utf8, old_workbook (also a web page with such a name), several_sheets (``sheets``, each a
    NamedSheet), formula_without_value, sheet_too_long, and what ``confined_grids`` refuses.
    """
    if is_workbook(content):
        return text_of_grids(confined_grids(content, file=file), file=file)
    if content.lstrip()[:1] == b"<":
        raise Refusal("old_workbook", field="file", file=file)
    for encoding in _encodings(content):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
    raise Refusal("not_utf8", field="file", file=file, line=line)


def _encodings(content: bytes) -> tuple[str, ...]:
    if content.startswith(_MARKS_OF_UTF_16):
        return ("utf-16",)
    if 3 * content.count(0) > len(content):  # every other byte in UTF-16, for our languages
        return ("utf-16-le" if content[1::2].count(0) > content[::2].count(0) else "utf-16-be",)
    return "utf-8-sig", max(_E_ACUTE, key=lambda encoding: content.count(_E_ACUTE[encoding]))


def read_rows(text: str, delimiter: str, *, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the values of each line that is not empty, with its number; escaped formulas are restored.
    Columns beyond the limit are cut off. Refuses: malformed_csv."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for values in reader:
            if any(value.strip() for value in values):
                yield line, [as_typed(names.clean_text(value)) for value in values[:MOST_COLUMNS]]
            line = reader.line_num + 1
    except csv.Error:
        raise Refusal("malformed_csv", file=file, line=line) from None


def text_of_grids(grids: Sequence[Grid], *, file: str) -> str:
    """Return the text of a workbook's only sheet. Refuses: several_sheets, formula_without_value,
    sheet_too_long."""
    if len(grids) > 1:
        sheets = tuple(_sheet_of_grid(grid, file) for grid in grids)
        called = [sheet.name for sheet in sheets]
        raise Refusal("several_sheets", field="file", file=file, names=called, sheets=sheets)
    for grid in grids:
        refusal = _why_not(grid, file)
        if refusal is not None:
            raise refusal
        return grid.text
    return ""


def _sheet_of_grid(grid: Grid, file: str) -> NamedSheet:
    return NamedSheet(name=grid.name, text=grid.text, filled=grid.rows_filled, refusal=_why_not(grid, file))


def _why_not(grid: Grid, file: str) -> Refusal | None:
    from openpyxl.utils import get_column_letter

    if grid.is_too_long:
        return Refusal("sheet_too_long", field="file", file=file, most=MOST_ROWS)
    if grid.uncounted is not None:
        row, place = grid.uncounted
        details = {"file": file, "line": row + 1, "column": get_column_letter(place + 1)}
        return Refusal("formula_without_value", field="file", **details)
    return None
