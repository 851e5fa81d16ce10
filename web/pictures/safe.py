"""Re-encoding of a picture in a process of its own (``web.sandbox``)."""

from dataclasses import dataclass
from hashlib import sha256

from errors import Refusal
from web.sandbox import FileTooLargeError, SandboxBusyError, run_confined

MAX_BYTES = 15 * 1024 * 1024
"""Bytes of the uploaded file: a phone's photo is half as large."""
_SIGNATURES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
"""How JPEG and PNG files begin."""
_SIZE = 4
"""Bytes in which the child writes width and height each, before the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafePicture:
    """A WebP file, ``width`` by ``height`` pixels."""

    content: bytes
    width: int
    height: int

    @property
    def digest(self) -> str:
        """The file's SHA-256, in hexadecimal digits."""
        return sha256(self.content).hexdigest()


def check_picture(content: bytes, *, field: str) -> None:
    """Check what can be seen without unpacking: the size, and how the file begins.

    Refuses, of that ``field``: picture_too_large, not_a_picture.
    """
    if len(content) > MAX_BYTES:
        raise Refusal("picture_too_large", field=field)
    if not (content.startswith(_SIGNATURES) or content[8:12] == b"WEBP"):
        raise Refusal("not_a_picture", field=field)


def reencode_picture(content: bytes, *, max_side: int, field: str) -> SafePicture:
    """Re-encode a JPEG, PNG or WebP file upright and without metadata, no side longer than ``max_side`` pixels.

    Refuses, of that ``field``: picture_too_large, not_a_picture, workbooks_wait.
    """
    check_picture(content, field=field)
    try:
        output = run_confined("web.pictures", content, str(max_side))
    except SandboxBusyError:
        raise Refusal("workbooks_wait", field=field) from None
    except FileTooLargeError:
        raise Refusal("picture_too_large", field=field) from None
    if output == b"not_a_picture":
        raise Refusal("not_a_picture", field=field)
    if output == b"picture_too_large":
        raise Refusal("picture_too_large", field=field)
    width, height = (int.from_bytes(output[start : start + _SIZE]) for start in (0, _SIZE))
    return SafePicture(content=output[2 * _SIZE :], width=width, height=height)
