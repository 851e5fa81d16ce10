"""The terms of the matches of an event, by the phase of each table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from engine.draws import DrawnTable, EntryId
from engine.draws.lineups import Lineup
from engine.draws.stages import (
    PhaseTables,
    find_free_table,
    find_table_refusal,
    get_slot_stage,
    is_bracket_slot,
    list_blocks,
)
from engine.phases import MatchTerms, PhasePlace, get_match_terms
from engine.ranking.metrics import draw_lot
from engine.results import EventRules
from rules import MatchFormat, Side, TieRule
from scoring.models import Match
from tournaments.models import Event, Round, Table


def get_default_terms(event: Event) -> MatchTerms:
    """Return the terms of a match whose phase has none of its own."""
    terms = event.terms
    return MatchTerms(ruleset=terms.ruleset, rules_name=terms.rules_name, match_format=terms.match_format)


def get_phase_place(slot: str, sections: Iterable[str]) -> PhasePlace:
    """Return the part of the event to which a table belongs; its section only if its entries share one."""
    names = set(sections)
    return PhasePlace(stage=get_slot_stage(slot), section=names.pop() or None if len(names) == 1 else None)


def get_slot_terms(event: Event, number: int, slot: str, sections: Iterable[str]) -> MatchTerms:
    """Return the terms of a table of a round, without the side that its tie rule may favor. No query."""
    needs_winner = is_bracket_slot(event.plan, slot)
    place = get_phase_place(slot, sections)
    return get_match_terms(event.phases, place, number, get_default_terms(event), needs_winner=needs_winner)


def map_table_terms(event: Event, round_row: Round, tables: Sequence[DrawnTable]) -> dict[int, MatchTerms]:
    """Return the terms of the tables of a round, by number. No query if no phase has terms of its own; else
    one, and one more for each stage whose tie rule favors the higher seed."""
    if not event.has_custom_terms:
        return dict.fromkeys((table.number for table in tables), get_default_terms(event))
    rows = list(event.entries.values_list("pk", "section", "number"))
    sections = {entry: section for entry, section, _ in rows}
    numbers = {entry: number for entry, _, number in rows}
    get_seeds = cache(partial(_read_seeds, event, round_row))
    terms_by_number = {}
    for table in tables:
        entries = (*table.a, *table.b)
        terms = get_slot_terms(event, round_row.number, table.slot, (sections[entry] for entry in entries))
        side = _get_favored_side(round_row, table, terms.match_format, numbers, get_seeds)
        length = terms.match_format if side is None else replace(terms.match_format, favored=side)
        terms_by_number[table.number] = replace(terms, match_format=length)
    return terms_by_number


def _get_favored_side(
    round_row: Round,
    table: DrawnTable,
    length: MatchFormat,
    numbers: dict[int, int],
    get_seeds: Callable[[int], Mapping[EntryId, int]],
) -> Side | None:
    """Return the side that the tie rule favors at a table: by lot, or the one seeded higher in its stage."""
    if length.tie in (None, TieRule.EXTRA_HAND):
        return None
    a, b = table.a[0], table.b[0]
    if length.tie is TieRule.LOT:
        return Side.A if draw_lot(round_row.seed, numbers[a]) > draw_lot(round_row.seed, numbers[b]) else Side.B
    seeds = get_seeds(get_slot_stage(table.slot))
    ranks = ((seeds.get(entry, len(seeds)), numbers[entry]) for entry in (a, b))
    return Side.A if next(ranks) < next(ranks) else Side.B


def _read_seeds(event: Event, round_row: Round, stage: int) -> dict[EntryId, int]:
    """Return the places of the entries when the stage began; none in the first, seeded by number. One
    query."""
    block = next(block for block in list_blocks(event.plan) if stage in block)
    if block.start == 0:
        return {}
    tables = Table.objects.filter(round__event=event, slot__startswith=f"{stage + 1}:")
    first_order = tables.order_by("round__number").values_list("round__order", flat=True).first()
    return {
        EntryId(entry): place for place, entry in enumerate(round_row.order if first_order is None else first_order)
    }


def check_phase_tables(event: Event, number: int, lineup: Lineup, table_numbers: Iterable[int]) -> None:
    """Check that tables set by hand are among those of their phase, unless an entry has one as its fixed
    table. One query; none if no phase or section has tables of its own.

    Refuses: table_outside_phase, table_of_other_phase.
    """
    if not event.has_own_tables:
        return
    phase_tables, sections, fixed_tables = _read_phase_tables(event, number)
    for table in map(lineup.get_table, table_numbers):
        others = [other for other in lineup.tables if other.number != table.number]
        refusal = find_table_refusal(table, others, sections, phase_tables)
        if refusal is not None and all(fixed_tables[entry] != table.number for entry in (*table.a, *table.b)):
            raise refusal


def move_to_free_table(event: Event, number: int, lineup: Lineup, table_number: int) -> Lineup:
    """Return the line-up with a table at the lowest free number that its phase allows. One query; none if no
    phase or section has tables of its own. Refuses: phase_tables_short, section_tables_short."""
    if not event.has_own_tables:
        return lineup
    phase_tables, sections, _ = _read_phase_tables(event, number)
    others = [table for table in lineup.tables if table.number != table_number]
    table = lineup.get_table(table_number)
    moved = replace(table, number=find_free_table(table, others, sections, phase_tables))
    return replace(lineup, tables=tuple(sorted((*others, moved), key=lambda each: each.number)))


def _read_phase_tables(
    event: Event, number: int
) -> tuple[PhaseTables, dict[EntryId, str | None], dict[EntryId, int | None]]:
    """Return the tables of the phases in a round, and the section and the fixed table of each entry. One
    query."""
    rows = list(event.entries.values_list("pk", "section", "table"))
    rules = EventRules(plan=event.plan, rules=event.ranking_rules, phases=event.phases, sections=tuple(event.sections))
    return (
        rules.list_own_tables(number),
        {EntryId(entry): section or None for entry, section, _ in rows},
        {EntryId(entry): table for entry, _, table in rows},
    )


def get_round_length(event: Event, round_row: Round | None) -> MatchFormat:
    """Return the match length that the clock of a round counts down: the longest of its phases. No query if
    no phase has its own; else one."""
    default_length = event.terms.match_format
    if round_row is None or not event.has_custom_terms:
        return default_length
    matches = Match.objects.filter(table__round=round_row).select_related("terms")
    return max(
        {match.match_format for match in matches}, key=lambda length: length.minutes or 0, default=default_length
    )
