"""Tables of phases: a stage, or a section of it, may have a range of tables of its own."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from engine.draws.seating import renumber_tables
from engine.draws.values import DrawInput, DrawnTable, EntryId
from errors import Refusal

from .plans import get_slot_stage

PhaseTables = Mapping[tuple[int, str | None], tuple[int, int]]
"""The first and the last table of each stage, from 0, and section there, as far as these have their own."""

Sections = Mapping[EntryId, str | None]


def number_by_phase(tables: Sequence[DrawnTable], draw_input: DrawInput) -> list[DrawnTable]:
    """Return the tables with numbers of the range of their stage, or of their section there.

    Refuses: phase_tables_short, too_few_tables, other_tables_short.
    """
    sections = {entrant.id: entrant.section for entrant in draw_input.entrants}
    phases: dict[EntryId, str] = {}
    ranges: dict[str, tuple[int, int]] = {}
    for table in tables:
        if (found := _find_phase(table, sections, draw_input.phase_tables)) is not None:
            stage, section = found
            phase = f"{stage + 1}:{section or ''}"
            ranges[phase] = draw_input.phase_tables[found]
            phases |= dict.fromkeys((*table.a, *table.b), phase)
    entrants = tuple(replace(entrant, section=phases.get(entrant.id)) for entrant in draw_input.entrants)
    try:
        by_phase = replace(draw_input, entrants=entrants, section_tables=ranges)
        return renumber_tables(tables, by_phase, keeps_ranges=True)
    except Refusal as refusal:
        if refusal.code != "section_tables_short":
            raise
        number, _, section = refusal.details["section"].partition(":")
        raise Refusal(
            "phase_tables_short", stage=int(number), section=section, needed=refusal.details["needed"]
        ) from None


def find_table_refusal(
    table: DrawnTable, others: Collection[DrawnTable], sections: Sections, phase_tables: PhaseTables
) -> Refusal | None:
    """Return why a table cannot have its number: it is outside the tables of its phase, or is one of those of
    another phase of the round. None if it can. A table across sections may be among those of either. A table of no
    stage belongs to the first, if that is played."""
    stage = get_slot_stage(table.slot)
    is_of_stage = ":" in table.slot or any(get_slot_stage(other.slot) == stage for other in others)
    phases = {(stage, sections.get(entry)) for entry in (*table.a, *table.b)} if is_of_stage else set()
    own_tables = [phase_tables[phase] for phase in phases if phase in phase_tables]
    if any(first <= table.number <= last for first, last in own_tables):
        return None
    if own_tables and len(phases) == 1:
        first, last = own_tables[0]
        return Refusal("table_outside_phase", field="table", table=table.number, first=first, last=last)
    others_phases = (_find_phase(other, sections, phase_tables) for other in others)
    for first, last in (phase_tables[phase] for phase in others_phases if phase is not None):
        if first <= table.number <= last:
            return Refusal("table_of_other_phase", field="table", table=table.number, first=first, last=last)
    return None


def find_free_table(
    table: DrawnTable, others: Sequence[DrawnTable], sections: Sections, phase_tables: PhaseTables
) -> int:
    """Return the lowest free number that a table can have. Refuses: phase_tables_short, section_tables_short."""
    taken = {other.number for other in others}
    last_number = max((last for _, last in phase_tables.values()), default=0) + len(taken) + 1
    for number in range(1, last_number + 1):
        numbered = replace(table, number=number)
        if number not in taken and find_table_refusal(numbered, others, sections, phase_tables) is None:
            return number
    stage, section = _find_phase(table, sections, phase_tables) or (get_slot_stage(table.slot), None)
    if section is not None:
        raise Refusal("section_tables_short", section=section, needed=1)
    raise Refusal("phase_tables_short", stage=stage + 1, section="", needed=1)


def _find_phase(table: DrawnTable, sections: Sections, phase_tables: PhaseTables) -> tuple[int, str | None] | None:
    """Return the stage and the section of a table, if these have tables of their own."""
    names = {sections.get(entry) for entry in (*table.a, *table.b)}
    phase = get_slot_stage(table.slot), names.pop() if len(names) == 1 else None
    return phase if phase in phase_tables else None
