"""Excel workbooks, read without trusting them: what unpacks to too much, or is none, is refused."""

import csv
import io
import zlib
from zipfile import BadZipFile, ZipFile

from clubs import names
from rules import Refusal

MOST_UNPACKED = 40 * 1024 * 1024
MOST_PARTS = 500
MOST_ROWS = 20_000
MOST_COLUMNS = 40

_ZIP = b"PK\x03\x04"
_FORMULA = b"<f"
_OLD = b"\xd0\xcf\x11\xe0"  # .xls, and a workbook that wants a password
_BAD = (
    *(BadZipFile, EOFError, OSError, SyntaxError, NotImplementedError, zlib.error),
    *(AttributeError, KeyError, IndexError, TypeError, ValueError),
)
"""What the reader of workbooks raises at a file that is none, or a damaged one."""


def is_workbook(content: bytes) -> bool:
    return content.startswith((_ZIP, _OLD))


def text_of_workbook(content: bytes, *, file: str) -> str:
    """The first sheet as a file with tabs, its lines where they were.

    Refuses: old_workbook, workbook_too_large, not_a_workbook, formula_without_value, list_too_long.
    """
    if content.startswith(_OLD):
        raise Refusal("old_workbook", field="file", file=file)
    try:
        _check_size(content, file=file)
        rows = _rows(content)
        _check_formulas(content, rows, file=file)
    except _BAD:
        raise Refusal("not_a_workbook", field="file", file=file) from None
    if len(rows) > MOST_ROWS:
        raise Refusal("list_too_long", field="file", file=file, most=MOST_ROWS, lines=len(rows))
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    return text.getvalue()


def _check_size(content: bytes, *, file: str) -> None:
    """Whatever a part says of its size is all of it that is unpacked."""
    with ZipFile(io.BytesIO(content)) as packed:
        parts = packed.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise Refusal("workbook_too_large", field="file", file=file)


def _rows(content: bytes) -> list[list[str]]:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    try:
        sheet = book.worksheets[0]
        rows = sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
        return _without_the_empty_end([[_text(value) for value in row] for row in rows])
    finally:
        book.close()


def _check_formulas(content: bytes, rows: list[list[str]], *, file: str) -> None:
    """A spreadsheet keeps what a formula came to; other programs may not have counted it yet.

    Refuses: formula_without_value.
    """
    from openpyxl import load_workbook
    from openpyxl.utils import get_column_letter

    if _FORMULA not in _sheets(content):
        return
    book = load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
    try:
        written = book.worksheets[0].iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
        for line, row in enumerate(written, start=1):
            values = rows[line - 1] if line <= len(rows) else []
            for place, value in enumerate(row):
                said = values[place] if place < len(values) else ""
                if not said and isinstance(value, str) and value.startswith("="):
                    column = get_column_letter(place + 1)
                    raise Refusal("formula_without_value", field="file", file=file, line=line, column=column)
    finally:
        book.close()


def _sheets(content: bytes) -> bytes:
    """The parts in which a workbook keeps its cells, as they are written."""
    with ZipFile(io.BytesIO(content)) as packed:
        return b"".join(
            packed.read(name) for name in packed.namelist() if name.startswith("xl/worksheets/sheet")
        )


def _without_the_empty_end(rows: list[list[str]]) -> list[list[str]]:
    """Spreadsheets keep lines and columns that held something once."""
    last = max((number for number, row in enumerate(rows) if any(row)), default=-1)
    width = max((len(row) - _blanks(row) for row in rows), default=0)
    return [row[:width] for row in rows[: last + 1]]


def _blanks(row: list[str]) -> int:
    """How many values at the end of a line are empty."""
    return next((place for place, value in enumerate(reversed(row)) if value), len(row))


def _text(value: object) -> str:
    """A number as it is typed: ``1500``, not ``1500.0``."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else names.cleaned(str(value))
