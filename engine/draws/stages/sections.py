"""Sections: each is drawn as a field of its own, as if it were alone, and the draws are joined.

A section has its own bye, score groups, acceleration, starting numbers, tables and proof. Entries without a
section form one together.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.draws.formats import FORMATS
from engine.draws.house import house_needed, with_house_as_needed
from engine.draws.seating import number_anew
from engine.draws.settings import MIXES
from engine.draws.values import Certificate, Draw, DrawInput, DrawnBye, DrawnTable, Format, ReasonCode

from .plans import Stage

_Place = TypeVar("_Place", DrawnTable, DrawnBye)

SECTIONS_SINCE = 6
"""The version of draws from which on sections are fields of their own."""

_COMPARED = frozenset(
    {
        ReasonCode.FEWEST_BYES,
        ReasonCode.FEWEST_LEFT_OVER,
        ReasonCode.LOWEST_SCORE,
        ReasonCode.LOWEST_IN_TURN,
        ReasonCode.REPEATS_UNAVOIDABLE,
        ReasonCode.FORBIDDEN_UNAVOIDABLE,
        ReasonCode.BOND_UNAVOIDABLE,
        ReasonCode.OWN_CLUB_UNAVOIDABLE,
        ReasonCode.CLUBS_SPREAD,
        ReasonCode.BEST_IN_ALL,
    }
)
"""Reasons that compare with all entries, or with all draws: those of the same section."""


def section_sizes(
    stage: Stage, sections: Iterable[str | None], *, house: Iterable[str | None] = ()
) -> list[int]:
    """Return the sizes of the fields of a stage, by the section of each entry: one field if all play
    together. Of the ``house`` players, by section too, those needed are counted."""
    known = FORMATS[stage.format]
    is_apart = known.separates_sections and not stage.settings.get(MIXES, False)
    others, helpers = (Counter((is_apart and one) or None for one in those) for those in (sections, house))
    return [
        size + house_needed(known, stage.settings, size, helpers[section]) for section, size in others.items()
    ] or [0]


def has_sections(known: Format, own: DrawInput) -> bool:
    """Return whether the sections of a stage are drawn apart."""
    return (
        known.separates_sections
        and own.version >= SECTIONS_SINCE
        and not own.settings.get(MIXES, False)
        and any(entrant.section is not None for entrant in own.entrants)
    )


def fields_of(known: Format, own: DrawInput) -> tuple[DrawInput, ...]:
    """Return the draw of each section as it sees it, in the order of their first starting numbers; if the
    sections play together, that of the stage. House players are in it only as far as they are needed."""
    if not has_sections(known, own):
        return (with_house_as_needed(known, own),)
    by_number = sorted(own.entrants, key=lambda entrant: entrant.number)
    sections = dict.fromkeys(entrant.section for entrant in by_number)
    return tuple(with_house_as_needed(known, _field_of(own, name)) for name in sections)


def join_sections(own: DrawInput, draws: Sequence[Draw]) -> Draw:
    """Join the draws of the sections to one of the stage. Refuses: what ``number_anew`` refuses."""
    held = {table.number for table in own.locked}
    locked = {table.number: table for drawn in draws for table in drawn.tables if table.number in held}
    tables = [table for drawn in draws for table in drawn.tables if table.number not in held]
    byes = tuple(bye for drawn in draws for bye in drawn.byes)
    numbered = [*locked.values(), *number_anew(tables, own, keeps_ranges=True)]
    if len(draws) > 1:
        numbered, byes = list(map(_of_section, numbered)), tuple(map(_of_section, byes))
    proofs = tuple(drawn.certificate for drawn in draws if drawn.certificate is not None)
    return Draw(
        format=draws[0].format,
        round=own.round,
        seed=own.seed,
        settings=own.settings,
        tables=tuple(sorted(numbered, key=lambda table: table.number)),
        byes=byes,
        price={key: sum(drawn.price[key] for drawn in draws) for key in draws[0].price},
        certificate=Certificate(units={}, prices={}, blossoms=(), sections=proofs) if proofs else None,
    )


def _field_of(own: DrawInput, section: str | None) -> DrawInput:
    members = [entrant for entrant in own.entrants if entrant.section == section]
    in_order = sorted(members, key=lambda entrant: entrant.number)
    numbers = {entrant.id: number for number, entrant in enumerate(in_order, start=1)}
    return replace(
        own,
        entrants=tuple(replace(entrant, number=numbers[entrant.id]) for entrant in members),
        history=tuple(table for table in own.history if not numbers.keys().isdisjoint((*table.a, *table.b))),
    )


def _of_section(place: _Place) -> _Place:
    reasons = (
        replace(reason, details={**reason.details, "of_section": True})
        if reason.code in _COMPARED
        else reason
        for reason in place.reasons
    )
    return replace(place, reasons=tuple(reasons))
