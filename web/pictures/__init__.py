"""Pictures that people upload, re-encoded as WebP: nothing of the original file is stored.

Plain Python.
"""

from .safe import MOST_BYTES, SafePicture, check_picture, safe_picture

__all__ = ["MOST_BYTES", "SafePicture", "check_picture", "safe_picture"]
