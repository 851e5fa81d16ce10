"""Append-only logs whose past cannot be changed undetected.

Entries are signed by a club, each bound to the one before, in a tree that gives proofs to anybody (RFC 6962).
"""

from .checkpoints import Checkpoint, checkpoint_in, signed_note
from .entries import (
    EntryKind,
    Fault,
    SignedEntry,
    SignedLog,
    checkpoint_from_text,
    head_of,
    next_entry,
    signed_entry_from_json,
    signed_log_from_json,
    signed_log_to_json,
)
from .keys import fingerprint, group_digits, is_named_by, new_private_key, public_of
from .merkle import consistency_proof, inclusion_proof, is_consistent, is_included, leaf_hash, root_of

__all__ = [
    "Checkpoint",
    "EntryKind",
    "Fault",
    "SignedEntry",
    "SignedLog",
    "checkpoint_from_text",
    "checkpoint_in",
    "consistency_proof",
    "fingerprint",
    "group_digits",
    "head_of",
    "inclusion_proof",
    "is_consistent",
    "is_included",
    "is_named_by",
    "leaf_hash",
    "new_private_key",
    "next_entry",
    "public_of",
    "root_of",
    "signed_entry_from_json",
    "signed_log_from_json",
    "signed_log_to_json",
    "signed_note",
]
