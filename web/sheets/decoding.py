"""Decoding of files into lines of text."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errors import Refusal
from web import names

from .formula_escapes import unescape_formula
from .grid import MAX_COLUMNS, MAX_ROWS, Grid
from .sandbox import parse_confined
from .workbooks import is_workbook

DELIMITERS = "\t;,"
"""The comma is last: if it does not separate columns, it is part of a name."""
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_E_ACUTE = {"cp1252": b"\xe9", "mac_roman": b"\x8e", "cp850": b"\x82"}
"""An é in the encodings of Excel on Windows, older Macs and MS-DOS; elsewhere these bytes are
rare letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSheet:
    """One of several sheets of a workbook, with ``filled_row_count`` rows that are not empty. It has a
    ``refusal`` if it cannot be read."""

    name: str
    text: str
    filled_row_count: int
    refusal: Refusal | None = None


def read_sheet_text(content: bytes, *, file: str) -> str:
    """Return the text of a file, or of the only sheet with content in a workbook.

    Files may be in UTF-8, in UTF-16 with or without a byte order mark, or in the encodings of Windows, Mac or
    MS-DOS, which are told apart by their é.

    Refuses: not_utf8, old_workbook (also a web page with such a name), several_sheets (``sheets``, each a
    NamedSheet), formula_without_value, sheet_too_long, and what ``parse_confined`` refuses.
    """
    if is_workbook(content):
        return get_grids_text(parse_confined(content, file=file), file=file)
    if content.lstrip()[:1] == b"<":
        raise Refusal("old_workbook", field="file", file=file)
    for codec in _guess_encodings(content):
        try:
            return content.decode(codec)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
    raise Refusal("not_utf8", field="file", file=file, line=line)


def _guess_encodings(content: bytes) -> tuple[str, ...]:
    if content.startswith(_UTF_16_MARKS):
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
                yield line, [unescape_formula(names.clean_text(value)) for value in values[:MAX_COLUMNS]]
            line = reader.line_num + 1
    except csv.Error:
        raise Refusal("malformed_csv", file=file, line=line) from None


def get_grids_text(grids: Sequence[Grid], *, file: str) -> str:
    """Return the text of a workbook's only sheet. Refuses: several_sheets, formula_without_value,
    sheet_too_long."""
    if len(grids) > 1:
        sheets = tuple(_build_named_sheet(grid, file) for grid in grids)
        sheet_names = [sheet.name for sheet in sheets]
        raise Refusal("several_sheets", field="file", file=file, names=sheet_names, sheets=sheets)
    for grid in grids:
        refusal = _find_grid_refusal(grid, file)
        if refusal is not None:
            raise refusal
        return grid.text
    return ""


def _build_named_sheet(grid: Grid, file: str) -> NamedSheet:
    return NamedSheet(
        name=grid.name, text=grid.text, filled_row_count=grid.filled_row_count, refusal=_find_grid_refusal(grid, file)
    )


def _find_grid_refusal(grid: Grid, file: str) -> Refusal | None:
    from openpyxl.utils import get_column_letter

    if grid.is_too_long:
        return Refusal("sheet_too_long", field="file", file=file, most=MAX_ROWS)
    if grid.uncounted is not None:
        row, place = grid.uncounted
        details = {"file": file, "line": row + 1, "column": get_column_letter(place + 1)}
        return Refusal("formula_without_value", field="file", **details)
    return None
