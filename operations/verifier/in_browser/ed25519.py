"""Verification of Ed25519 signatures (RFC 8032, section 5.1), with the standard library alone.

It takes a few milliseconds for each, and cannot sign: there are no secrets here. Tests compare it with the
library that a server uses.
"""

import hashlib

Point = tuple[int, int, int, int]
"""Point in extended coordinates: x = X/Z, y = Y/Z, x·y = T/Z."""

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, PRIME) % PRIME
_ROOT = pow(2, (PRIME - 1) // 4, PRIME)
"""Square root of -1."""
_NEUTRAL: Point = (0, 1, 1, 0)


def is_signature_valid(message: bytes, signature: bytes, public: bytes) -> bool:
    """Check whether the key has signed the message."""
    if len(signature) != 64 or len(public) != 32:
        return False
    key, s = _decode_point(public), int.from_bytes(signature[32:], "little")
    if key is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    h = int.from_bytes(digest, "little") % ORDER
    return (
        _encode_point(_add_points(_multiply_point(s, _BASE), _multiply_point(h, _negate_point(key)))) == signature[:32]
    )


def _decode_point(encoded: bytes) -> Point | None:
    """Decode a point (RFC 8032, section 5.1.3); None if the bytes encode no point of the curve."""
    number = int.from_bytes(encoded, "little")
    y, is_odd = number & (2**255 - 1), number >> 255
    if y >= PRIME:
        return None
    x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, PRIME) % PRIME
    x = pow(x_squared, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != x_squared:
        x = x * _ROOT % PRIME
    if x * x % PRIME != x_squared or (x == 0 and is_odd):
        return None
    if x % 2 != is_odd:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


def _encode_point(point: Point) -> bytes:
    inverse = pow(point[2], -1, PRIME)
    x, y = point[0] * inverse % PRIME, point[1] * inverse % PRIME
    return (y | (x % 2) << 255).to_bytes(32, "little")


def _add_points(p: Point, q: Point) -> Point:
    """Add two points (RFC 8032, section 5.1.4)."""
    a = (p[1] - p[0]) * (q[1] - q[0]) % PRIME
    b = (p[1] + p[0]) * (q[1] + q[0]) % PRIME
    c = 2 * p[3] * q[3] * _D % PRIME
    d = 2 * p[2] * q[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def _multiply_point(scalar: int, point: Point) -> Point:
    product = _NEUTRAL
    while scalar:
        if scalar & 1:
            product = _add_points(product, point)
        point, scalar = _add_points(point, point), scalar >> 1
    return product


def _negate_point(point: Point) -> Point:
    x, y, z, t = point
    return -x % PRIME, y, z, -t % PRIME


def _compute_base_point() -> Point:
    base = _decode_point((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))
    assert base is not None
    return base


_BASE = _compute_base_point()
