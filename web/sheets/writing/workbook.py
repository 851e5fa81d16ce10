"""Excel workbooks, written row by row: numbers are numbers, and text is never a formula."""

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from web.archives import Archive
from web.sheets.formula_escapes import is_armed
from web.sheets.tables import ColumnKind, Sheet

from .cell_text import cell_text

if TYPE_CHECKING:
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

LOOKED_AT = 200
"""Rows that decide the width of a column."""
WIDEST = 48
ACROSS_A_PAGE = 100
"""Characters across a portrait page."""

_LOOKS: Mapping[ColumnKind, str] = {
    ColumnKind.MONEY: "0.00",
    ColumnKind.DAY: "yyyy-mm-dd",
}
_NOT_IN_A_NAME = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_LONGEST_NAME = 31


def render_workbook(table: Sheet, *, decimal: str) -> bytes:
    """Render one sheet with the table's name. Its headings stay visible on the screen, and repeat on each
    printed page. The ``decimal`` separator does not matter: numbers are numbers."""
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

    book = Workbook(write_only=True)
    book.properties.title = table.title
    sheet = book.create_sheet(_sheet_name(table.name))
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{_letter(len(table.columns))}{len(table.rows) + 1}"
    _set_paper(sheet, table)
    for place, width in enumerate(_widths(table), start=1):
        sheet.column_dimensions[_letter(place)].width = width
    cells = _Cells(sheet)
    sheet.append([cells.heading(column.heading) for column in table.columns])
    kinds = [column.kind for column in table.columns]
    for row in table.rows:
        sheet.append([cells.of(value, kind) for value, kind in zip(row, kinds, strict=True)])
    file = io.BytesIO()
    ExcelWriter(book, Archive(file)).save()
    return file.getvalue()


def _set_paper(sheet: Any, table: Sheet) -> None:
    """Set up printing: fit to the width, with the title in the header and page numbers in the footer."""
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.page_setup.orientation = "landscape" if sum(_widths(table)) > ACROSS_A_PAGE else "portrait"
    sheet.print_title_rows = "1:1"
    sheet.oddHeader.center.text = table.title.replace("&", "&&")
    sheet.oddFooter.center.text = "&P / &N"


class _Cells:
    """Converts values for the sheet's writer: most go as they are, the others as cells."""

    def __init__(self, sheet: "WriteOnlyWorksheet") -> None:
        self.sheet = sheet

    def heading(self, text: str) -> Any:
        from openpyxl.styles import Font

        cell = self._text(text)
        cell.font = Font(bold=True)
        return cell

    def of(self, value: Any, kind: ColumnKind) -> Any:
        if isinstance(value, str):
            return self._text(value) if _is_taken_otherwise(value) else value
        if value is None or kind not in _LOOKS:
            return value
        return self._new(value, number_format=_LOOKS[kind])

    def _text(self, value: str) -> Any:
        """Return a cell with text. Text like a formula is marked as quoted: editing the cell would otherwise
        make it a formula."""
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

        cell = self._new(ILLEGAL_CHARACTERS_RE.sub("", value))
        cell.data_type = "s"
        if is_armed(value):
            cell.quotePrefix = True
        return cell

    def _new(self, value: Any = None, *, number_format: str = "") -> Any:
        from openpyxl.cell import WriteOnlyCell

        cell = WriteOnlyCell(self.sheet, value=value)
        if number_format:
            cell.number_format = number_format
        return cell


def _is_taken_otherwise(value: str) -> bool:
    """Return whether the writer would take a text for a formula or an error, or refuse its characters."""
    from openpyxl.cell.cell import ERROR_CODES, ILLEGAL_CHARACTERS_RE

    return is_armed(value) or value in ERROR_CODES or ILLEGAL_CHARACTERS_RE.search(value) is not None


def _letter(place: int) -> str:
    from openpyxl.utils import get_column_letter

    return get_column_letter(place)


def _widths(table: Sheet) -> Sequence[int]:
    looked_at = [[column.heading for column in table.columns], *table.rows[:LOOKED_AT]]
    lengths = [[len(cell_text(value, decimal=".")) for value in row] for row in looked_at]
    return [min(max(of_column), WIDEST) + 2 for of_column in zip(*lengths, strict=True)]


def _sheet_name(name: str) -> str:
    """Return a name that Excel accepts for a sheet."""
    cleaned = _NOT_IN_A_NAME.sub(" ", name)[:_LONGEST_NAME].strip(" '")
    return cleaned or "1"
