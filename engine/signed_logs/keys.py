"""Keys of Ed25519 (RFC 8032), each half as 64 digits of hex."""

import hashlib
import secrets

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


def generate_private_key() -> str:
    """Return a new private key: 32 random bytes in hexadecimal (RFC 8032, Ed25519)."""
    return secrets.token_hex(32)  # any 32 bytes are one: RFC 8032, section 5.1.5


def get_public_key(private: str) -> str:
    """Return the public key of a private one, both in hexadecimal."""
    return _load_private_key(private).public_key().public_bytes_raw().hex()


def create_signature(message: bytes, private: str) -> str:
    return _load_private_key(private).sign(message).hex()


def is_signed(message: bytes, signature: str, public: str) -> bool:
    """Return whether the key has signed the message; an invalid key or signature has not."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def get_fingerprint(public: str) -> str:
    """Return the fingerprint by which two people compare a key: the first 128 bits of its SHA-256, in groups
    of four."""
    return group_digits(hashlib.sha256(bytes.fromhex(public)).hexdigest()[:32])


def group_digits(digits: str) -> str:
    """Group digits as people read them to each other: ``9f3a 01bc``."""
    return " ".join(digits[place : place + 4] for place in range(0, len(digits), 4))


def is_key_match(public: str, identifier: str) -> bool:
    """Return whether ``identifier`` is the fingerprint of the key, or the key itself."""
    digits = "".join(identifier.split()).lower()
    return digits in (public, get_fingerprint(public).replace(" ", ""))


def _load_private_key(digits: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(digits))
