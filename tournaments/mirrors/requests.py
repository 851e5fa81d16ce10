"""Headers of a request to the other installation: they sign its packed body, its address, its time and a
nonce, so that nothing has to be unpacked to know who sent it, and that it is new."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from engine.signed_logs.keys import is_signed, signature_of

PAIRING_HEADER = "Charlemagne-Pairing"
TIME_HEADER = "Charlemagne-Time"
NONCE_HEADER = "Charlemagne-Nonce"
SIGNATURE_HEADER = "Charlemagne-Signature"
_SIGNS = "charlemagne request"
"""Prefix of the signed bytes, so that no signature made for another purpose is valid here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestHeaders:
    """Headers of one request; ``at`` is its time."""

    pairing: str
    at: datetime
    nonce: str
    signature: str = ""

    def as_dict(self) -> dict[str, str]:
        return {
            "Content-Type": "application/gzip",
            PAIRING_HEADER: self.pairing,
            TIME_HEADER: self.at.isoformat(),
            NONCE_HEADER: self.nonce,
            SIGNATURE_HEADER: self.signature,
        }

    def is_of(self, key: str, *, path: str, packed: bytes) -> bool:
        """Return whether this key signed the request for that path."""
        return is_signed(self.signed_bytes(path, packed), self.signature, key)

    def signed_bytes(self, path: str, packed: bytes) -> bytes:
        parts = (_SIGNS, self.pairing, path, self.at.isoformat(), self.nonce, sha256(packed).hexdigest())
        return "\n".join(parts).encode()


def signed_headers(packed: bytes, *, path: str, pairing: str, private: str, at: datetime) -> dict[str, str]:
    """Return the headers of a new request, signed by this key; ``at`` is the time at the receiver."""
    plain = RequestHeaders(pairing=pairing, at=at, nonce=secrets.token_hex(16))
    signature = signature_of(plain.signed_bytes(path, packed), private)
    return plain.as_dict() | {SIGNATURE_HEADER: signature}


def headers_in(headers: Mapping[str, str]) -> RequestHeaders | None:
    """Return the headers of a request; None if they are incomplete or unreadable."""
    try:
        at = datetime.fromisoformat(headers[TIME_HEADER])
        return RequestHeaders(
            pairing=headers[PAIRING_HEADER],
            at=at.astimezone(UTC),
            nonce=headers[NONCE_HEADER],
            signature=headers[SIGNATURE_HEADER],
        )
    except (KeyError, ValueError, OverflowError):
        return None
