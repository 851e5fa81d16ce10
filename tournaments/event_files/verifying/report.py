"""Results of a verification."""

from dataclasses import dataclass, field
from typing import Any

from engine.signed_logs import SignedEntry
from engine.sums import canonical
from tournaments.event_files.shapes import short

Where = tuple[tuple[str, int], ...]
"""A place in a file, such as ``(("round", 3), ("table", 4), ("mark", 7))``."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An error found in a file: its ``code`` and the details for its message."""

    where: Where
    code: str
    details: dict[str, Any]


@dataclass(slots=True)
class VerificationReport:
    """Report of a verification.

    It has the ``differences``, in the order of the file, ``notes`` on what is right but could not be
    recomputed, and ``counts`` of what was. ``signed`` is the entry of a club's results log that signs the
    file, or None.
    """

    sum: str
    differences: list[Difference] = field(default_factory=list)
    notes: list[Difference] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    signed: SignedEntry | None = None

    def differs(self, where: Where, code: str, **details: Any) -> None:
        self.differences.append(Difference(where, code, details))

    def note(self, where: Where, code: str, **details: Any) -> None:
        self.notes.append(Difference(where, code, details))

    def count(self, name: str, more: int = 1) -> None:
        self.counts[name] = self.counts.get(name, 0) + more

    def compare(self, where: Where, part: str, kept: Any, found: Any) -> None:
        """Compare a stored part with the computed one, and report the first value that differs."""
        while kept != found:
            step = _first_difference(kept, found)
            if step is None:
                self.differs(where, "is_other", part=part, kept=_text_of(kept), found=_text_of(found))
                return
            kept, found = _at(kept, step), _at(found, step)
            part = f"{part}.{step}"


_NOTHING = object()


def _first_difference(kept: Any, found: Any) -> str | int | None:
    """Return the name or place at which two values of one kind differ first."""
    if isinstance(kept, dict) and isinstance(found, dict):
        names = sorted({*kept, *found}, key=str)
        return next(str(name) for name in names if kept.get(name, _NOTHING) != found.get(name, _NOTHING))
    if isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        return next(place for place, ends in enumerate(zip(kept, found, strict=True)) if ends[0] != ends[1])
    return None


def _at(value: Any, step: str | int) -> Any:
    return value.get(step, _NOTHING) if isinstance(value, dict) else value[step]


def _text_of(value: Any) -> str:
    """Return a value as JSON, shortened; a dash if it is missing."""
    if value is _NOTHING:
        return "–"
    return short(canonical(value).decode())
