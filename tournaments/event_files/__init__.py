"""An event as one file that anybody can verify without this program's database (docs/api/event-files.md)."""

from .comparison import MovedEntry, list_differences, list_moved_entries
from .conversion import upgrade_content
from .manual_changes import ManualChange, RoundAction, list_manual_changes
from .parsing import read_event_file, read_event_path
from .schema import (
    COPY_SPECIFIC_PARTS,
    DESK_PART,
    PHONE_KEYS_PART,
    PLACE_PART,
    SIGNATURE_PART,
    VERSION,
    Content,
    list_file_people,
)
from .signed_parts import compute_signed_sums
from .trf import convert_trf_report
from .verifying import (
    TAMPERING_ERRORS,
    Difference,
    VerificationReport,
    check_clocks,
    check_log,
    check_signature,
    verify_event_file,
)
from .writer import add_checksums, compute_part_digests, get_file_key, serialize_event_file

__all__ = [
    "COPY_SPECIFIC_PARTS",
    "DESK_PART",
    "PHONE_KEYS_PART",
    "PLACE_PART",
    "SIGNATURE_PART",
    "TAMPERING_ERRORS",
    "VERSION",
    "Content",
    "Difference",
    "ManualChange",
    "MovedEntry",
    "RoundAction",
    "VerificationReport",
    "add_checksums",
    "check_clocks",
    "check_log",
    "check_signature",
    "compute_part_digests",
    "compute_signed_sums",
    "convert_trf_report",
    "get_file_key",
    "list_differences",
    "list_file_people",
    "list_manual_changes",
    "list_moved_entries",
    "read_event_file",
    "read_event_path",
    "serialize_event_file",
    "upgrade_content",
    "verify_event_file",
]
