"""Processing of a picture in the child: decode it, turn it upright, encode it again."""

from io import BytesIO

from PIL import Image, ImageOps

from errors import Refusal

FORMATS = ("JPEG", "PNG", "WEBP")
"""Formats that are accepted; the library's other decoders are not used."""
MOST_PIXELS = 50_000_000
"""More than phones take: a picture that claims more is not decoded."""
QUALITY = 80


def drawn_anew(content: bytes, *, most: int) -> tuple[bytes, int, int]:
    """Return a WebP file with its width and height, no side longer than ``most`` pixels.

    Refuses: not_a_picture, picture_too_large.
    """
    try:
        return _redraw(content, most)
    except MemoryError:
        raise Refusal("picture_too_large") from None
    except (OSError, SyntaxError, ValueError):  # of the library, for damaged files and other formats
        raise Refusal("not_a_picture") from None


def _redraw(content: bytes, most: int) -> tuple[bytes, int, int]:
    image = Image.open(BytesIO(content), formats=FORMATS)
    if image.width * image.height > MOST_PIXELS:
        raise Refusal("picture_too_large")
    image.thumbnail((most, most))
    turned = ImageOps.exif_transpose(image)
    mode = "RGBA" if turned.has_transparency_data else "RGB"
    plain = Image.new(mode, turned.size)  # drops everything but the pixels
    plain.paste(turned.convert(mode))
    written = BytesIO()
    plain.save(written, "WEBP", quality=QUALITY)
    return written.getvalue(), plain.width, plain.height
