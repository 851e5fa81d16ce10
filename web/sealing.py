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

MARK = "sealed:1:"
"""The prefix of encrypted contact data; anything without it is plain text."""
_CONTACTS = "contact data"


def seal(text: str, *, purpose: str) -> str:
    """Encrypt a text. ``purpose`` is stored data: texts from before an upgrade must open after it."""
    return _box(settings.SECRET_KEY, purpose).encrypt(text.encode()).decode()


def unseal(sealed: str, *, purpose: str) -> str | None:
    """Decrypt a text from ``seal``; None if it has another key or purpose, or is not ours."""
    try:
        return _box(settings.SECRET_KEY, purpose).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def are_contacts_sealed() -> bool:
    """Return whether new contact data are encrypted."""
    return bool(settings.CONTACTS_SEALED_AT.exists())


def seal_contact(text: str) -> str:
    """Encrypt a contact, equal texts equally, so that searches find it. "" and encrypted texts
    stay unchanged."""
    if not text or text.startswith(MARK):
        return text
    sealed = _contact_cipher(settings.SECRET_KEY).encrypt(text.encode(), None)
    return MARK + base64.urlsafe_b64encode(sealed).decode()


def open_contact(kept: str) -> str:
    """Decrypt a text from ``seal_contact``. Plain text stays unchanged; with another key, the
    result is ""."""
    if not kept.startswith(MARK):
        return kept
    try:
        sealed = base64.urlsafe_b64decode(kept.removeprefix(MARK))
        return _contact_cipher(settings.SECRET_KEY).decrypt(sealed, None).decode()
    except (InvalidTag, ValueError):
        return ""


@cache
def _box(key: str, purpose: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_derive_key(key, purpose, length=32)))


@cache
def _contact_cipher(key: str) -> AESSIV:
    return AESSIV(_derive_key(key, _CONTACTS, length=64))


def _derive_key(key: str, purpose: str, *, length: int) -> bytes:
    derived = HKDF(algorithm=SHA256(), length=length, salt=None, info=f"charlemagne {purpose}".encode())
    return derived.derive(key.encode())
