"""Uploaded pictures are encoded again; invalid or oversized ones are refused."""

import sys
from io import BytesIO
from struct import pack
from typing import Any
from zlib import compress, crc32

import pytest
from PIL import Image

from tests.builders import get_refusal
from web.pictures import MAX_BYTES, reencode_picture

pytestmark = pytest.mark.slow

ORIENTATION, MAKER = 0x0112, 0x010F
ROTATED_ORIENTATION = 6


def encode_image(image: Image.Image, kind: str = "PNG", **more: Any) -> bytes:
    out = BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()


def render_picture(content: bytes, *, most: int = 100) -> Image.Image:
    made = reencode_picture(content, max_side=most, field="photo")
    image = Image.open(BytesIO(made.content))
    assert (image.format, image.size) == ("WEBP", (made.width, made.height))
    return image


def build_png(width: int, height: int) -> bytes:
    """Build a PNG that declares this size, but has few of its pixels."""

    def build_chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))

    head = build_chunk(b"IHDR", pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + build_chunk(b"IDAT", compress(bytes(10_000))) + build_chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.long
def test_large_picture_is_scaled_down_and_a_small_one_is_not(kind: str) -> None:
    assert render_picture(encode_image(Image.new("RGB", (400, 200), "red"), kind)).size == (100, 50)
    assert render_picture(encode_image(Image.new("RGB", (40, 20), "red"), kind)).size == (40, 20)


@pytest.mark.long
def test_orientation_is_applied_and_metadata_removed() -> None:
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = ROTATED_ORIENTATION, "A camera of mine"
    content = encode_image(Image.new("RGB", (400, 200), "red"), "JPEG", exif=exif, comment=b"and a comment")
    made = reencode_picture(content, max_side=100, field="photo")
    assert (made.width, made.height) == (50, 100)
    assert b"camera" not in made.content
    assert b"comment" not in made.content


def test_transparency_survives_the_encoding() -> None:
    assert render_picture(encode_image(Image.new("RGBA", (10, 10), (255, 0, 0, 0)))).mode == "RGBA"


@pytest.mark.parametrize(
    "content",
    [b"", b"no picture", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.7", build_png(100, 100)[:60]],
)
def test_non_picture_upload_is_refused(content: bytes) -> None:
    refusal = get_refusal(reencode_picture, content, max_side=100, field="photo")
    assert (refusal.code, refusal.field) == ("not_a_picture", "photo")


def test_unsupported_picture_format_is_refused() -> None:
    content = encode_image(Image.new("P", (10, 10)), "GIF")
    assert get_refusal(reencode_picture, content, max_side=100, field="photo").code == "not_a_picture"


@pytest.mark.parametrize("content", [build_png(60_000, 60_000), build_png(8_000, 8_000), bytes(MAX_BYTES + 1)], ids=len)
def test_oversized_picture_is_refused(content: bytes) -> None:
    assert get_refusal(reencode_picture, content, max_side=100, field="photo").code == "picture_too_large"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count what a process takes")
@pytest.mark.long
def test_phone_photo_is_scaled_within_the_memory_limit() -> None:
    image = Image.effect_noise((3000, 4000), 40).convert("RGB").resize((6000, 8000), Image.Resampling.NEAREST)
    assert render_picture(encode_image(image, "JPEG", quality=30), most=1600).size == (1200, 1600)
