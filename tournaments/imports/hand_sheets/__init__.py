"""Sheets of hands from spreadsheets: read completely, with a refusal for each bad line. Plain Python."""

from .comparison import is_same_hand
from .parser import MAX_LINES, HandSheet, ImportedHand, read_hand_sheet

__all__ = ["MAX_LINES", "HandSheet", "ImportedHand", "is_same_hand", "read_hand_sheet"]
