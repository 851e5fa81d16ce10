"""An event as one file, that anybody can check without this program's database (docs/event-files.md)."""

from .by_hand import ByHand, Deed, changes_by_hand
from .form import VERSION, Content, with_sums, written
from .reading import read_event_file, read_event_path
from .verifying import Difference, Report, verify

__all__ = [
    "VERSION",
    "ByHand",
    "Content",
    "Deed",
    "Difference",
    "Report",
    "changes_by_hand",
    "read_event_file",
    "read_event_path",
    "verify",
    "with_sums",
    "written",
]
