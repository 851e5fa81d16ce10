"""Excel workbooks as people save them, and as nobody should."""

import io
import zipfile
from collections.abc import Sequence

from openpyxl import Workbook


def a_workbook(*rows: Sequence[object]) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def a_bomb() -> bytes:
    """A small file that unpacks to a hundred megabytes."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"0" * 100_000_000)
    return kept.getvalue()


def a_zip(**parts: str) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return kept.getvalue()
