"""Link preview pictures: plain values become a PNG, drawn once. Plain Python.

The tag and the file of a picture depend on its visible content alone, so nothing hidden can leak.

>>> picture = Picture(club="Les As", title="Coupe", below="1er mai 2027", kicker="Final standings", lines=())
>>> len(picture.digest)
40
"""

from .rendering import HEIGHT, WIDTH, render_preview
from .storage import get_png
from .values import MAX_LINES, Picture, PictureLine

__all__ = ["HEIGHT", "MAX_LINES", "WIDTH", "Picture", "PictureLine", "get_png", "render_preview"]
