"""Workbooks of Excel or OpenDocument, read without trusting them.

Files that unpack to too much, or that are no workbooks, are refused.
"""

import io
import zlib
from collections.abc import Iterator
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile, ZipFile

from errors import Refusal

from .grid import MAX_CHARACTERS, MAX_COLUMNS, MAX_ROWS, Grid, TooManyCharactersError
from .opendocument import is_opendocument, parse_opendocument

MAX_UNPACKED_BYTES = 40 * 1024 * 1024
MAX_PARTS = 500
MAX_SHEETS = 50

Row = tuple[object, ...]

_ZIP_SIGNATURE = b"PK\x03\x04"
_FORMULA = b"<f"
_OLE_SIGNATURE = b"\xd0\xcf\x11\xe0"  # .xls, or a workbook with a password
_PARSE_ERRORS = (
    *(BadZipFile, EOFError, OSError, SyntaxError, NotImplementedError, RuntimeError, zlib.error),
    *(AttributeError, ExpatError, KeyError, IndexError, TypeError, ValueError),
)
"""Exceptions that the readers raise for damaged files and other formats."""


def is_workbook(content: bytes) -> bool:
    return content.startswith((_ZIP_SIGNATURE, _OLE_SIGNATURE))


def parse_workbook(content: bytes, *, file: str) -> list[Grid]:
    """Return the visible sheets that have content, in order.

    Refuses: old_workbook, workbook_too_large, not_a_workbook.
    """
    if content.startswith(_OLE_SIGNATURE):
        raise Refusal("old_workbook", field="file", file=file)
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            _check_size(archive, file=file)
            is_open = is_opendocument(archive)
        grids = parse_opendocument(content) if is_open else _parse_excel(content)
    except TooManyCharactersError:
        raise Refusal("workbook_too_large", field="file", file=file) from None
    except _PARSE_ERRORS:
        raise Refusal("not_a_workbook", field="file", file=file) from None
    filled = [grid for grid in grids if not grid.is_empty]
    if len(filled) > MAX_SHEETS or sum(grid.letters for grid in filled) > 2 * MAX_CHARACTERS:
        raise Refusal("workbook_too_large", field="file", file=file)
    return filled


def _check_size(archive: ZipFile, *, file: str) -> None:
    """Check the sizes that the archive's parts declare: no more than that is unpacked.

    Refuses: workbook_too_large.
    """
    parts = archive.infolist()
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        raise Refusal("workbook_too_large", field="file", file=file)


def _parse_excel(content: bytes) -> list[Grid]:
    """Read the sheets with the stored results of formulas. Other programs may have stored none: then the
    workbook is read a second time, to find such formulas."""
    grids: list[Grid] = []
    for name, rows in _read_sheets(content, has_values=True):
        grids.append(Grid(name=name))
        for row in rows:
            grids[-1].add([_format_value(value) for value in row])
    if _FORMULA in _read_cell_parts(content):
        for grid, (_, rows) in zip(grids, _read_sheets(content, has_values=False), strict=True):
            grid.uncounted = _find_missing_value(grid, rows)
    return grids


def _read_sheets(content: bytes, *, has_values: bool) -> Iterator[tuple[str, Iterator[Row]]]:
    """Yield the visible sheets with their values or formulas, and no more cells than are read."""
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(content), read_only=True, data_only=has_values, keep_links=False)
    try:
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                rows = sheet.iter_rows(max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS, values_only=True)
                yield sheet.title, rows
    finally:
        book.close()


def _find_missing_value(grid: Grid, rows: Iterator[Row]) -> tuple[int, int] | None:
    for number, row in enumerate(rows):
        values = grid.rows[number] if number < len(grid.rows) else []
        for place, value in enumerate(row):
            is_formula = isinstance(value, str) and value.startswith("=")
            if is_formula and not (place < len(values) and values[place]):
                return number, place
    return None


def _read_cell_parts(content: bytes) -> bytes:
    """Return the raw parts in which a workbook stores its cells."""
    with ZipFile(io.BytesIO(content)) as archive:
        return b"".join(archive.read(name) for name in archive.namelist() if name.startswith("xl/worksheets/sheet"))


def _format_value(value: object) -> str:
    """Return the text of a cell; a number as it is typed: ``1500``, not ``1500.0``."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value)
