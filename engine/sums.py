"""The one way in which a value is written down where its sum is told, and the sum."""

import hashlib
import json
from typing import Any


def canonical(value: Any) -> bytes:
    """Names in order, no spaces, letters as they are, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def sum_of(value: Any) -> str:
    """SHA-256 of it, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()
