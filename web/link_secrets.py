"""Secrets of one-time links, of which only a digest is stored."""

import secrets
from datetime import timedelta
from hashlib import sha256

LINK_LIFETIME = timedelta(days=14)


def generate_secret() -> str:
    """Return a secret of 192 random bits for a URL."""
    return secrets.token_urlsafe(24)


def hash_secret(secret: str) -> str:
    """Return the digest to store for a secret: 64 characters."""
    return sha256(secret.encode()).hexdigest()
