"""Encrypted backups, which need a passphrase: for a USB stick that may get lost, or a synced folder.

The first line names the format and its salt; each following line is a Fernet token with a part of the file.
If lines are missing or in another order, the result is not a valid zip, which reading a backup checks.
"""

import base64
import binascii
import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from errors import Refusal

FILE_HEADER = b"charlemagne-encrypted-backup 1 "
PART_SIZE = 1024 * 1024
"""Bytes of the file in one line."""


def is_encrypted(path: Path) -> bool:
    """Check whether the file exists and is an encrypted backup."""
    try:
        with path.open("rb") as file:
            return file.read(len(FILE_HEADER)) == FILE_HEADER
    except OSError:
        return False


def encrypt_file(path: Path, target: Path, passphrase: str) -> None:
    """Encrypt the file to another one, part by part."""
    salt = os.urandom(16)
    box = _build_cipher(passphrase, salt)
    with path.open("rb") as source, target.open("wb") as output:
        output.write(FILE_HEADER + base64.urlsafe_b64encode(salt) + b"\n")
        while part := source.read(PART_SIZE):
            output.write(box.encrypt(part) + b"\n")


def decrypt_file(path: Path, target: Path, passphrase: str) -> None:
    """Decrypt a file made by ``encrypt_file``. Refuses: wrong_passphrase, also where the file was changed."""
    with path.open("rb") as source, target.open("wb") as output:
        try:
            salt = base64.urlsafe_b64decode(source.readline().removeprefix(FILE_HEADER).strip())
            box = _build_cipher(passphrase, salt)
            for token in source:
                output.write(box.decrypt(token.strip()))
        except (InvalidToken, binascii.Error):
            raise Refusal("wrong_passphrase", path=str(path)) from None


def _build_cipher(passphrase: str, salt: bytes) -> Fernet:
    # About a tenth of a second and 64 MB a try.
    derived_key = Scrypt(salt=salt, length=32, n=2**16, r=8, p=1).derive(passphrase.encode())
    return Fernet(base64.urlsafe_b64encode(derived_key))
