"""Excel workbooks, written row by row: numbers are numbers, and text is never a formula."""

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from web.archives import Archive
from web.sheets.formula_escapes import is_formula
from web.sheets.tables import ColumnKind, Sheet

from .text_formats import format_cell

if TYPE_CHECKING:
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

SAMPLE_ROWS = 200
"""Rows that decide the width of a column."""
MAX_WIDTH = 48
PAGE_WIDTH = 100
"""Characters across a portrait page."""

_NUMBER_FORMATS: Mapping[ColumnKind, str] = {
    ColumnKind.MONEY: "0.00",
    ColumnKind.DAY: "yyyy-mm-dd",
}
_INVALID_NAME_CHARACTERS = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_MAX_NAME_LENGTH = 31


def render_workbook(table: Sheet, *, decimal: str) -> bytes:
    """Render one sheet with the table's name. Its headings stay visible on the screen, and repeat on each
    printed page. The ``decimal`` separator does not matter: numbers are numbers."""
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

    book = Workbook(write_only=True)
    book.properties.title = table.title
    sheet = book.create_sheet(_clean_sheet_name(table.name))
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{_get_letter(len(table.columns))}{len(table.rows) + 1}"
    _set_paper(sheet, table)
    for place, width in enumerate(_compute_widths(table), start=1):
        sheet.column_dimensions[_get_letter(place)].width = width
    cells = _CellFactory(sheet)
    sheet.append([cells.build_heading(column.heading) for column in table.columns])
    kinds = [column.kind for column in table.columns]
    for row in table.rows:
        sheet.append([cells.build_cell(value, kind) for value, kind in zip(row, kinds, strict=True)])
    file = io.BytesIO()
    ExcelWriter(book, Archive(file)).save()
    return file.getvalue()


def _set_paper(sheet: Any, table: Sheet) -> None:
    """Set up printing: fit to the width, with the title in the header and page numbers in the footer."""
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.page_setup.orientation = "landscape" if sum(_compute_widths(table)) > PAGE_WIDTH else "portrait"
    sheet.print_title_rows = "1:1"
    sheet.oddHeader.center.text = table.title.replace("&", "&&")
    sheet.oddFooter.center.text = "&P / &N"


class _CellFactory:
    """Converts values for the sheet's writer: most go as they are, the others as cells."""

    def __init__(self, sheet: "WriteOnlyWorksheet") -> None:
        self.sheet = sheet

    def build_heading(self, text: str) -> Any:
        from openpyxl.styles import Font

        cell = self._build_text_cell(text)
        cell.font = Font(bold=True)
        return cell

    def build_cell(self, value: Any, kind: ColumnKind) -> Any:
        if isinstance(value, str):
            return self._build_text_cell(value) if _is_misread(value) else value
        if value is None or kind not in _NUMBER_FORMATS:
            return value
        return self._build_cell(value, number_format=_NUMBER_FORMATS[kind])

    def _build_text_cell(self, value: str) -> Any:
        """Return a cell with text. Text like a formula is marked as quoted: editing the cell would otherwise
        make it a formula."""
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

        cell = self._build_cell(ILLEGAL_CHARACTERS_RE.sub("", value))
        cell.data_type = "s"
        if is_formula(value):
            cell.quotePrefix = True
        return cell

    def _build_cell(self, value: Any = None, *, number_format: str = "") -> Any:
        from openpyxl.cell import WriteOnlyCell

        cell = WriteOnlyCell(self.sheet, value=value)
        if number_format:
            cell.number_format = number_format
        return cell


def _is_misread(value: str) -> bool:
    """Return whether the writer would take a text for a formula or an error, or refuse its characters."""
    from openpyxl.cell.cell import ERROR_CODES, ILLEGAL_CHARACTERS_RE

    return is_formula(value) or value in ERROR_CODES or ILLEGAL_CHARACTERS_RE.search(value) is not None


def _get_letter(place: int) -> str:
    from openpyxl.utils import get_column_letter

    return get_column_letter(place)


def _compute_widths(table: Sheet) -> Sequence[int]:
    sample = [[column.heading for column in table.columns], *table.rows[:SAMPLE_ROWS]]
    lengths = [[len(format_cell(value, decimal=".")) for value in row] for row in sample]
    return [min(max(lengths_of_column), MAX_WIDTH) + 2 for lengths_of_column in zip(*lengths, strict=True)]


def _clean_sheet_name(name: str) -> str:
    """Return a name that Excel accepts for a sheet."""
    cleaned = _INVALID_NAME_CHARACTERS.sub(" ", name)[:_MAX_NAME_LENGTH].strip(" '")
    return cleaned or "1"
