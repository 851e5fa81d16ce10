"""Money at the desk: payments and prizes."""

from .fees import fee_page, fees_page, undo_fee
from .prize_categories import category_page, new_category_page
from .prizes import prize_page, prizes_page
from .treasurer import rates_page, treasurer_page

__all__ = [
    "category_page",
    "fee_page",
    "fees_page",
    "new_category_page",
    "prize_page",
    "prizes_page",
    "rates_page",
    "treasurer_page",
    "undo_fee",
]
