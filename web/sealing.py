"""Texts that the database keeps, and only the installation's key opens: it lies in the data folder or in the
environment, so that the database alone, or a copy of it, does not hold them.

Fernet, as ``cryptography`` has it, by a key that follows from the installation's own: for each purpose
another one.
"""

import base64
from functools import cache

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def seal(text: str, *, purpose: str) -> str:
    """The text, to be kept. ``purpose`` is data: what was sealed before an upgrade is opened after it."""
    return _box(settings.SECRET_KEY, purpose).encrypt(text.encode()).decode()


def unseal(sealed: str, *, purpose: str) -> str | None:
    """The inverse; None where it was sealed with another key, for another purpose, or not by us."""
    try:
        return _box(settings.SECRET_KEY, purpose).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


@cache
def _box(key: str, purpose: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=f"charlemagne {purpose}".encode())
    return Fernet(base64.urlsafe_b64encode(derived.derive(key.encode())))
