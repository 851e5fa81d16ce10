"""Money at the desk: who has paid, and what was won."""

from .fees import fee_page, fees_page, rates_page, undo_fee
from .prizes import prize_page, prizes_page

__all__ = ["fee_page", "fees_page", "prize_page", "prizes_page", "rates_page", "undo_fee"]
