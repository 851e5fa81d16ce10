"""The terms of the matches of an event, by the phase of each table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from engine.draws import DrawnTable, EntryId
from engine.draws.stages import blocks, is_bracket_slot, stage_of_slot
from engine.phases import MatchTerms, PhasePlace, terms_at
from engine.ranking.metrics import lot
from rules import MatchFormat, Side, TieRule
from scoring.models import Match
from tournaments.models import Event, Round, Table


def usual_terms(event: Event) -> MatchTerms:
    """Return the terms of a match whose phase has none of its own."""
    terms = event.terms
    return MatchTerms(ruleset=terms.ruleset, rules_name=terms.rules_name, match_format=terms.match_format)


def place_of_table(slot: str, sections: Iterable[str]) -> PhasePlace:
    """Return the part of the event to which a table belongs; its section only if its entries share one."""
    found = set(sections)
    return PhasePlace(stage=stage_of_slot(slot), section=found.pop() or None if len(found) == 1 else None)


def terms_of_slot(event: Event, number: int, slot: str, sections: Iterable[str]) -> MatchTerms:
    """Return the terms of a table of a round, without the side that its tie rule may favor. No query."""
    needs_winner = is_bracket_slot(event.plan, slot)
    place = place_of_table(slot, sections)
    return terms_at(event.phases, place, number, usual_terms(event), needs_winner=needs_winner)


def terms_by_table(event: Event, drawn: Round, tables: Sequence[DrawnTable]) -> dict[int, MatchTerms]:
    """Return the terms of the tables of a round, by number. No query if no phase has terms of its own; else
    one, and one more for each stage whose tie rule favors the higher seed."""
    if not event.has_own_terms:
        return dict.fromkeys((table.number for table in tables), usual_terms(event))
    rows = list(event.entries.values_list("pk", "section", "number"))
    sections = {entry: section for entry, section, _ in rows}
    numbers = {entry: number for entry, _, number in rows}
    seeds_of = cache(partial(_seeds, event, drawn))
    found = {}
    for table in tables:
        seated = (*table.a, *table.b)
        terms = terms_of_slot(event, drawn.number, table.slot, (sections[entry] for entry in seated))
        side = _favored_side(drawn, table, terms.match_format, numbers, seeds_of)
        length = terms.match_format if side is None else replace(terms.match_format, favored=side)
        found[table.number] = replace(terms, match_format=length)
    return found


def _favored_side(
    drawn: Round,
    table: DrawnTable,
    length: MatchFormat,
    numbers: dict[int, int],
    seeds_of: Callable[[int], Mapping[EntryId, int]],
) -> Side | None:
    """Return the side that the tie rule favors at a table: by lot, or the one seeded higher in its stage."""
    if length.tie in (None, TieRule.EXTRA_HAND):
        return None
    a, b = table.a[0], table.b[0]
    if length.tie is TieRule.LOT:
        return Side.A if lot(drawn.seed, numbers[a]) > lot(drawn.seed, numbers[b]) else Side.B
    seeds = seeds_of(stage_of_slot(table.slot))
    ranks = ((seeds.get(entry, len(seeds)), numbers[entry]) for entry in (a, b))
    return Side.A if next(ranks) < next(ranks) else Side.B


def _seeds(event: Event, drawn: Round, stage: int) -> dict[EntryId, int]:
    """Return the places of the entries when the stage began; none in the first, seeded by number. One
    query."""
    block = next(block for block in blocks(event.plan) if stage in block)
    if block.start == 0:
        return {}
    begun = Table.objects.filter(round__event=event, slot__startswith=f"{stage + 1}:")
    first = begun.order_by("round__number").values_list("round__order", flat=True).first()
    return {EntryId(entry): place for place, entry in enumerate(drawn.order if first is None else first)}


def round_length(event: Event, played: Round | None) -> MatchFormat:
    """Return the match length that the clock of a round counts down: the longest of its phases. No query if
    no phase has its own; else one."""
    usual = event.terms.match_format
    if played is None or not event.has_own_terms:
        return usual
    own = Match.objects.filter(table__round=played).select_related("terms")
    return max({match.match_format for match in own}, key=lambda length: length.minutes or 0, default=usual)
