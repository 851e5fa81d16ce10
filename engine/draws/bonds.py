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

DIRECTOR_KINDS = (ALWAYS, IF_POSSIBLE)

LABEL_KINDS = ("club", "family", "carpool")
"""Kinds of the bonds that come from the entrants' own details."""

POOL = "pool"
"""The kind of bond between entries from the same pool of the stage before."""


BOND_REASONS = {ReasonCode.FORBIDDEN_UNAVOIDABLE, ReasonCode.BOND_UNAVOIDABLE, ReasonCode.BOND_SHARED}


class ApartSettings(Protocol):
    """The settings of a format that keeps entrants apart. Kinds count in the first ``apart_rounds``; None: in
    all."""

    @property
    def must_not(self) -> tuple[str, ...]: ...

    @property
    def avoid(self) -> tuple[str, ...]: ...

    @property
    def apart_rounds(self) -> int | None: ...


def list_forbidden_kinds(settings: ApartSettings, played_round: int) -> frozenset[str]:
    """Return the kinds of bonds whose members must not meet in this round."""
    return frozenset({ALWAYS, *_filter_kinds(settings, settings.must_not, played_round)})


def list_avoided_kinds(settings: ApartSettings, played_round: int) -> frozenset[str]:
    """Return the kinds of bonds whose members should not meet in this round if possible."""
    return frozenset({IF_POSSIBLE, *_filter_kinds(settings, settings.avoid, played_round)})


def list_active_bonds(entrants: Sequence[Entrant], kinds: Collection[str], played_round: int) -> list[frozenset[Bond]]:
    """Return for each entrant the bonds of these kinds that hold in this round."""
    return [
        frozenset(bond for bond in entrant.bonds if bond.kind in kinds and bond.is_active(played_round))
        for entrant in entrants
    ]


def list_bond_kinds(bonds: Collection[Bond]) -> tuple[str, ...]:
    """Return each kind once, those made by the director first."""
    return tuple(kind for kind in (*DIRECTOR_KINDS, *LABEL_KINDS) if any(bond.kind == kind for bond in bonds)) + tuple(
        sorted({bond.kind for bond in bonds} - {*DIRECTOR_KINDS, *LABEL_KINDS})
    )


def get_club(entrant: Entrant) -> str:
    """Return the club of an entrant; "" without one: all such entrants are one club together."""
    return min((bond.name for bond in entrant.bonds if bond.kind == "club"), default="")


def explain_shared_bonds(tables: Sequence[DrawnTable], draw_input: DrawInput) -> list[DrawnTable]:
    """Explain tables of entrants whom the director keeps apart, where the format cannot choose opponents.
    Each gets the reason ``BOND_SHARED``, unless the format already gives such a reason."""
    bonds = list_active_bonds(draw_input.entrants, DIRECTOR_KINDS, draw_input.round)
    bonds_by_entry = {
        entrant.id: entry_bonds for entrant, entry_bonds in zip(draw_input.entrants, bonds, strict=True) if entry_bonds
    }
    return [_add_bonds(table, bonds_by_entry) for table in tables] if bonds_by_entry else list(tables)


def _add_bonds(table: DrawnTable, bonds_by_entry: Mapping[EntryId, frozenset[Bond]]) -> DrawnTable:
    table_bonds = [bonds_by_entry[entry] for entry in (*table.a, *table.b) if entry in bonds_by_entry]
    shared = [bond for one, other in combinations(table_bonds, 2) for bond in one & other]
    if not shared or BOND_REASONS & {reason.code for reason in table.reasons}:
        return table
    details = {"bonds": len(shared), "kinds": list_bond_kinds(shared)}
    return replace(table, reasons=(*table.reasons, Reason(code=ReasonCode.BOND_SHARED, details=details)))


def _filter_kinds(settings: ApartSettings, kinds: Collection[str], played_round: int) -> Collection[str]:
    is_active = settings.apart_rounds is None or played_round <= settings.apart_rounds
    return kinds if is_active else ()
