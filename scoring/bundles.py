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
MOST_BYTES = 1024 * 1024
DEFLATED = b"\1"
"""First byte of compressed content; uncompressed content begins with a zero byte."""
_FRAME = re.compile(r"CHM1:([HR]):(\d{6}):([A-Z2-7]{8}):(\d{1,2})/(\d{1,2}):([A-Z2-7]+)\.")


class Kind(StrEnum):
    """Kind of a bundle. ``HANDS``: what was tapped at a table. ``ROUND``: what a phone knows of its match."""

    HANDS = "H"
    ROUND = "R"


def bundle_key(code: str) -> str:
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
    def missing(self) -> list[int]:
        return [number for number in range(1, self.count + 1) if number not in self.frames]

    def value(self, key: str) -> dict[str, Any]:
        """Return the content of the bundle. Refuses: bundle_incomplete, bundle_damaged, bundle_foreign: the
        key is another's."""
        if self.missing:
            raise Refusal(
                "bundle_incomplete", field="text", missing=", ".join(map(str, self.missing)), count=self.count
            )
        text = "".join(self.frames[number] for number in sorted(self.frames))
        if self.name != _name(self.kind, self.code, text):
            raise Refusal("bundle_damaged", field="text")
        whole = _from_base32(text)
        content, seal = whole[:-SEAL_LENGTH], whole[-SEAL_LENGTH:]
        if not hmac.compare_digest(seal, _seal(self.kind, self.code, content, key)):
            raise Refusal("bundle_foreign", field="text")
        return _open_seal(content)


def frames_of(kind: Kind, code: str, value: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts of the QR codes for this value, in order."""
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    content = DEFLATED + packer.compress(plain) + packer.flush()
    sealed = content + _seal(kind, code, content, key)
    text = b32encode(sealed).decode().rstrip("=")
    size = ceil(len(text) / ceil(len(text) / FRAME_LENGTH))
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    head = f"CHM1:{kind}:{code}:{_name(kind, code, text)}"
    return [f"{head}:{number}/{len(parts)}:{part}." for number, part in enumerate(parts, start=1)]


def bundles_in(text: str) -> Iterator[Bundle]:
    """Yield the bundles whose frames a text contains, in any order; frames may repeat.

    Refuses: bundle_damaged, where something else stands there too, or nothing does.
    """
    joined = "".join(text.split()).upper()
    if not joined or _FRAME.sub("", joined):
        raise Refusal("bundle_damaged", field="text")
    found: dict[tuple[str, ...], Bundle] = {}
    for kind, code, name, number, count, part in _FRAME.findall(joined):
        bundle = found.setdefault(
            (kind, code, name, count), Bundle(kind=Kind(kind), code=code, name=name, count=int(count))
        )
        if not 1 <= int(number) <= bundle.count or bundle.frames.setdefault(int(number), part) != part:
            raise Refusal("bundle_damaged", field="text")
    yield from found.values()


def _name(kind: str, code: str, text: str) -> str:
    """Return the name of a bundle: a checksum that shows which text a frame belongs to."""
    return b32encode(sha256(f"{kind}:{code}:{text}".encode()).digest()).decode()[:NAME_LENGTH]


def _seal(kind: str, code: str, content: bytes, key: str) -> bytes:
    return hmac.digest(key.encode(), f"{kind}:{code}:".encode() + content, "sha256")[:SEAL_LENGTH]


def _from_base32(text: str) -> bytes:
    try:
        return b32decode(text + "=" * (-len(text) % 8))
    except ValueError:
        raise Refusal("bundle_damaged", field="text") from None


def _open_seal(content: bytes) -> dict[str, Any]:
    """Return the content without its seal. It has at least one byte, which says whether the rest is
    compressed."""
    try:
        form, packed = content[:1], content[1:]
        unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
        plain = unpacker.decompress(packed, MOST_BYTES) if form == DEFLATED else packed
        value = json.loads(plain)
    except (zlib.error, ValueError, RecursionError):
        raise Refusal("bundle_damaged", field="text") from None
    if not isinstance(value, dict):
        raise Refusal("bundle_damaged", field="text")
    return value
