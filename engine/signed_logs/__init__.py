"""Append-only logs whose past cannot be changed undetected.

Entries are signed by a club, each bound to the one before, in a tree that gives proofs to anybody (RFC 6962).
"""

from .checkpoints import Checkpoint as Checkpoint
from .checkpoints import build_signed_note as build_signed_note
from .checkpoints import get_signed_checkpoint as get_signed_checkpoint
from .entries import EntryKind as EntryKind
from .entries import Fault as Fault
from .entries import SignedEntry as SignedEntry
from .entries import SignedLog as SignedLog
from .entries import build_next_entry as build_next_entry
from .entries import checkpoint_from_text as checkpoint_from_text
from .entries import get_latest_checkpoint as get_latest_checkpoint
from .entries import signed_entry_from_json as signed_entry_from_json
from .entries import signed_log_from_json as signed_log_from_json
from .entries import signed_log_to_json as signed_log_to_json
from .keys import generate_private_key as generate_private_key
from .keys import get_fingerprint as get_fingerprint
from .keys import get_public_key as get_public_key
from .keys import group_digits as group_digits
from .keys import is_key_match as is_key_match
from .merkle import build_consistency_proof as build_consistency_proof
from .merkle import build_inclusion_proof as build_inclusion_proof
from .merkle import compute_root as compute_root
from .merkle import hash_leaf as hash_leaf
from .merkle import is_consistent as is_consistent
from .merkle import is_included as is_included
