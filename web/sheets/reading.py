"""From the bytes of a file to its lines."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from rules import Refusal
from web import names

from .confinement import confined_grids
from .formula_escapes import as_typed
from .grid import MOST_COLUMNS, MOST_ROWS, Grid
from .workbooks import is_workbook

DELIMITERS = "\t;,"
"""A comma last: where it parts no columns, it is within a name."""
_MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_E_ACUTE = {"cp1252": b"\xe9", "mac_roman": b"\x8e", "cp850": b"\x82"}
"""An é as Excel writes it on Windows, on an older Mac and for MS-DOS; the others have rarer letters there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSheet:
    """One of several sheets of a workbook: its ``text``, how many rows of it are ``filled``, and why it
    cannot be read, if so."""

    name: str
    text: str
    filled: int
    refusal: Refusal | None = None


def text_of_sheet(content: bytes, *, file: str) -> str:
    """The text of a file in UTF-8, in UTF-16 with or without its mark, in the letters of Windows, of a Mac or
    of MS-DOS, told apart by their é; and of a workbook, its only sheet on which something stands as such a
    file.

    Refuses: not_utf8, old_workbook (a page of the web that is called one, too), several_sheets (``sheets``,
    each a NamedSheet), formula_without_value, sheet_too_long, and what ``confined_grids`` refuses.
    """
    if is_workbook(content):
        return _text_of_workbook(content, file=file)
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
    if 3 * content.count(0) > len(content):  # every other byte, in the letters of our languages
        return ("utf-16-le" if content[1::2].count(0) > content[::2].count(0) else "utf-16-be",)
    return "utf-8-sig", max(_E_ACUTE, key=lambda encoding: content.count(_E_ACUTE[encoding]))


def read_rows(text: str, delimiter: str, *, file: str) -> Iterator[tuple[int, list[str]]]:
    """The values of each line that is not empty, with its number, as far as columns are read; what was
    disarmed as it was taken away is as it was typed. Refuses: malformed_csv."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for values in reader:
            if any(value.strip() for value in values):
                yield line, [as_typed(names.clean_text(value)) for value in values[:MOST_COLUMNS]]
            line = reader.line_num + 1
    except csv.Error:
        raise Refusal("malformed_csv", file=file, line=line) from None


def _text_of_workbook(content: bytes, *, file: str) -> str:
    grids = confined_grids(content, file=file)
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
