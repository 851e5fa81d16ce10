"""A picture drawn anew in a process of its own (``web.confinement``)."""

from dataclasses import dataclass
from hashlib import sha256

from rules import Refusal
from web.confinement import NoReaderFree, TooMuchToRead, run_confined

MOST_BYTES = 15 * 1024 * 1024
"""Of the file: a photo as telephones take it is half as large."""
_SIZE = 4
"""Bytes in which the child writes each side, before the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafePicture:
    """A WebP file, so many pixels large."""

    content: bytes
    width: int
    height: int

    @property
    def digest(self) -> str:
        """SHA-256 of the file, in hexadecimal digits."""
        return sha256(self.content).hexdigest()


def safe_picture(content: bytes, *, most: int, field: str) -> SafePicture:
    """The picture of a JPEG, PNG or WebP file as it is looked at, no side of it longer than ``most`` pixels,
    without what a camera says beside it.

    Refuses, of that ``field``: picture_too_large, not_a_picture, workbooks_wait.
    """
    if len(content) > MOST_BYTES:
        raise Refusal("picture_too_large", field=field)
    try:
        drawn = run_confined("web.pictures", content, str(most))
    except NoReaderFree:
        raise Refusal("workbooks_wait", field=field) from None
    except TooMuchToRead:
        raise Refusal("picture_too_large", field=field) from None
    if drawn == b"not_a_picture":
        raise Refusal("not_a_picture", field=field)
    if drawn == b"picture_too_large":
        raise Refusal("picture_too_large", field=field)
    width, height = (int.from_bytes(drawn[start : start + _SIZE]) for start in (0, _SIZE))
    return SafePicture(content=drawn[2 * _SIZE :], width=width, height=height)
