"""Links that open once: their secrets, of which only a digest is kept."""

import secrets
from datetime import timedelta
from hashlib import sha256

LASTS = timedelta(days=14)


def new_secret() -> str:
    """192 random bits, as an address takes them."""
    return secrets.token_urlsafe(24)


def secret_digest(secret: str) -> str:
    """What is kept of a secret: 64 characters."""
    return sha256(secret.encode()).hexdigest()
