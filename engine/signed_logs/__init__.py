"""Append-only logs whose past cannot be changed undetected.

Entries are signed by a club, each bound to the one before, in a tree that gives proofs to anybody (RFC 6962).
"""

from .checkpoints import Checkpoint, build_signed_note, get_signed_checkpoint
from .entries import (
    EntryKind,
    Fault,
    SignedEntry,
    SignedLog,
    build_next_entry,
    checkpoint_from_text,
    get_latest_checkpoint,
    signed_entry_from_json,
    signed_log_from_json,
    signed_log_to_json,
)
from .keys import generate_private_key, get_fingerprint, get_public_key, group_digits, is_key_match
from .merkle import build_consistency_proof, build_inclusion_proof, compute_root, hash_leaf, is_consistent, is_included

__all__ = [
    "Checkpoint",
    "EntryKind",
    "Fault",
    "SignedEntry",
    "SignedLog",
    "build_consistency_proof",
    "build_inclusion_proof",
    "build_next_entry",
    "build_signed_note",
    "checkpoint_from_text",
    "compute_root",
    "generate_private_key",
    "get_fingerprint",
    "get_latest_checkpoint",
    "get_public_key",
    "get_signed_checkpoint",
    "group_digits",
    "hash_leaf",
    "is_consistent",
    "is_included",
    "is_key_match",
    "signed_entry_from_json",
    "signed_log_from_json",
    "signed_log_to_json",
]
