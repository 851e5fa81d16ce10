"""Sizes of files and memory in words."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_noop

STEP = 1000
"""Factor between units, as disks, files and phones use it; only memory is counted by 1,024."""
UNITS = (gettext_noop("kB"), gettext_noop("MB"), gettext_noop("GB"))
MIN_SIZE_SHOWN = Decimal("0.1")
"""The least size that is written, in the smallest unit."""


def size_in_words(count: int) -> str:
    """Format a number of bytes: ``340 kB``, ``1.2 MB``, ``77 GB``.

    With a decimal below ten, and a nonbreaking space before the unit. Nothing is ``0 kB``, a few bytes ``0.1 kB``.
    """
    size, units = max(Decimal(count) / STEP, MIN_SIZE_SHOWN) if count else Decimal(), iter(UNITS)
    unit = next(units)
    while round(size) >= STEP and (larger := next(units, None)):
        size, unit = size / STEP, larger
    places = 1 if 0 < size < 10 else 0
    return f"{number_format(round(size, places), decimal_pos=places)}\u00a0{gettext(unit)}"
