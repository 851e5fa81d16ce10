"""An event as one file that anybody can verify without this program's database (docs/api/event-files.md)."""

from .by_hand import ByHand, RoundAction, changes_by_hand
from .comparison import MovedEntry, differences_of, moved_entries
from .conversion import in_newest_form
from .form import OF_A_COPY, PHONES_KNOW, PLACE, SIGNED_BY, VERSION, Content
from .reading import read_event_file, read_event_path
from .signed import signed_sums
from .trf import event_file_of_trf
from .verifying import (
    BROKEN,
    Difference,
    VerificationReport,
    check_clocks,
    check_log,
    check_signature,
    verify,
)
from .writer import digests_of, key_of_file, serialize_event_file, with_sums

__all__ = [
    "BROKEN",
    "OF_A_COPY",
    "PHONES_KNOW",
    "PLACE",
    "SIGNED_BY",
    "VERSION",
    "ByHand",
    "Content",
    "Difference",
    "MovedEntry",
    "RoundAction",
    "VerificationReport",
    "changes_by_hand",
    "check_clocks",
    "check_log",
    "check_signature",
    "differences_of",
    "digests_of",
    "event_file_of_trf",
    "in_newest_form",
    "key_of_file",
    "moved_entries",
    "read_event_file",
    "read_event_path",
    "serialize_event_file",
    "signed_sums",
    "verify",
    "with_sums",
]
