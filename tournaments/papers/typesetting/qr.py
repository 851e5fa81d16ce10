"""QR codes for printing: pictures of one bit per point, which printers render sharply."""

from io import BytesIO

import segno

POINTS_PER_MODULE = 8
"""Points on a side of each module."""


def render_qr_code(address: str) -> bytes:
    """Return the QR code of the address, as PNG without a border, as the paper around it is white."""
    image = BytesIO()
    segno.make(address, error="m", micro=False).save(image, kind="png", scale=POINTS_PER_MODULE, border=0)
    return image.getvalue()
