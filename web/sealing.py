"""Encryption with the installation's key, so that the database alone reveals nothing.

The key is in the data folder or the environment. Keys are derived from it, one per purpose. Secrets are
encrypted by Fernet; contact data, which must be searchable, by AES-SIV, which encrypts equal texts equally.
"""

import base64
from functools import cache

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

SEALED_PREFIX = "sealed:1:"
"""The prefix of encrypted contact data; anything without it is plain text."""
_CONTACTS = "contact data"


def encrypt_text(text: str, *, purpose: str) -> str:
    """Encrypt a text. ``purpose`` is stored data: texts from before an upgrade must open after it."""
    return _get_fernet(settings.SECRET_KEY, purpose).encrypt(text.encode()).decode()


def decrypt_text(encrypted: str, *, purpose: str) -> str | None:
    """Decrypt a text from ``encrypt_text``; None if it has another key or purpose, or is not ours."""
    try:
        return _get_fernet(settings.SECRET_KEY, purpose).decrypt(encrypted.encode()).decode()
    except InvalidToken:
        return None


def encrypts_contacts() -> bool:
    """Return whether new contact data are encrypted."""
    return bool(settings.CONTACTS_SEALED_AT.exists())


def encrypt_contact(text: str) -> str:
    """Encrypt a contact, equal texts equally, so that searches find it. "" and encrypted texts
    stay unchanged."""
    if not text or text.startswith(SEALED_PREFIX):
        return text
    encrypted = _get_contact_cipher(settings.SECRET_KEY).encrypt(text.encode(), None)
    return SEALED_PREFIX + base64.urlsafe_b64encode(encrypted).decode()


def decrypt_contact(stored: str) -> str:
    """Decrypt a text from ``encrypt_contact``. Plain text stays unchanged; with another key, the
    result is ""."""
    if not stored.startswith(SEALED_PREFIX):
        return stored
    try:
        encrypted = base64.urlsafe_b64decode(stored.removeprefix(SEALED_PREFIX))
        return _get_contact_cipher(settings.SECRET_KEY).decrypt(encrypted, None).decode()
    except (InvalidTag, ValueError):
        return ""


@cache
def _get_fernet(key: str, purpose: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_derive_key(key, purpose, length=32)))


@cache
def _get_contact_cipher(key: str) -> AESSIV:
    return AESSIV(_derive_key(key, _CONTACTS, length=64))


def _derive_key(key: str, purpose: str, *, length: int) -> bytes:
    kdf = HKDF(algorithm=SHA256(), length=length, salt=None, info=f"charlemagne {purpose}".encode())
    return kdf.derive(key.encode())
