"""Sheets that people bring, CSV as spreadsheets save it or an Excel workbook; and CSV that they take away.

Plain Python.
"""

from .columns import by_column, places_of
from .reading import lines_of_sheet, text_of_sheet
from .writing import line_of_sheet

__all__ = ["by_column", "line_of_sheet", "lines_of_sheet", "places_of", "text_of_sheet"]
