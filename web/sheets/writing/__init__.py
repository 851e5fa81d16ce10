"""Tables as files: for spreadsheets (CSV, Excel), for programs (JSON), and as text for an e-mail."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from web.sheets.tables import Table
from web.sheets.writing import plain_text, programs, separated, workbook


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """``write`` makes the bytes of a table; ``decimal`` is what stands in numbers for the decimal point.
    ``is_for_people``: in words; programs get codes. ``is_saved``: a browser has nothing to show it with."""

    content_type: str
    write: Callable[..., bytes]
    is_for_people: bool = True
    is_saved: bool = True


FORMATS: Mapping[str, Format] = {
    "csv": Format(content_type="text/csv; charset=utf-8", write=separated.written),
    "xlsx": Format(
        content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        write=workbook.written,
    ),
    "txt": Format(content_type="text/plain; charset=utf-8", write=plain_text.written, is_saved=False),
    "json": Format(
        content_type="application/json", write=programs.written, is_for_people=False, is_saved=False
    ),
}
"""By the ending of the file's name."""


def written(table: Table, ending: str, *, decimal: str = ".") -> bytes:
    """The table as a file of that ending."""
    return FORMATS[ending].write(table, decimal=decimal)


__all__ = ["FORMATS", "Format", "written"]
