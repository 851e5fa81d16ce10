"""Typesetting of papers: from plain values to PDF on Letter or A4, in black. Plain Python; the layouts are in
``layouts/``.

Text that people typed is passed as values and printed as is, never read as markup.
"""

from .documents import Document, Size, Values
from .layout import Progress, cut_texts, missing_letters
from .rendering import make

__all__ = ["Document", "Progress", "Size", "Values", "cut_texts", "make", "missing_letters"]
