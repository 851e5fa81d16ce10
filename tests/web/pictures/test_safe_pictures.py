"""Pictures that people bring: drawn anew, and refused in a sentence where they are none, or too much."""

import sys
from io import BytesIO
from struct import pack
from typing import Any
from zlib import compress, crc32

import pytest
from PIL import Image

from tests.builders import refusal_of
from web.pictures import MOST_BYTES, safe_picture

pytestmark = pytest.mark.slow

ORIENTATION, MAKER = 0x0112, 0x010F
ON_ITS_SIDE = 6


def file_of(image: Image.Image, kind: str = "PNG", **more: Any) -> bytes:
    out = BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()


def drawn(content: bytes, *, most: int = 100) -> Image.Image:
    made = safe_picture(content, most=most, field="photo")
    image = Image.open(BytesIO(made.content))
    assert (image.format, image.size) == ("WEBP", (made.width, made.height))
    return image


def claimed(width: int, height: int) -> bytes:
    """A PNG of so many pixels, of which only a few are there."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))

    head = chunk(b"IHDR", pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", compress(bytes(10_000))) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_are_as_large_as_they_may_be_and_no_larger(kind: str) -> None:
    assert drawn(file_of(Image.new("RGB", (400, 200), "red"), kind)).size == (100, 50)
    assert drawn(file_of(Image.new("RGB", (40, 20), "red"), kind)).size == (40, 20)


def test_stand_as_they_were_held_and_say_nothing_of_the_camera() -> None:
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = ON_ITS_SIDE, "A camera of mine"
    content = file_of(Image.new("RGB", (400, 200), "red"), "JPEG", exif=exif, comment=b"and a comment")
    made = safe_picture(content, most=100, field="photo")
    assert (made.width, made.height) == (50, 100)
    assert b"camera" not in made.content
    assert b"comment" not in made.content


def test_keep_what_is_seen_through() -> None:
    assert drawn(file_of(Image.new("RGBA", (10, 10), (255, 0, 0, 0)))).mode == "RGBA"


@pytest.mark.parametrize(
    "content",
    [b"", b"no picture", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.7", claimed(100, 100)[:60]],
)
def test_are_refused_where_they_are_none(content: bytes) -> None:
    refusal = refusal_of(safe_picture, content, most=100, field="photo")
    assert (refusal.code, refusal.field) == ("not_a_picture", "photo")


def test_of_other_kinds_are_not_read() -> None:
    content = file_of(Image.new("P", (10, 10)), "GIF")
    assert refusal_of(safe_picture, content, most=100, field="photo").code == "not_a_picture"


@pytest.mark.parametrize(
    "content", [claimed(60_000, 60_000), claimed(8_000, 8_000), bytes(MOST_BYTES + 1)], ids=len
)
def test_are_refused_where_they_take_too_much(content: bytes) -> None:
    assert refusal_of(safe_picture, content, most=100, field="photo").code == "picture_too_large"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count what a process takes")
def test_of_a_telephone_are_drawn_within_the_memory_that_they_may_take() -> None:
    image = Image.effect_noise((3000, 4000), 40).convert("RGB").resize((6000, 8000), Image.Resampling.NEAREST)
    assert drawn(file_of(image, "JPEG", quality=30), most=1600).size == (1200, 1600)
