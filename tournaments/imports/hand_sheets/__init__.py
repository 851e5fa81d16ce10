"""Sheets of hands from spreadsheets: read completely, with a refusal for each bad line. Plain Python."""

from .hand_comparison import says_the_same
from .reading import MOST_LINES, HandSheet, ListedHand, read_hand_sheet

__all__ = ["MOST_LINES", "HandSheet", "ListedHand", "read_hand_sheet", "says_the_same"]
