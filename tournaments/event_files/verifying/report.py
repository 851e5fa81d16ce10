"""Results of a verification."""

from dataclasses import dataclass, field
from typing import Any

from engine.checksums import to_canonical_json
from engine.signed_logs import SignedEntry
from tournaments.event_files.shapes import shorten_value

Location = tuple[tuple[str, int], ...]
"""A place in a file, such as ``(("round", 3), ("table", 4), ("mark", 7))``."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An error found in a file: its ``code`` and the details for its message."""

    location: Location
    code: str
    details: dict[str, Any]


@dataclass(slots=True)
class VerificationReport:
    """Report of a verification.

    It has the ``differences``, in the order of the file, ``notes`` on correct parts that could not be
    recomputed, and ``counts`` of the recomputed ones. ``signed_entry`` is the entry of a club's results log that
    signs the file, or None.
    """

    sum: str
    differences: list[Difference] = field(default_factory=list)
    notes: list[Difference] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    signed_entry: SignedEntry | None = None

    def differs(self, location: Location, code: str, **details: Any) -> None:
        self.differences.append(Difference(location, code, details))

    def note(self, location: Location, code: str, **details: Any) -> None:
        self.notes.append(Difference(location, code, details))

    def count(self, name: str, amount: int = 1) -> None:
        self.counts[name] = self.counts.get(name, 0) + amount

    def compare(self, location: Location, part: str, stored: Any, computed: Any) -> None:
        """Compare a stored part with the computed one, and report the first value that differs."""
        while stored != computed:
            step = _find_first_difference(stored, computed)
            if step is None:
                self.differs(location, "is_other", part=part, kept=_format_value(stored), found=_format_value(computed))
                return
            stored, computed = _get_member(stored, step), _get_member(computed, step)
            part = f"{part}.{step}"


_MISSING = object()


def _find_first_difference(stored: Any, computed: Any) -> str | int | None:
    """Return the name or place at which two values of one kind differ first."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        names = sorted({*stored, *computed}, key=str)
        return next(str(name) for name in names if stored.get(name, _MISSING) != computed.get(name, _MISSING))
    if isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        return next(place for place, ends in enumerate(zip(stored, computed, strict=True)) if ends[0] != ends[1])
    return None


def _get_member(value: Any, step: str | int) -> Any:
    return value.get(step, _MISSING) if isinstance(value, dict) else value[step]


def _format_value(value: Any) -> str:
    """Return a value as JSON, shortened; a dash if it is missing."""
    if value is _MISSING:
        return "–"
    return shorten_value(to_canonical_json(value).decode())
