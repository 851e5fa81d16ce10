"""Export of tables for spreadsheets (CSV, Excel), programs (JSON) and e-mails (text)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from web.sheets.tables import Sheet
from web.sheets.writing import text_formats, workbook


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFormat:
    """A file format. ``write`` makes the bytes of a table; ``decimal`` is the decimal separator.

    With ``is_for_people`` it has words, otherwise codes for programs. With ``is_saved`` browsers download it,
    since they cannot display it.
    """

    content_type: str
    write: Callable[..., bytes]
    is_for_people: bool = True
    is_saved: bool = True


FORMATS: Mapping[str, SheetFormat] = {
    "csv": SheetFormat(content_type="text/csv; charset=utf-8", write=text_formats.render_csv),
    "xlsx": SheetFormat(
        content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        write=workbook.render_workbook,
    ),
    "txt": SheetFormat(content_type="text/plain; charset=utf-8", write=text_formats.render_text_table, is_saved=False),
    "json": SheetFormat(
        content_type="application/json", write=text_formats.render_json, is_for_people=False, is_saved=False
    ),
}
"""Formats by the ending of the file's name."""


def render_sheet(table: Sheet, extension: str, *, decimal: str = ".") -> bytes:
    """Return the table as a file with that ending."""
    return FORMATS[extension].write(table, decimal=decimal)
