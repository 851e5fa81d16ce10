"""Checkpoints of a log: signed notes in the format of C2SP (tlog-checkpoint)."""

import base64
import binascii
import hashlib
from dataclasses import dataclass

from .keys import create_signature, is_signed

_SIGNATURE_PREFIX = "— "
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


def build_signed_note(checkpoint: Checkpoint, *, private: str, public: str) -> str:
    """Return the text of the checkpoint with its signature (C2SP signed-note)."""
    signature = bytes.fromhex(create_signature(checkpoint.text.encode(), private))
    encoded = base64.b64encode(_compute_key_id(checkpoint.origin, public) + signature).decode()
    return f"{checkpoint.text}\n{_SIGNATURE_PREFIX}{checkpoint.origin} {encoded}\n"


def read_note(note: str) -> tuple[Checkpoint, bytes] | None:
    """Return the checkpoint, and its signature with the id of the key before it; None if the note is not
    one."""
    try:
        text, signature_line = note.split("\n\n", 1)
        origin, size, root = text.split("\n")
        name, encoded = signature_line.rstrip("\n").removeprefix(_SIGNATURE_PREFIX).split(" ")
        checkpoint = Checkpoint(origin=origin, size=int(size), root=base64.b64decode(root, validate=True))
        signature = base64.b64decode(encoded, validate=True)
    except (ValueError, binascii.Error):
        return None
    return (checkpoint, signature) if name == origin and signature_line.startswith(_SIGNATURE_PREFIX) else None


def get_signed_checkpoint(note: str, *, public: str) -> Checkpoint | None:
    """Return the checkpoint that the key has signed; None if it has not."""
    parsed = read_note(note)
    if parsed is None:
        return None
    checkpoint, signature = parsed
    has_key_id = signature[:4] == _compute_key_id(checkpoint.origin, public)
    return checkpoint if has_key_id and is_signed(checkpoint.text.encode(), signature[4:].hex(), public) else None


def _compute_key_id(name: str, public: str) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + bytes.fromhex(public)).digest()[:4]
