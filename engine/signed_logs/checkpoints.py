"""Checkpoints of a log: signed notes in the format of C2SP (tlog-checkpoint)."""

import base64
import binascii
import hashlib
from dataclasses import dataclass

from .keys import is_signed, signature_of

_SIGNED = "— "
_ED25519 = b"\x01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The state of a log: ``origin`` is its name, ``size`` the number of its entries, ``root`` that of its
    tree."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def signed_note(checkpoint: Checkpoint, *, private: str, public: str) -> str:
    """Return the text of the checkpoint with its signature (C2SP signed-note)."""
    signature = bytes.fromhex(signature_of(checkpoint.text.encode(), private))
    told = base64.b64encode(_key_id(checkpoint.origin, public) + signature).decode()
    return f"{checkpoint.text}\n{_SIGNED}{checkpoint.origin} {told}\n"


def read_note(note: str) -> tuple[Checkpoint, bytes] | None:
    """Return the checkpoint, and its signature with the id of the key before it; None if the note is not
    one."""
    try:
        text, signed = note.split("\n\n", 1)
        origin, size, root = text.split("\n")
        name, told = signed.rstrip("\n").removeprefix(_SIGNED).split(" ")
        read = Checkpoint(origin=origin, size=int(size), root=base64.b64decode(root, validate=True))
        signature = base64.b64decode(told, validate=True)
    except (ValueError, binascii.Error):
        return None
    return (read, signature) if name == origin and signed.startswith(_SIGNED) else None


def checkpoint_in(note: str, *, public: str) -> Checkpoint | None:
    """Return the checkpoint that the key has signed; None if it has not."""
    read = read_note(note)
    if read is None:
        return None
    checkpoint, signature = read
    is_of_key = signature[:4] == _key_id(checkpoint.origin, public)
    return (
        checkpoint if is_of_key and is_signed(checkpoint.text.encode(), signature[4:].hex(), public) else None
    )


def _key_id(name: str, public: str) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + bytes.fromhex(public)).digest()[:4]
