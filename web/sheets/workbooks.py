"""Workbooks of Excel or OpenDocument, read without trusting them.

Files that unpack to too much, or that are no workbooks, are refused.
"""

import io
import zlib
from collections.abc import Iterator
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile, ZipFile

from errors import Refusal

from .grid import MOST_COLUMNS, MOST_LETTERS, MOST_ROWS, Grid, TooManyLettersError
from .opendocument import grids_of_opendocument, is_opendocument

MOST_UNPACKED = 40 * 1024 * 1024
MOST_PARTS = 500
MOST_SHEETS = 50

Row = tuple[object, ...]

_ZIP = b"PK\x03\x04"
_FORMULA = b"<f"
_OLD = b"\xd0\xcf\x11\xe0"  # .xls, or a workbook with a password
_BAD = (
    *(BadZipFile, EOFError, OSError, SyntaxError, NotImplementedError, RuntimeError, zlib.error),
    *(AttributeError, ExpatError, KeyError, IndexError, TypeError, ValueError),
)
"""Exceptions that the readers raise for damaged files and other formats."""


def is_workbook(content: bytes) -> bool:
    return content.startswith((_ZIP, _OLD))


def grids_of_workbook(content: bytes, *, file: str) -> list[Grid]:
    """Return the visible sheets that have content, in order.

    Refuses: old_workbook, workbook_too_large, not_a_workbook.
    """
    if content.startswith(_OLD):
        raise Refusal("old_workbook", field="file", file=file)
    try:
        with ZipFile(io.BytesIO(content)) as packed:
            _check_size(packed, file=file)
            is_open = is_opendocument(packed)
        grids = grids_of_opendocument(content) if is_open else _grids_of_excel(content)
    except TooManyLettersError:
        raise Refusal("workbook_too_large", field="file", file=file) from None
    except _BAD:
        raise Refusal("not_a_workbook", field="file", file=file) from None
    filled = [grid for grid in grids if not grid.is_empty]
    if len(filled) > MOST_SHEETS or sum(grid.letters for grid in filled) > 2 * MOST_LETTERS:
        raise Refusal("workbook_too_large", field="file", file=file)
    return filled


def _check_size(packed: ZipFile, *, file: str) -> None:
    """Check the sizes that the archive's parts declare: no more than that is unpacked.

    Refuses: workbook_too_large.
    """
    parts = packed.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise Refusal("workbook_too_large", field="file", file=file)


def _grids_of_excel(content: bytes) -> list[Grid]:
    """Read the sheets with the stored results of formulas. Other programs may have stored none: then the
    workbook is read a second time, to find such formulas."""
    grids: list[Grid] = []
    for name, rows in _sheets_of(content, counted=True):
        grids.append(Grid(name=name))
        for row in rows:
            grids[-1].add([_text(value) for value in row])
    if _FORMULA in _cell_parts(content):
        for grid, (_, rows) in zip(grids, _sheets_of(content, counted=False), strict=True):
            grid.uncounted = _first_uncounted(grid, rows)
    return grids


def _sheets_of(content: bytes, *, counted: bool) -> Iterator[tuple[str, Iterator[Row]]]:
    """Yield the visible sheets with their values or formulas, and no more cells than are read."""
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(content), read_only=True, data_only=counted, keep_links=False)
    try:
        for sheet in book.worksheets:
            if sheet.sheet_state == "visible":
                rows = sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
                yield sheet.title, rows
    finally:
        book.close()


def _first_uncounted(grid: Grid, rows: Iterator[Row]) -> tuple[int, int] | None:
    for number, row in enumerate(rows):
        known = grid.rows[number] if number < len(grid.rows) else []
        for place, value in enumerate(row):
            is_formula = isinstance(value, str) and value.startswith("=")
            if is_formula and not (place < len(known) and known[place]):
                return number, place
    return None


def _cell_parts(content: bytes) -> bytes:
    """Return the raw parts in which a workbook stores its cells."""
    with ZipFile(io.BytesIO(content)) as packed:
        return b"".join(
            packed.read(name) for name in packed.namelist() if name.startswith("xl/worksheets/sheet")
        )


def _text(value: object) -> str:
    """Return the text of a cell; a number as it is typed: ``1500``, not ``1500.0``."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value)
