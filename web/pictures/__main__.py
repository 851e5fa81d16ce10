"""The child of ``web.sandbox`` for pictures.

It reads a picture from standard input, and writes its width, its height and the new file, or
the code of a refusal.
"""

import sys
from io import BytesIO

from PIL import Image, ImageOps

from errors import Refusal
from web.sandbox import limit_current_process

FORMATS = ("JPEG", "PNG", "WEBP")
"""Formats that are accepted; the library's other decoders are not used."""
MAX_PIXELS = 50_000_000
"""More than phones take: a picture that claims more is not decoded."""
QUALITY = 80


def encode_picture(content: bytes, *, max_side: int) -> tuple[bytes, int, int]:
    """Return a WebP file with its width and height, no side longer than ``max_side`` pixels.

    Refuses: not_a_picture, picture_too_large.
    """
    try:
        return _encode(content, max_side)
    except MemoryError:
        raise Refusal("picture_too_large") from None
    except (OSError, SyntaxError, ValueError):  # of the library, for damaged files and other formats
        raise Refusal("not_a_picture") from None


def _encode(content: bytes, max_side: int) -> tuple[bytes, int, int]:
    image = Image.open(BytesIO(content), formats=FORMATS)
    if image.width * image.height > MAX_PIXELS:
        raise Refusal("picture_too_large")
    image.thumbnail((max_side, max_side))
    upright = ImageOps.exif_transpose(image)
    mode = "RGBA" if upright.has_transparency_data else "RGB"
    clean_image = Image.new(mode, upright.size)  # drops everything but the pixels
    clean_image.paste(upright.convert(mode))
    output = BytesIO()
    clean_image.save(output, "WEBP", quality=QUALITY)
    return output.getvalue(), clean_image.width, clean_image.height


def main(max_side: int) -> None:
    limit_current_process()
    try:
        content, width, height = encode_picture(sys.stdin.buffer.read(), max_side=max_side)
    except Refusal as refusal:
        sys.stdout.write(refusal.code)
    else:
        sys.stdout.buffer.write(width.to_bytes(4) + height.to_bytes(4) + content)


if __name__ == "__main__":
    main(int(sys.argv[1]))
