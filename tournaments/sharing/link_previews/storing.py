"""Pictures are drawn once."""

from functools import partial
from pathlib import Path

from web.once_written import written_once

from .drawing import render_preview
from .values import Picture


def png_of(picture: Picture, path: Path) -> bytes:
    """The picture as PNG: as it lies there, else drawn, and kept for the next one."""
    return written_once(path, partial(render_preview, picture))
