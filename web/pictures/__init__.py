"""Pictures that people upload, re-encoded as WebP: nothing of the original file is stored.

Plain Python.
"""

from .safe import MAX_BYTES, SafePicture, check_picture, reencode_picture
