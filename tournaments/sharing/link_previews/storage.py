"""Storage of pictures, so that each is drawn once."""

from functools import partial
from pathlib import Path

from web.render_cache import get_or_render

from .rendering import render_preview
from .values import Picture


def get_png(picture: Picture, path: Path) -> bytes:
    """Return the picture as a PNG: the stored file, or else a new one, which is stored."""
    return get_or_render(path, partial(render_preview, picture))
