"""Papers: from plain values to PDF on Letter or A4, in black. Plain Python; the layouts are in ``layouts/``.

Whatever people typed is a value, and is printed as it stands: nothing in it is read as markup.
"""

from .documents import Document, Size, Values
from .layout import Progress
from .making import make

__all__ = ["Document", "Progress", "Size", "Values", "make"]
