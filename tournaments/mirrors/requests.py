"""Headers of a request to the other installation: they sign its packed body, its address, its time and a
nonce, so that nothing has to be unpacked to know who sent it, and that it is new."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from engine.signed_logs.keys import create_signature, is_signed

PAIRING_HEADER = "Charlemagne-Pairing"
TIME_HEADER = "Charlemagne-Time"
NONCE_HEADER = "Charlemagne-Nonce"
SIGNATURE_HEADER = "Charlemagne-Signature"
_SIGNATURE_PREFIX = "charlemagne request"
"""Prefix of the signed bytes, so that no signature made for another purpose is valid here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestHeaders:
    """Headers of one request; ``sent_at`` is its time."""

    pairing: str
    sent_at: datetime
    nonce: str
    signature: str = ""

    def as_dict(self) -> dict[str, str]:
        return {
            "Content-Type": "application/gzip",
            PAIRING_HEADER: self.pairing,
            TIME_HEADER: self.sent_at.isoformat(),
            NONCE_HEADER: self.nonce,
            SIGNATURE_HEADER: self.signature,
        }

    def is_signed_by(self, key: str, *, path: str, compressed: bytes) -> bool:
        """Return whether this key signed the request for that path."""
        return is_signed(self.get_signed_bytes(path, compressed), self.signature, key)

    def get_signed_bytes(self, path: str, compressed: bytes) -> bytes:
        parts = (
            _SIGNATURE_PREFIX,
            self.pairing,
            path,
            self.sent_at.isoformat(),
            self.nonce,
            sha256(compressed).hexdigest(),
        )
        return "\n".join(parts).encode()


def build_signed_headers(
    compressed: bytes, *, path: str, pairing: str, private: str, sent_at: datetime
) -> dict[str, str]:
    """Return the headers of a new request, signed by this key; ``sent_at`` is the time at the receiver."""
    unsigned = RequestHeaders(pairing=pairing, sent_at=sent_at, nonce=secrets.token_hex(16))
    signature = create_signature(unsigned.get_signed_bytes(path, compressed), private)
    return unsigned.as_dict() | {SIGNATURE_HEADER: signature}


def parse_headers(headers: Mapping[str, str]) -> RequestHeaders | None:
    """Return the headers of a request; None if they are incomplete or unreadable."""
    try:
        at = datetime.fromisoformat(headers[TIME_HEADER])
        return RequestHeaders(
            pairing=headers[PAIRING_HEADER],
            sent_at=at.astimezone(UTC),
            nonce=headers[NONCE_HEADER],
            signature=headers[SIGNATURE_HEADER],
        )
    except (KeyError, ValueError, OverflowError):
        return None
