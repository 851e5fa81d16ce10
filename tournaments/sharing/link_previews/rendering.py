"""Drawing of pictures: typst lays out the values as a PNG."""

from pathlib import Path
from typing import Any

from web.typesetting import build_compiler

from .values import Picture

LAYOUTS = Path(__file__).parent / "layouts"
WIDTH, HEIGHT = 1200, 630
"""Size in pixels, as every network asks for; the layout's page has as many points."""
PICTURE_DPI = 72.0


def render_preview(picture: Picture) -> bytes:
    """Draw the picture as a PNG."""
    png: Any = build_compiler(LAYOUTS / "picture.typ", picture.values).compile(format="png", ppi=PICTURE_DPI)
    return bytes(png)
