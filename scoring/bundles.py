"""Bundles: hands and matches as texts for QR codes, exchanged between table and desk without a network.

See docs/decisions/0041-exchange-hands-by-qr-code.md. The counterpart in JavaScript is
``static/js/bundle.js``.

A bundle is JSON, compressed, with a seal by the key of its table's card. It is shown in *frames*, one code
each:

    CHM1:H:123456:K3JQZ5YA:2/3:MFRGGZDF.

which are the form, what it is (``Kind``), the card's code, the bundle's name, which of its frames, and a part
of it in base32. What a mail program has wrapped is still read; what is damaged or cut is refused.
"""

import hmac
import json
import re
import zlib
from base64 import b32decode, b32encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from math import ceil
from typing import Any

from django.utils.crypto import salted_hmac

from errors import Refusal

SALT = "scoring.bundles"
"""Salt of bundle keys. Phones keep their key over an upgrade: never change it, even if the module is
renamed."""
KEY_LENGTH = 32
SEAL_LENGTH = 16
NAME_LENGTH = 8
FRAME_LENGTH = 440
"""Maximum length of a frame. Its QR code then has 69 modules a side, and phones read it from a screen even in
bad light."""
MAX_BYTES = 1024 * 1024
DEFLATE_MARKER = b"\1"
"""First byte of compressed content; uncompressed content begins with a zero byte."""
_FRAME = re.compile(r"CHM1:([HR]):(\d{6}):([A-Z2-7]{8}):(\d{1,2})/(\d{1,2}):([A-Z2-7]+)\.")


class Kind(StrEnum):
    """Kind of a bundle. ``HANDS``: what was tapped at a table. ``ROUND``: what a phone knows of its match."""

    HANDS = "H"
    ROUND = "R"


def derive_bundle_key(code: str) -> str:
    """Return the key shared by the phones of a table and this installation. It is derived from the card's
    code."""
    return salted_hmac(SALT, code, algorithm="sha256").hexdigest()[:KEY_LENGTH]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A bundle put together from the frames of a text; ``frames`` by their numbers, of ``count``."""

    kind: Kind
    code: str
    name: str
    count: int
    frames: dict[int, str] = field(default_factory=dict)

    @property
    def missing_frames(self) -> list[int]:
        return [number for number in range(1, self.count + 1) if number not in self.frames]

    def read_content(self, key: str) -> dict[str, Any]:
        """Return the content of the bundle. Refuses: bundle_incomplete, bundle_damaged, bundle_foreign: the
        key is another's."""
        if self.missing_frames:
            raise Refusal(
                "bundle_incomplete", field="text", missing=", ".join(map(str, self.missing_frames)), count=self.count
            )
        text = "".join(self.frames[number] for number in sorted(self.frames))
        if self.name != _compute_name(self.kind, self.code, text):
            raise Refusal("bundle_damaged", field="text")
        data = _decode_base32(text)
        content, seal = data[:-SEAL_LENGTH], data[-SEAL_LENGTH:]
        if not hmac.compare_digest(seal, _compute_seal(self.kind, self.code, content, key)):
            raise Refusal("bundle_foreign", field="text")
        return _decode_content(content)


def build_frames(kind: Kind, code: str, value: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts of the QR codes for this value, in order."""
    payload = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    content = DEFLATE_MARKER + packer.compress(payload) + packer.flush()
    signed_content = content + _compute_seal(kind, code, content, key)
    text = b32encode(signed_content).decode().rstrip("=")
    size = ceil(len(text) / ceil(len(text) / FRAME_LENGTH))
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    prefix = f"CHM1:{kind}:{code}:{_compute_name(kind, code, text)}"
    return [f"{prefix}:{number}/{len(parts)}:{part}." for number, part in enumerate(parts, start=1)]


def parse_bundles(text: str) -> Iterator[Bundle]:
    """Yield the bundles whose frames a text contains, in any order; frames may repeat.

    Refuses: bundle_damaged, where something else stands there too, or nothing does.
    """
    frames_text = "".join(text.split()).upper()
    if not frames_text or _FRAME.sub("", frames_text):
        raise Refusal("bundle_damaged", field="text")
    bundles: dict[tuple[str, ...], Bundle] = {}
    for kind, code, name, number, count, part in _FRAME.findall(frames_text):
        bundle = bundles.setdefault(
            (kind, code, name, count), Bundle(kind=Kind(kind), code=code, name=name, count=int(count))
        )
        if not 1 <= int(number) <= bundle.count or bundle.frames.setdefault(int(number), part) != part:
            raise Refusal("bundle_damaged", field="text")
    yield from bundles.values()


def _compute_name(kind: str, code: str, text: str) -> str:
    """Return the name of a bundle: a checksum that shows which text a frame belongs to."""
    return b32encode(sha256(f"{kind}:{code}:{text}".encode()).digest()).decode()[:NAME_LENGTH]


def _compute_seal(kind: str, code: str, content: bytes, key: str) -> bytes:
    return hmac.digest(key.encode(), f"{kind}:{code}:".encode() + content, "sha256")[:SEAL_LENGTH]


def _decode_base32(text: str) -> bytes:
    try:
        return b32decode(text + "=" * (-len(text) % 8))
    except ValueError:
        raise Refusal("bundle_damaged", field="text") from None


def _decode_content(content: bytes) -> dict[str, Any]:
    """Return the content without its seal. It has at least one byte, which says whether the rest is
    compressed."""
    try:
        form, body = content[:1], content[1:]
        unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
        data = unpacker.decompress(body, MAX_BYTES) if form == DEFLATE_MARKER else body
        value = json.loads(data)
    except (zlib.error, ValueError, RecursionError):
        raise Refusal("bundle_damaged", field="text") from None
    if not isinstance(value, dict):
        raise Refusal("bundle_damaged", field="text")
    return value
