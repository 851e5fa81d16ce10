"""QR codes for printing: pictures of one bit per point, which printers render sharply."""

from io import BytesIO

import segno

POINTS = 8
"""Points on a side of each module."""


def square(address: str) -> bytes:
    """Return the QR code of the address, as PNG without a border, as the paper around it is white."""
    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(drawn, kind="png", scale=POINTS, border=0)
    return drawn.getvalue()
