"""Sheets that people bring, CSV as spreadsheets save it or an Excel workbook; and tables that they take away.

Plain Python.
"""

from .columns import by_column, places_of
from .reading import lines_of_sheet, text_of_sheet
from .tables import Column, Kind, Table
from .writing import FORMATS, written

__all__ = [
    "FORMATS",
    "Column",
    "Kind",
    "Table",
    "by_column",
    "lines_of_sheet",
    "places_of",
    "text_of_sheet",
    "written",
]
