"""Processing of a picture in the child: decode it, turn it upright, encode it again."""

from io import BytesIO

from PIL import Image, ImageOps

from errors import Refusal

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
