"""The square to scan that is printed: a picture of one bit a point, as printers draw it sharply."""

from io import BytesIO

import segno

POINTS = 8
"""To a side of each of its modules."""


def square(address: str) -> bytes:
    """The QR code of the address, as PNG without a border: the paper around it is white."""
    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(drawn, kind="png", scale=POINTS, border=0)
    return drawn.getvalue()
