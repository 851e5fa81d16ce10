"""Checksums of values, and the canonical form that they are computed from."""

import hashlib
import json
from typing import Any


def to_canonical_json(value: Any) -> bytes:
    """Return the canonical form of a value: names in order, no spaces, letters as they are, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def compute_digest(value: Any) -> str:
    """Return the SHA-256 of a value, in hex."""
    return hashlib.sha256(to_canonical_json(value)).hexdigest()
