"""Typesetting of papers: from plain values to PDF on Letter or A4, in black. Plain Python; the layouts are in
``layouts/``.

Text that people typed is passed as values and printed as is, never read as markup.
"""

from .documents import Document, Size, Values
from .layout import Progress, find_cut_texts, find_missing_letters
from .rendering import make_pdf

__all__ = ["Document", "Progress", "Size", "Values", "find_cut_texts", "find_missing_letters", "make_pdf"]
