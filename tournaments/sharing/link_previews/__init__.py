"""The picture that a shared link shows: plain values become a PNG, and are drawn once. Plain Python.

What stands in a picture is all that its tag and its file depend on: what is not shown cannot leak.

>>> picture = Picture(club="Les As", title="Coupe", below="1er mai 2027", kicker="Final standings", lines=())
>>> len(picture.digest)
40
"""

from .drawing import HEIGHT, WIDTH, render_preview
from .storing import png_of
from .values import MOST_LINES, Picture, PictureLine

__all__ = ["HEIGHT", "MOST_LINES", "WIDTH", "Picture", "PictureLine", "png_of", "render_preview"]
