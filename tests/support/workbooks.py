"""Workbooks as people save them, and malformed or dangerous ones."""

import io
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from html import escape

from openpyxl import Workbook


def build_workbook(*rows: Sequence[object]) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def build_workbook_with_sheets(**sheets: Sequence[Sequence[object]]) -> bytes:
    """Build a workbook with several sheets, by their names."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def get_content(content: bytes | Callable[[], bytes]) -> bytes:
    """Return the content; a large file is built only when its test asks for it, not at collection."""
    return content() if callable(content) else content


@cache
def build_zip_bomb() -> bytes:
    """Build a small file that unpacks to a hundred megabytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"0" * 100_000_000)
    return buffer.getvalue()


def rezip(content: bytes, **parts: str) -> bytes:
    """Return the workbook with these parts added or replaced, by their names."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as packed,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as changed,
    ):
        for name in {**dict.fromkeys(packed.namelist()), **parts}:
            changed.writestr(name, parts.get(name) or packed.read(name))
    return buffer.getvalue()


def build_zip(**parts: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return buffer.getvalue()


def build_open_sheet(*rows: Sequence[object], name: str = "Liste") -> str:
    """Build a table of an OpenDocument spreadsheet, as LibreOffice writes it."""
    return f'<table:table table:name="{name}">{"".join(map(_format_open_row, rows))}</table:table>'


def build_open_workbook(*tables: str, prolog: str = "") -> bytes:
    """Build an OpenDocument spreadsheet of these tables."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>{prolog}<office:document-content {spaces}><office:body>'
        f"<office:spreadsheet>{''.join(tables)}</office:spreadsheet></office:body></office:document-content>"
    )
    return build_zip(**{"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content})


def _format_open_row(row: Sequence[object]) -> str:
    return f"<table:table-row>{''.join(map(_format_open_cell, row))}</table:table-row>"


def _format_open_cell(value: object) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, int | float):
        return (
            f'<table:table-cell office:value-type="float" office:value="{value}">'
            f"<text:p>{value}</text:p></table:table-cell>"
        )
    text = escape(str(value))
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
