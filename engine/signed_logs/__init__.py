"""Logs that only grow, of whose past nothing can be changed unseen.

Entries are signed by a club, each bound to the one before, in a tree of which anybody can ask for a proof
(RFC 6962).
"""

from .checkpoints import Checkpoint, checkpoint_in, signed_note
from .entries import (
    EntryKind,
    Fault,
    SignedEntry,
    SignedLog,
    head_of,
    log_origin,
    next_entry,
    plain_log,
    stored_head,
    stored_log,
    stored_signed,
)
from .keys import fingerprint, grouped, is_named_by, new_private_key, public_of
from .merkle import consistency_proof, inclusion_proof, is_consistent, is_included, leaf_hash, root_of

__all__ = [
    "Checkpoint",
    "EntryKind",
    "Fault",
    "SignedEntry",
    "SignedLog",
    "checkpoint_in",
    "consistency_proof",
    "fingerprint",
    "grouped",
    "head_of",
    "inclusion_proof",
    "is_consistent",
    "is_included",
    "is_named_by",
    "leaf_hash",
    "log_origin",
    "new_private_key",
    "next_entry",
    "plain_log",
    "public_of",
    "root_of",
    "signed_note",
    "stored_head",
    "stored_log",
    "stored_signed",
]
