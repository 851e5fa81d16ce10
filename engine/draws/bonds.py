"""Entrants kept apart: those who share a bond, always or if possible, in all rounds or the first so many.

A club, a family and a car are kinds of bonds. The settings of a format say whether their members must not
meet (``must_not``), or should not if possible (``avoid``). Bonds made by the director count in every format
that can choose opponents, whatever its settings.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Protocol

from .values import Bond, DrawInput, DrawnTable, Entrant, EntryId, Reason, ReasonCode

ALWAYS, IF_POSSIBLE = "apart", "rather_apart"
"""Kinds of the bonds by which the director keeps entrants apart."""

NAMED = (ALWAYS, IF_POSSIBLE)

LABELS = ("club", "family", "carpool")
"""Kinds of the bonds that come from the entrants' own details."""


SAYS_SO = {ReasonCode.FORBIDDEN_UNAVOIDABLE, ReasonCode.BOND_UNAVOIDABLE, ReasonCode.BOND_SHARED}


class ApartSettings(Protocol):
    """The settings of a format that keeps entrants apart. Kinds count in the first ``apart_rounds``; None: in
    all."""

    @property
    def must_not(self) -> tuple[str, ...]: ...

    @property
    def avoid(self) -> tuple[str, ...]: ...

    @property
    def apart_rounds(self) -> int | None: ...


def never_meet(settings: ApartSettings, played_round: int) -> frozenset[str]:
    """Return the kinds of bonds whose members must not meet in this round."""
    return frozenset({ALWAYS, *_now(settings, settings.must_not, played_round)})


def rather_not(settings: ApartSettings, played_round: int) -> frozenset[str]:
    """Return the kinds of bonds whose members should not meet in this round if possible."""
    return frozenset({IF_POSSIBLE, *_now(settings, settings.avoid, played_round)})


def bonds_in_force(
    entrants: Sequence[Entrant], kinds: Collection[str], played_round: int
) -> list[frozenset[Bond]]:
    """Return for each entrant the bonds of these kinds that hold in this round."""
    return [
        frozenset(bond for bond in entrant.bonds if bond.kind in kinds and bond.holds_in(played_round))
        for entrant in entrants
    ]


def kinds_of(bonds: Collection[Bond]) -> tuple[str, ...]:
    """Return each kind once, those made by the director first."""
    return tuple(kind for kind in (*NAMED, *LABELS) if any(bond.kind == kind for bond in bonds)) + tuple(
        sorted({bond.kind for bond in bonds} - {*NAMED, *LABELS})
    )


def club_of(entrant: Entrant) -> str:
    """Return the club of an entrant; "" without one: all such entrants are one club together."""
    return min((bond.name for bond in entrant.bonds if bond.kind == "club"), default="")


def told_together(tables: Sequence[DrawnTable], draw_input: DrawInput) -> list[DrawnTable]:
    """Explain tables of entrants whom the director keeps apart, where the format cannot choose opponents.
    Each gets the reason ``BOND_SHARED``, unless the format already gives such a reason."""
    bonds = bonds_in_force(draw_input.entrants, NAMED, draw_input.round)
    named = {entrant.id: own for entrant, own in zip(draw_input.entrants, bonds, strict=True) if own}
    return [_add_bonds(table, named) for table in tables] if named else list(tables)


def _add_bonds(table: DrawnTable, named: Mapping[EntryId, frozenset[Bond]]) -> DrawnTable:
    here = [named[entry] for entry in (*table.a, *table.b) if entry in named]
    shared = [bond for one, other in combinations(here, 2) for bond in one & other]
    if not shared or SAYS_SO & {reason.code for reason in table.reasons}:
        return table
    details = {"bonds": len(shared), "kinds": kinds_of(shared)}
    return replace(table, reasons=(*table.reasons, Reason(code=ReasonCode.BOND_SHARED, details=details)))


def _now(settings: ApartSettings, kinds: Collection[str], played_round: int) -> Collection[str]:
    within = settings.apart_rounds is None or played_round <= settings.apart_rounds
    return kinds if within else ()
