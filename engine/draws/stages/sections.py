"""Sections: each is drawn as a field of its own, as if it were alone, and the draws are joined.

A section has its own bye, score groups, acceleration, starting numbers, tables and proof. Entries without a
section form one together.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.draws.formats import FORMATS
from engine.draws.house_players import count_house_needed, remove_spare_house_players
from engine.draws.seating import renumber_tables
from engine.draws.settings import MIXES
from engine.draws.values import Certificate, Draw, DrawInput, DrawnBye, DrawnTable, Format, ReasonCode

from .plans import Stage

_Place = TypeVar("_Place", DrawnTable, DrawnBye)

SECTIONS_VERSION = 6
"""The version of draws from which on sections are fields of their own."""

_COMPARATIVE_REASONS = frozenset(
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


def list_section_sizes(
    stage: Stage, sections: Iterable[str | None], *, house_sections: Iterable[str | None] = ()
) -> list[int]:
    """Return the field sizes of a stage, from the section of each entry; one if all play together.

    ``house_sections`` are the sections of the house players; only those needed are counted.
    """
    draw_format = FORMATS[stage.format]
    others, house_counts = (
        Counter((stage.separates_sections and one) or None for one in group_sections)
        for group_sections in (sections, house_sections)
    )
    return [
        size + count_house_needed(draw_format, stage.settings, size, house_counts[section])
        for section, size in others.items()
    ] or [0]


def has_sections(draw_format: Format, stage_input: DrawInput) -> bool:
    """Return whether the sections of a stage are drawn apart."""
    return (
        draw_format.separates_sections
        and stage_input.version >= SECTIONS_VERSION
        and not stage_input.settings.get(MIXES, False)
        and any(entrant.section is not None for entrant in stage_input.entrants)
    )


def build_section_fields(draw_format: Format, stage_input: DrawInput) -> tuple[DrawInput, ...]:
    """Return the draw of each section as it sees it, in the order of their first starting numbers; if the
    sections play together, that of the stage. House players are in it only as far as they are needed."""
    if not has_sections(draw_format, stage_input):
        return (remove_spare_house_players(draw_format, stage_input),)
    ordered = sorted(stage_input.entrants, key=lambda entrant: entrant.number)
    sections = dict.fromkeys(entrant.section for entrant in ordered)
    return tuple(remove_spare_house_players(draw_format, _build_section_field(stage_input, name)) for name in sections)


def join_sections(stage_input: DrawInput, draws: Sequence[Draw]) -> Draw:
    """Join the draws of the sections to one of the stage. Refuses: what ``renumber_tables`` refuses."""
    locked_numbers = {table.number for table in stage_input.locked}
    locked = {table.number: table for draw in draws for table in draw.tables if table.number in locked_numbers}
    tables = [table for draw in draws for table in draw.tables if table.number not in locked_numbers]
    byes = tuple(bye for draw in draws for bye in draw.byes)
    numbered = [*locked.values(), *renumber_tables(tables, stage_input, keeps_ranges=True)]
    if len(draws) > 1:
        numbered, byes = list(map(_mark_section_reasons, numbered)), tuple(map(_mark_section_reasons, byes))
    proofs = tuple(draw.certificate for draw in draws if draw.certificate is not None)
    return Draw(
        format=draws[0].format,
        round=stage_input.round,
        seed=stage_input.seed,
        settings=stage_input.settings,
        tables=tuple(sorted(numbered, key=lambda table: table.number)),
        byes=byes,
        price={key: sum(draw.price[key] for draw in draws) for key in draws[0].price},
        certificate=Certificate(units={}, prices={}, blossoms=(), sections=proofs) if proofs else None,
    )


def _build_section_field(stage_input: DrawInput, section: str | None) -> DrawInput:
    members = [entrant for entrant in stage_input.entrants if entrant.section == section]
    ordered = sorted(members, key=lambda entrant: entrant.number)
    numbers = {entrant.id: number for number, entrant in enumerate(ordered, start=1)}
    return replace(
        stage_input,
        entrants=tuple(replace(entrant, number=numbers[entrant.id]) for entrant in members),
        history=tuple(table for table in stage_input.history if not numbers.keys().isdisjoint((*table.a, *table.b))),
    )


def _mark_section_reasons(place: _Place) -> _Place:
    reasons = (
        replace(reason, details={**reason.details, "of_section": True})
        if reason.code in _COMPARATIVE_REASONS
        else reason
        for reason in place.reasons
    )
    return replace(place, reasons=tuple(reasons))
