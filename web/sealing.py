"""Texts that the database keeps, and only the installation's key opens: it lies in the data folder or in the
environment, so that the database alone, or a copy of it, does not hold them.

By keys that follow from the installation's own: for each purpose another one. Secrets are sealed by Fernet;
contact data, which are looked for as well, by AES-SIV, which seals the same text alike.
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
"""Before contact data that are sealed; whatever has it not is as it was typed."""
_CONTACTS = "contact data"


def seal(text: str, *, purpose: str) -> str:
    """The text, to be kept. ``purpose`` is data: what was sealed before an upgrade is opened after it."""
    return _box(settings.SECRET_KEY, purpose).encrypt(text.encode()).decode()


def unseal(sealed: str, *, purpose: str) -> str | None:
    """The inverse; None where it was sealed with another key, for another purpose, or not by us."""
    try:
        return _box(settings.SECRET_KEY, purpose).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def are_contacts_sealed() -> bool:
    """Whether contact data that are written now are sealed."""
    return bool(settings.CONTACTS_SEALED_AT.exists())


def seal_contact(text: str) -> str:
    """The same for the same text, so that it is found again; "" stays "", and what is sealed as it is."""
    if not text or text.startswith(MARK):
        return text
    sealed = _contact_cipher(settings.SECRET_KEY).encrypt(text.encode(), None)
    return MARK + base64.urlsafe_b64encode(sealed).decode()


def open_contact(kept: str) -> str:
    """The inverse; what is not sealed stays as it is, and what another key has sealed is ""."""
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
