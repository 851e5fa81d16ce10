"""Verification of Ed25519 signatures (RFC 8032, section 5.1), with the standard library alone.

It takes a few milliseconds for each, and cannot sign: there are no secrets here. Tests compare it with the
library that a server uses.
"""

from __future__ import annotations

import hashlib

Point = tuple[int, int, int, int]
"""Point in extended coordinates: x = X/Z, y = Y/Z, x·y = T/Z."""

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, PRIME) % PRIME
_ROOT = pow(2, (PRIME - 1) // 4, PRIME)
"""Square root of -1."""
_NEUTRAL: Point = (0, 1, 1, 0)


def is_signed(message: bytes, signature: bytes, public: bytes) -> bool:
    """Check whether the key has signed the message."""
    if len(signature) != 64 or len(public) != 32:
        return False
    key, s = _point_of(public), int.from_bytes(signature[32:], "little")
    if key is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    h = int.from_bytes(digest, "little") % ORDER
    return _bytes_of(_sum(_times(s, _BASE), _times(h, _negative(key)))) == signature[:32]


def _point_of(written: bytes) -> Point | None:
    """Decode a point (RFC 8032, section 5.1.3); None if the bytes encode no point of the curve."""
    number = int.from_bytes(written, "little")
    y, is_odd = number & (2**255 - 1), number >> 255
    if y >= PRIME:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * _ROOT % PRIME
    if x * x % PRIME != square or (x == 0 and is_odd):
        return None
    if x % 2 != is_odd:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


def _bytes_of(point: Point) -> bytes:
    inverse = pow(point[2], -1, PRIME)
    x, y = point[0] * inverse % PRIME, point[1] * inverse % PRIME
    return (y | (x % 2) << 255).to_bytes(32, "little")


def _sum(one: Point, other: Point) -> Point:
    """Add two points (RFC 8032, section 5.1.4)."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % PRIME
    b = (one[1] + one[0]) * (other[1] + other[0]) % PRIME
    c = 2 * one[3] * other[3] * _D % PRIME
    d = 2 * one[2] * other[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def _times(scalar: int, point: Point) -> Point:
    found = _NEUTRAL
    while scalar:
        if scalar & 1:
            found = _sum(found, point)
        point, scalar = _sum(point, point), scalar >> 1
    return found


def _negative(point: Point) -> Point:
    x, y, z, t = point
    return -x % PRIME, y, z, -t % PRIME


def _base() -> Point:
    base = _point_of((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))
    assert base is not None
    return base


_BASE = _base()
