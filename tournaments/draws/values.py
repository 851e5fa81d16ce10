"""What goes into a draw and what comes out: frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

EntryId = NewType("EntryId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A table of an earlier round: ``a`` on side A met ``b`` on side B; without a ``b``, a bye for ``a``."""

    round: int
    a: EntryId
    b: EntryId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawInput:
    """Those to be drawn, best first; all that was played, by whoever has left too; and the chance."""

    entries: tuple[EntryId, ...]
    history: tuple[Meeting, ...]
    seed: int

    def __post_init__(self) -> None:
        if len(set(self.entries)) < len(self.entries):
            raise ValueError("an entry is in the field twice")


class ReasonCode(StrEnum):
    """Why a table or a bye is as it is; in brackets, the details that come with it."""

    MET_BEFORE = "met_before"
    """The two have met (``rounds``)."""
    REPEATS_UNAVOIDABLE = "repeats_unavoidable"
    """No draw of this field costs less in repeated meetings."""
    FEWEST_BYES = "fewest_byes"
    """Nobody in the field has had fewer byes than this entry (``rounds``, empty before a first bye)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A code and the values that a sentence about it needs; never wording."""

    code: ReasonCode
    details: Mapping[str, tuple[int, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTable:
    """Two entries that meet; no reasons: chance put them there at no cost."""

    side_a: EntryId
    side_b: EntryId
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A round as drawn: its tables in their order, who sits out, and what it takes to draw it again."""

    format: str
    seed: int
    tables: tuple[DrawnTable, ...]
    bye: EntryId | None = None
    bye_reasons: tuple[Reason, ...] = ()
