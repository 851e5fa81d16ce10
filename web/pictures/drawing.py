"""What the child does with a picture: opens it, turns it as it was held, and writes it anew."""

from io import BytesIO

from PIL import Image, ImageOps

from rules import Refusal

FORMATS = ("JPEG", "PNG", "WEBP")
"""What is read; no other reader of the library is asked."""
MOST_PIXELS = 50_000_000
"""More than telephones take: what claims to be larger is not unpacked."""
QUALITY = 80


def drawn_anew(content: bytes, *, most: int) -> tuple[bytes, int, int]:
    """A WebP file, its width and its height, no side of it longer than ``most`` pixels.

    Refuses: not_a_picture, picture_too_large.
    """
    try:
        return _redraw(content, most)
    except MemoryError:
        raise Refusal("picture_too_large") from None
    except (OSError, SyntaxError, ValueError):  # as the library says that a file is none, or damaged
        raise Refusal("not_a_picture") from None


def _redraw(content: bytes, most: int) -> tuple[bytes, int, int]:
    image = Image.open(BytesIO(content), formats=FORMATS)
    if image.width * image.height > MOST_PIXELS:
        raise Refusal("picture_too_large")
    image.thumbnail((most, most))
    turned = ImageOps.exif_transpose(image)
    mode = "RGBA" if turned.has_transparency_data else "RGB"
    plain = Image.new(mode, turned.size)  # nothing goes along but what is seen
    plain.paste(turned.convert(mode))
    written = BytesIO()
    plain.save(written, "WEBP", quality=QUALITY)
    return written.getvalue(), plain.width, plain.height
