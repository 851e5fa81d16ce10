"""Pictures that people bring, drawn anew: what is kept is WebP of our own writing, and nothing of the file.

Plain Python.
"""

from .safe import MOST_BYTES, SafePicture, safe_picture

__all__ = ["MOST_BYTES", "SafePicture", "safe_picture"]
